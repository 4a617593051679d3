"""SC1: the best match lies with another tenant; nothing of it is anywhere in the answer.

Control: its own tenant finds it.
"""

from pathlib import Path

from lapse import Lapse
from tests.journeys.acceptance import on_every_store, place_on, tray
from tests.reports.helping import Place, hit_ids
from tests.unit.engine.opening import WordEmbedder

QUERY = "the number of the harbour master"
SECRET = "The number of the harbour master is 4411"
OWN = ("The harbour is quiet", "Lunch was soup", "The market opens at nine", "A master of chess")


def open_at(place: Place) -> Lapse:
    return place.open({"recall.near_misses": 1000}, embedder=WordEmbedder())


def tell(mind: Lapse, *, beside_others: bool) -> None:
    if beside_others:
        for name in ("notes", "diary"):
            mind.bank(name, tenant="a").remember(SECRET, id="secret", subject="harbour")
            mind.bank(name, tenant="a").remember_many(
                {"text": f"harbour master number {at}", "id": f"more{at}"} for at in range(40)
            )
    for at, text in enumerate(OWN):
        mind.bank("notes", tenant="b").remember(text, id=f"own{at}")


def answers(mind: Lapse) -> list[str]:
    """All that tenant b can learn about the query."""
    bank = mind.bank("notes", tenant="b")
    told = [tray(bank.recall(QUERY, k=k)) for k in (1, 100)]
    ranked = bank.rank([{"id": "own0", "text": OWN[0]}, {"id": "x", "text": SECRET}], query=QUERY)
    stats = bank.stats()
    counts = (stats.memories, stats.by_kind, stats.current, stats.epoch, stats.pending_events)
    return [*told, tray(ranked), str(counts), str(bank.doctor()), str(mind.banks(tenant="b"))]


@on_every_store
def test_what_another_tenant_has_stored_changes_no_byte_of_an_answer(
    kind: str, tmp_path: Path
) -> None:
    folders = [tmp_path / "shared", tmp_path / "alone"]
    learnt = []
    for beside_others, folder in zip((True, False), folders, strict=True):
        folder.mkdir()
        with place_on(kind, folder) as place:
            mind = open_at(place)
            tell(mind, beside_others=beside_others)
            learnt.append(answers(mind))
            if beside_others:
                told = mind.bank("notes", tenant="a").recall(QUERY)
                assert hit_ids(told)[0] == "secret"  # the control
    assert learnt[0] == learnt[1]
    assert "secret" not in "".join(learnt[0])
    assert '"own0"' in learnt[0][1]


@on_every_store
def test_the_best_match_of_another_bank_is_no_hit_no_exclusion_and_no_near_miss(
    kind: str, tmp_path: Path
) -> None:
    with place_on(kind, tmp_path) as place:
        mind = open_at(place)
        tell(mind, beside_others=True)
        mind.bank("notes", tenant="a").pin(["secret"])
        for name, tenant in (("notes", "b"), ("other", "a"), ("notes", "c")):
            recall = mind.bank(name, tenant=tenant).recall(QUERY, k=100)
            seen = {*hit_ids(recall), *(each.id for each in recall.exclusions)}
            seen |= {each.id for each in recall.revived}
            assert not {each for each in seen if not each.startswith("own")}
        assert "secret" in hit_ids(mind.bank("notes", tenant="a").recall(QUERY))
