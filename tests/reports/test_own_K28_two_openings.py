"""Own case of K28: two openings of one file never answer from different states of it."""

from tests.reports.helping import Place, ago, hit_ids


def test_what_one_opening_writes_is_in_the_next_answer_of_the_other(in_file: Place) -> None:
    one, other = in_file.bank(), in_file.bank()
    one.remember("The harbour is quiet", id="m1", created_at=ago(days=9))
    assert hit_ids(other.recall("harbour")) == ["m1"]
    other.update("m1", text="The market is loud")
    assert one.recall("harbour").hits == ()
    assert hit_ids(one.recall("market")) == ["m1"]
    one.remember("I drink tea", id="tea", key="user/drink", value="tea")
    other.remember("I drink milk", id="milk", key="user/drink", value="milk")
    assert hit_ids(one.recall("drink")) == ["milk"]
    other.pin(["m1"])
    assert "pinned" in one.recall("market").hits[0].explanation.flags
    one.used(["m1"])
    other.drain()
    assert one.recall("market").hits[0].explanation.use_count == 1
    one.set_policy({"recall.k": 1, "forgetting.mode": "filter"})
    assert (other.stats().mode, len(other.recall("drink market").hits)) == ("filter", 1)


def test_a_memory_that_is_gone_before_its_text_is_loaded_is_not_shown(place: Place) -> None:
    mind = place.open()
    bank = mind.bank("alice")
    bank.remember_many({"text": f"harbour note {at}", "id": f"m{at}"} for at in range(20))
    store = mind._core.parts.store
    shown, hidden = store.shown, {"m0", "m1"}
    store.shown = lambda ref, ids: shown(  # type: ignore[method-assign]  # as if erased a moment ago
        ref, [each for each in ids if each not in hidden]
    )
    recall = bank.recall("harbour", k=10)
    assert not hidden & set(hit_ids(recall))
    assert len(recall.hits) >= 8
    store.shown = shown  # type: ignore[method-assign]  # as it was
    assert len(bank.recall("harbour", k=10).hits) == 10
