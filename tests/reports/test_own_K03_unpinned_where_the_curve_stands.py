"""K03, not reported: taking a pin off is no new birth, and neither is it a punishment."""

from collections.abc import Callable

import pytest

from lapse.bank import Bank
from lapse.model.policy import LawName
from tests.reports.helping import Place, ago, retrievability

LAWS = sorted(LawName)
MARKS: dict[str, tuple[Callable[[Bank], object], Callable[[Bank], object]]] = {
    "pin": (lambda bank: bank.pin(["a"]), lambda bank: bank.unpin(["a"])),
    "exemption": (
        lambda bank: bank.exempt(["a"], reason="under review"),
        lambda bank: bank.exempt(["a"], reason=None),
    ),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("mark", MARKS)
def test_what_was_kept_for_a_while_fades_on_as_if_it_never_had_been(
    place: Place, law: LawName, mark: str
) -> None:
    set_mark, end_mark = MARKS[mark]
    bank = place.bank({"law.name": law})
    for name in ("a", "b"):
        bank.remember(f"harbour {name}", id=name, created_at=ago(days=5))
    set_mark(bank)
    place.clock.set(ago(days=-200))
    kept = [retrievability(bank, "harbour plans", name) for name in ("a", "b")]
    end_mark(bank)
    left = [retrievability(bank, "harbour plans", name) for name in ("a", "b")]
    assert kept[0] == 1.0
    assert left[0] == left[1] == kept[1]
    assert left[1] < 1.0 or law is LawName.NONE
    assert bank.get("a").state.fades_at == bank.get("b").state.fades_at
