"""Own case of K27: a batch is cheaper than its memories one by one, and comes to the same."""

import pytest

from lapse.model.policy import LawName
from tests.reports.helping import Place, ago, everything

DRAFTS: list[dict[str, object]] = [
    {
        "text": f"harbour note {at}",
        "id": f"m{at}",
        "importance": None if at % 5 == 0 else at % 10 / 10,
        "kind": ("episodic", "semantic", "procedural", "working")[at % 4],
        "created_at": ago(days=at * 13.7),
        "pinned": at % 11 == 0,
        "expires_at": ago(days=-30) if at % 7 == 0 else None,
    }
    for at in range(60)
]


@pytest.mark.parametrize("law", LawName)
def test_a_batch_leaves_the_states_that_telling_one_by_one_leaves(
    place: Place, law: LawName
) -> None:
    mind = place.open({"law.name": law.value})
    mind.bank("together").remember_many(DRAFTS)
    for each in DRAFTS:
        mind.bank("apart").remember_many([each])
    together, apart = everything(mind.bank("together")), everything(mind.bank("apart"))
    assert [each.state for each in together] == [each.state for each in apart]
    assert len(together) == len(DRAFTS)
    dated = {each.state.fades_at for each in together}
    assert len(dated) > (1 if law is LawName.NONE else 20)
