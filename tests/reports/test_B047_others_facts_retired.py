"""B047: saying anything about a person retires other true facts about them."""

from tests.reports.helping import Place, hit_ids


def test_only_the_same_key_in_the_same_tenant_replaces(place: Place) -> None:
    bank = place.bank()
    bank.remember("Pat works at Xanthos", id="f1", key="pat/works_at", subject="Pat")
    before = bank.get("f1")
    bank.remember("Pat administers Ypsilon", id="f2", key="pat/administers", subject="Pat")
    other = place.open().bank("alice", tenant="other")
    other.remember("Pat works at Zeta", id="f3", key="pat/works_at", subject="Pat")
    assert bank.get("f1") == before
    assert set(hit_ids(bank.recall("Pat works administers"))) == {"f1", "f2"}


def test_looking_for_what_is_replaced_spares_other_facts_of_the_person(place: Place) -> None:
    bank = place.bank({"truth.detect": "act"})
    told = ["Pat works at Xanthos", "Pat has a dog", "Pat lives in Oslo", "Pat speaks Norwegian"]
    for text in told:
        place.clock.advance(days=1)
        bank.remember(text)
    assert all(each.memory.is_latest for each in bank.list().records)
