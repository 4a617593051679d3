"""B100: the user is kept on writing and dropped on reading.

There is one way of asking, synchronous; the user is a subject, a bank or a tenant.
"""

from collections.abc import Callable

import pytest

from lapse import Lapse
from lapse.model.query import Recall
from tests.reports.helping import ChosenVectors, Place

TEXT = "We meet at the harbour"
ARMS = ("hybrid", "text", "vector", "tfidf")

USERS: dict[str, Callable[[Lapse, str], Callable[[str], Recall]]] = {
    "subject": lambda mind, user: lambda query: mind.bank("all").recall(query, subject=user),
    "bank": lambda mind, user: mind.bank(user).recall,
    "tenant": lambda mind, user: mind.bank("all", tenant=user).recall,
}


def remember(mind: Lapse, form: str, user: str) -> str:
    match form:
        case "subject":
            return mind.bank("all").remember(TEXT, subject=user, id=f"{user}s").id
        case "bank":
            return mind.bank(user).remember(TEXT, id=f"{user}s").id
        case _:
            return mind.bank("all", tenant=user).remember(TEXT, id=f"{user}s").id


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("form", USERS)
def test_the_same_text_told_by_two_users_comes_back_to_each_as_their_own(
    place: Place, form: str, arm: str
) -> None:
    embedder = ChosenVectors({TEXT: (1.0, 0.0), "the harbour": (0.9, 0.1)})
    mind = place.open({"recall.relevance": arm}, embedder=embedder)
    stored = {user: remember(mind, form, user) for user in ("alice", "bob")}
    assert len(set(stored.values())) == 2
    for user, own in stored.items():
        recall = USERS[form](mind, user)("the harbour")
        assert [each.id for each in recall.hits] == [own]


@pytest.mark.parametrize("form", USERS)
def test_a_third_user_gets_neither(place: Place, form: str) -> None:
    mind = place.open()
    for user in ("alice", "bob"):
        remember(mind, form, user)
    assert USERS[form](mind, "carol")("the harbour").hits == ()
    assert len(USERS[form](mind, "alice")("the harbour").hits) == 1
