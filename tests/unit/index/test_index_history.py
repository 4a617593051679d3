"""However a bank came to be what it is, its index is the same as one built from its rows."""

from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from lapse.index.bank_index import BankIndex
from lapse.index.snapshot import Snapshot
from lapse.index.states import GONE
from lapse.model.memory import BankRef
from lapse.model.retention import Lifecycle
from tests.unit.index.deltas import T0, Bank, Row

REF = BankRef(name="alice")
TEXTS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=5).map(" ".join)
LIFECYCLES = st.sampled_from([Lifecycle.ACTIVE, Lifecycle.SUPPRESSED, Lifecycle.ARCHIVED])
CONTENT = st.fixed_dictionaries(
    {
        "text": TEXTS,
        "key": st.sampled_from([None, "k", "l"]),
        "age_hours": st.integers(-2, 5),
        "tags": st.sampled_from([(), ("x",), ("x", "y")]),
        "vector": st.sampled_from([None, (1, 0), (0, 1)]),
        "valid_from": st.sampled_from([None, T0 - 1, T0 + 1]),
        "recorded_to": st.sampled_from([None, None, T0 - 5]),
    }
)


def shown(snapshot: Snapshot) -> dict[str, Any]:
    """Everything a reader can see, by id and not by slot."""
    live, postings = snapshot.live, snapshot.postings
    rows: dict[str, Any] = {}
    for slot in np.flatnonzero(live.status != GONE).tolist():
        record = live.state[slot]
        rows[live.ids[slot]] = (
            int(live.status[slot]),
            snapshot.vectors[slot].tolist(),
            int(live.outdated_from[slot]),
            bool(snapshot.outdated(T0, T0)[slot]),
            float(snapshot.states.importance[record]),
            int(live.starts_at[slot]),
            live.find(live.ids[slot]) == slot,
        )
    terms = {}
    for term, number in postings.terms.items():
        slots, counts = postings.of(number)
        living = live.status[slots] != GONE
        held = zip(slots[living].tolist(), counts[living].tolist(), strict=True)
        terms[term] = (
            postings.frequency(number),
            sorted((live.ids[slot], count) for slot, count in held),
        )
    shelved = snapshot.archived
    return {
        "rows": rows,
        "terms": {term: found for term, found in terms.items() if found[0]},
        "count": (postings.memory_count, round(postings.mean_length, 12)),
        "archived": {shelved.ids[slot] for slot in np.flatnonzero(shelved.status != GONE).tolist()},
        "tagged": {
            live.ids[slot]
            for slot in snapshot.facets.slots(("tag", "", "x"), len(live)).tolist()
            if live.status[slot] != GONE
        },
    }


class History(RuleBasedStateMachine):
    """Writes of all kinds, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.bank = Bank(dimension=2)
        self.index = BankIndex(REF)
        self.rows: dict[int, Row] = {}
        self.last = 0
        self.index.advance(self.bank.delta())

    @rule(contents=st.lists(CONTENT, min_size=1, max_size=3), lifecycle=LIFECYCLES)
    def remember(self, contents: list[dict[str, Any]], lifecycle: Lifecycle) -> None:
        fresh = []
        for content in contents:
            self.last += 1
            fresh.append(Row(row=self.last, lifecycle=lifecycle, importance=0.5, **content))
        self.rows.update({each.row: each for each in fresh})
        self.index.advance(self.bank.delta(fresh))

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), content=CONTENT)
    def update(self, data: st.DataObject, content: dict[str, Any]) -> None:
        old = self.rows[data.draw(st.sampled_from(sorted(self.rows)))]
        row = Row(row=old.row, lifecycle=old.lifecycle, importance=old.importance, **content)
        self.rows[row.row] = row
        self.index.advance(self.bank.delta([row]))

    @precondition(lambda self: self.rows)
    @rule(data=st.data(), lifecycle=LIFECYCLES, importance=st.sampled_from([0.0, 0.5, 1.0]))
    def move(self, data: st.DataObject, lifecycle: Lifecycle, importance: float) -> None:
        old = self.rows[data.draw(st.sampled_from(sorted(self.rows)))]
        names = ("text", "key", "age_hours", "tags", "vector", "valid_from", "recorded_to")
        content = {name: getattr(old, name) for name in names}
        row = Row(row=old.row, lifecycle=lifecycle, importance=importance, **content)
        self.rows[row.row] = row
        moved = self.bank.delta(states=[row])
        whole = self.bank.everything(list(self.rows.values()))
        self.index.follow(lambda since: moved if since else whole)

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        gone = data.draw(st.sampled_from(sorted(self.rows)))
        del self.rows[gone]
        self.index.advance(self.bank.delta(removed=[gone]))

    @invariant()
    def index_is_as_if_built_anew(self) -> None:
        built = BankIndex(REF).advance(self.bank.everything(list(self.rows.values())))
        assert shown(self.index.snapshot) == shown(built)


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=30, stateful_step_count=20, deadline=None)
