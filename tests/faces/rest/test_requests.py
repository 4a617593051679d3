"""How requests are answered: previews, repeats, pages, limits, problems, jobs."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from lapse import Lapse
from lapse.faces.access import Role
from lapse.faces.rest.answers import Given
from lapse.model.instants import MINUTE, Instant
from lapse.model.note import Shelf
from lapse.testing.fakes import FakeClock
from tests.faces.conftest import NOW
from tests.faces.rest.serving import Client, Served

TEXT = "The violet elephant sings at midnight"


def told(client: Client, text: str = TEXT, **more: object) -> str:
    answer = client.post("memories", {"text": text, **more})
    assert answer.status_code == 201, answer.text
    name: str = answer.json()["memory"]["id"]
    return name


# --- two calls ----------------------------------------------------------------------------


def test_what_destroys_is_shown_first_and_done_when_that_is_confirmed(operator: Client) -> None:
    shown = operator.post("erasures", {"ids": ["tea"]}).json()
    assert (shown["applied"], shown["erased"]) == (False, ["tea"])
    assert operator.get("memories/tea").status_code == 200
    confirm = {"ids": ["tea"], "confirm": shown["preview"]["id"], "reason": "asked for"}
    done = operator.post("erasures", confirm)
    assert (done.status_code, done.json()["applied"]) == (200, True)
    assert operator.get("memories/tea").status_code == 404
    assert operator.post("memories", {"text": "I prefer tea, not coffee"}).status_code == 409


@pytest.mark.parametrize("change", ["another choice", "another key", "told meanwhile", "too late"])
def test_a_confirmation_is_of_exactly_what_was_shown(
    change: str, served: Served, operator: Client
) -> None:
    told(operator, "Bob likes plums", id="b1", subject="bob")
    given: dict[str, object] = {"subject": "bob"}
    preview = operator.post("suppressions", given).json()["preview"]["id"]
    client = operator
    if change == "another choice":
        given = {"ids": ["tea"]}
    elif change == "another key":
        client = served.client(served.key())
    elif change == "told meanwhile":
        told(operator, "Bob likes figs", id="b2", subject="bob")
    else:
        clock = served.lapse.parts.clock
        assert isinstance(clock, FakeClock)
        clock.advance(hours=0.3)
    refused = client.post("suppressions", {**given, "confirm": preview, "reason": "asked"})
    assert (refused.status_code, refused.json()["error"]) == (409, "ConflictError")
    assert len(operator.get("memories?lifecycles=active").json()["records"]) >= 3
    again = client.post("suppressions", given).json()["preview"]["id"]
    done = client.post("suppressions", {**given, "confirm": again, "reason": "asked"})
    assert done.json()["applied"] is True, done.text


def test_a_yes_is_not_enough(operator: Client) -> None:
    refused = operator.post("erasures", {"ids": ["tea"], "yes": True, "reason": "now"})
    assert refused.status_code == 422
    assert refused.json()["faults"][0]["field"] == "yes"
    forged = operator.post("erasures", {"ids": ["tea"], "confirm": "AAAA", "reason": "now"})
    assert forged.status_code == 409
    assert operator.get("memories/tea").status_code == 200


# --- repeats ------------------------------------------------------------------------------


def test_a_request_sent_twice_under_a_key_acts_once_and_is_answered_alike(
    served: Served, operator: Client
) -> None:
    first = operator.post("memories", {"text": TEXT}, Idempotency_Key="k-1")
    again = operator.post("memories", {"text": TEXT}, Idempotency_Key="k-1")
    assert (first.status_code, first.content) == (again.status_code, again.content)
    assert first.headers["Location"] == again.headers["Location"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    other = operator.post("memories", {"text": "Something else"}, Idempotency_Key="k-1")
    assert (other.status_code, other.json()["faults"][0]["field"]) == (422, "Idempotency-Key")
    assert operator.get("statistics").json()["memories"] == 3


def test_a_key_is_one_callers_in_one_bank(served: Served, operator: Client) -> None:
    assert operator.post("memories", {"text": TEXT}, Idempotency_Key="k").status_code == 201
    elsewhere = served.client(served.key(), bank="diary")
    fresh = elsewhere.post("memories", {"text": "Else"}, Idempotency_Key="k")
    assert "Idempotent-Replayed" not in fresh.headers
    neighbour = served.client(served.key(owner="bob"))
    own = neighbour.post("memories", {"text": "Own"}, Idempotency_Key="k")
    assert (own.status_code, "Idempotent-Replayed" in own.headers) == (201, False)


def test_a_refusal_is_repeated_and_what_time_may_mend_is_tried_again(operator: Client) -> None:
    for _ in range(2):
        refused = operator.post("memories", {"text": ""}, Idempotency_Key="bad")
        assert refused.status_code == 422
    missing = {"id": "late", "text": "New text"}
    conflict = {"text": "Another", "id": "tea"}
    assert operator.post("memories", conflict, Idempotency_Key="c").status_code == 409
    shown = operator.post("erasures", {"ids": ["tea"]}).json()["preview"]["id"]
    operator.post("erasures", {"ids": ["tea"], "confirm": shown, "reason": "gone"})
    after = operator.post("memories", conflict, Idempotency_Key="c")
    assert "Idempotent-Replayed" not in after.headers
    assert missing["id"] == "late"


def test_a_kept_answer_holds_no_text_and_goes_with_what_it_tells_of(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lapse.db"
    with Lapse.open(path, clock=FakeClock(NOW), embedder=None, background=False) as lapse:
        served = Served(lapse)
        client = served.client(served.key())
        body = {"text": TEXT, "id": "e"}
        assert client.post("memories", body, Idempotency_Key="k").status_code == 201
        job = client.post("memory-batches", {"drafts": [{"text": TEXT}]}, Prefer="respond-async")
        served.app.state.service.close()
        assert client.get(job.headers["Location"]).json()["status"] == "done"
        notes = [*lapse.notes.on(Shelf.ANSWER), *lapse.notes.on(Shelf.JOB)]
        assert len(notes) == 2
        assert not any(b"violet" in each.body for each in notes)
        shown = client.post("erasures", {"ids": ["e"]}).json()["preview"]["id"]
        done = client.post("erasures", {"ids": ["e"], "confirm": shown, "reason": "asked"})
        assert done.json()["applied"], done.text
        assert lapse.notes.on(Shelf.ANSWER) == []
        assert client.get(job.headers["Location"]).status_code == 404
    for each in tmp_path.iterdir():
        assert b"violet elephant" not in each.read_bytes(), each.name


def test_of_two_at_once_one_waits_and_one_that_died_is_tried_again(served: Served) -> None:
    from lapse.faces.rest.sealing import Seal  # noqa: PLC0415 - only here
    from lapse.faces.rest.tokens import Tokens  # noqa: PLC0415 - only here

    parts = served.lapse.parts
    given, seal = (
        Given(served.lapse.notes),
        Seal.of(Tokens(b"x", parts.entropy), parts.entropy, "k"),
    )
    now = parts.clock.now()
    begun = given.begin(seal, "p", b"ask", now=now, keep=60 * MINUTE)
    assert not hasattr(begun, "status")
    with pytest.raises(Exception, match="under way"):
        given.begin(seal, "p", b"ask", now=now, keep=60 * MINUTE)
    later = Instant(now + 10 * MINUTE)
    assert not hasattr(given.begin(seal, "p", b"ask", now=later, keep=60 * MINUTE), "status")


def test_an_answer_that_has_had_its_time_is_dropped_and_the_key_is_free(
    served: Served, operator: Client
) -> None:
    assert operator.post("memories", {"text": TEXT}, Idempotency_Key="old").status_code == 201
    clock = served.lapse.parts.clock
    assert isinstance(clock, FakeClock)
    clock.advance(hours=25)
    other = operator.post("memories", {"text": "Something else"}, Idempotency_Key="old")
    assert (other.status_code, "Idempotent-Replayed" in other.headers) == (201, False)
    for at in range(64):
        operator.post("pins", {"ids": ["tea"]}, Idempotency_Key=f"n{at}")
    clock.advance(hours=25)
    for at in range(64):
        operator.post("pins", {"ids": ["tea"]}, Idempotency_Key=f"m{at}")
    assert len(served.lapse.notes.on(Shelf.ANSWER)) <= 65


# --- pages --------------------------------------------------------------------------------


def test_pages_follow_each_other_while_others_write(operator: Client) -> None:
    for at in range(5):
        told(operator, f"Thing number {at}", id=f"t{at}")
    seen, path = [], "memories?limit=2"
    while True:
        page = operator.get(path).json()
        assert "next_after" not in page
        seen += [each["memory"]["id"] for each in page["records"]]
        if page["next_cursor"] is None:
            break
        if len(seen) == 2:
            told(operator, "Told between two pages", id="between")
        path = f"memories?limit=2&cursor={page['next_cursor']}"
    assert seen == ["tea", "lunch", *(f"t{at}" for at in range(5)), "between"]


def test_a_cursor_is_of_its_bank_and_nobody_makes_one(served: Served, operator: Client) -> None:
    cursor = operator.get("memories?limit=1").json()["next_cursor"]
    assert operator.get(f"memories?cursor={cursor}").status_code == 200
    other = served.client(served.key(), bank="diary")
    for client, shown in (
        (other, cursor),
        (operator, cursor[:-2]),
        (operator, "7"),
        (operator, ""),
    ):
        refused = client.get(f"memories?cursor={shown}")
        assert (refused.status_code, refused.json()["faults"][0]["field"]) == (422, "cursor")
    assert operator.get("memories?after=1").status_code == 422


def test_everything_is_listed_one_object_a_line(operator: Client) -> None:
    operator.request("PATCH", "policies/current", json={"diff": {"server.max_page": 1}})
    answer = operator.get("memories", Accept="application/x-ndjson")
    assert answer.headers["Content-Type"].startswith("application/x-ndjson")
    lines = [json.loads(each) for each in answer.text.splitlines()]
    assert [each["memory"]["id"] for each in lines] == ["tea", "lunch"]
    assert operator.get("memories?tag=%00", Accept="application/x-ndjson").status_code in (200, 422)


def test_what_was_erased_is_listed_page_by_page_and_one_object_a_line(
    served: Served, operator: Client
) -> None:
    bank = served.lapse.bank("notes", tenant="acme")
    bank.erase(["tea", "lunch"], by="ada", reason="over")
    numbers = [each.number for each in bank.tombstones()]
    assert len(numbers) == 2
    lines = operator.get("tombstones?limit=1", Accept="application/x-ndjson").text.splitlines()
    assert [json.loads(each)["number"] for each in lines] == numbers
    first = operator.get("tombstones?limit=1").json()
    second = operator.get(f"tombstones?limit=1&cursor={first['next_cursor']}").json()
    told = [*first["tombstones"], *second["tombstones"]]
    assert [each["number"] for each in told] == numbers
    assert not any({"exact", "sums", "slips", "salt"} & each.keys() for each in told)


def test_many_are_told_one_object_a_line(operator: Client) -> None:
    lines = b'{"text": "One", "id": "l1"}\n\n{"text": "Two", "id": "l2"}\n'
    headers = {"Content-Type": "application/x-ndjson"}
    answer = operator.request("POST", "memory-batches", content=lines, headers=headers)
    assert answer.status_code == 201
    assert operator.get("memories/l2").status_code == 200
    wrong = operator.request("POST", "memory-batches", content=b'{"a": \n7', headers=headers)
    assert [each["field"] for each in wrong.json()["faults"]] == ["drafts[0]", "drafts[1]"]
    other = operator.request("POST", "memories", content=lines, headers=headers)
    assert other.status_code == 422


# --- limits -------------------------------------------------------------------------------


def test_more_than_the_policy_allows_is_refused_by_name(operator: Client) -> None:
    diff = {"server.max_request_bytes": 2048, "server.max_page": 10}
    assert operator.request("PATCH", "policies/current", json={"diff": diff}).status_code == 200
    large = operator.post("memories", {"text": "x" * 3000})
    assert (large.status_code, large.json()["error"]) == (413, "TooLargeError")
    assert "xxx" not in large.text
    assert operator.get("memories?limit=11").status_code == 422
    assert operator.get("memories?limit=10").status_code == 200


def test_who_comes_too_fast_is_told_when_to_come_again(served: Served, operator: Client) -> None:
    diff = {"server.requests_per_minute": 12}
    operator.request("PATCH", "policies/current", json={"diff": diff})
    hasty = served.client(served.key(Role.READER))
    answers = [hasty.get("statistics") for _ in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 429, 429]
    assert answers[-1].headers["Retry-After"] == "5"
    clock = served.lapse.parts.clock
    assert isinstance(clock, FakeClock)
    clock.advance(seconds=5)
    assert hasty.get("statistics").status_code == 200


def test_whoever_shows_wrong_keys_has_to_wait(served: Served) -> None:
    guess = served.client("lapse_" + "0" * 76)
    codes = [guess.get("memories").status_code for _ in range(7)]
    assert codes == [401] * 5 + [429] * 2
    assert guess.get("memories").headers["Retry-After"] == "1"


# --- answers ------------------------------------------------------------------------------


def test_a_minimal_answer_says_where_and_nothing_else(operator: Client) -> None:
    made = operator.post("memories", {"text": TEXT, "id": "a/b ü"}, Prefer="return=minimal")
    assert (made.status_code, made.content) == (201, b"")
    assert made.headers["Preference-Applied"] == "return=minimal"
    assert operator.get(made.headers["Location"]).json()["memory"]["id"] == "a/b ü"
    pinned = operator.post("pins", {"ids": ["tea"]}, Prefer="return=minimal")
    assert (pinned.status_code, pinned.content) == (204, b"")


def test_a_minimal_recall_has_the_hits_whole_and_counts_what_was_left_out(operator: Client) -> None:
    asked = {"query": "tea", "k": 1}
    whole = operator.post("recalls", asked).json()
    answer = operator.post("recalls", asked, Prefer="return=minimal")
    assert answer.status_code == 200
    assert answer.headers["Preference-Applied"] == "return=minimal"
    brief = answer.json()
    assert {*whole} - {*brief} == {"exclusions"}
    assert {*brief} - {*whole} == {"left_out"}
    assert [each["memory"] for each in brief["hits"]] == [each["memory"] for each in whole["hits"]]
    assert {*brief["hits"][0]["explanation"]} == {*whole["hits"][0]["explanation"]}
    assert brief["left_out"] == Counter(each["reason"] for each in whole["exclusions"])
    assert brief["left_out"]


def test_long_work_is_a_job_that_is_asked_after(served: Served, operator: Client) -> None:
    begun = operator.post("reembeddings", {}, Prefer="respond-async")
    assert begun.status_code == 202
    assert begun.json()["operation"] == "reembed"
    served.app.state.service.close()
    done = operator.get(begun.headers["Location"]).json()
    assert (done["status"], done["result"], done["problem"]) == ("done", {"vectors": 2}, None)
    stranger = served.client(served.key(Role.READER))
    assert stranger.get(begun.headers["Location"]).status_code == 404
    assert operator.get("jobs/nobody").status_code == 404


def test_a_job_that_fails_says_why(served: Served, operator: Client) -> None:
    begun = operator.post("plans", {"ids": ["nobody"]}, Prefer="respond-async")
    assert begun.status_code == 202, begun.text
    served.app.state.service.close()
    failed = operator.get(begun.headers["Location"]).json()
    assert failed["status"] == "failed"
    assert failed["problem"]["error"] == "NotFoundError"


def test_large_answers_are_packed_for_those_who_can_unpack(operator: Client) -> None:
    for at in range(10):
        told(operator, f"A rather long story about thing number {at}, told at length")
    packed = operator.get("memories", Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    plain = operator.get("memories", Accept_Encoding="identity")
    assert "Content-Encoding" not in plain.headers
    assert packed.json() == plain.json()
    assert len(gzip.compress(plain.content)) < len(plain.content) / 2


def test_every_answer_carries_its_request_id(operator: Client) -> None:
    assert operator.get("memories", X_Request_ID="mine-1").headers["X-Request-ID"] == "mine-1"
    invented = operator.get("memories", X_Request_ID="has spaces & more").headers["X-Request-ID"]
    assert invented.isalnum()
    refused = operator.get("nothing", X_Request_ID="r2")
    assert (refused.headers["X-Request-ID"], refused.json()["request_id"]) == ("r2", "r2")


def test_other_sites_pages_get_no_leave_to_ask(operator: Client) -> None:
    answer = operator.get("memories", Origin="https://evil.example")
    assert "Access-Control-Allow-Origin" not in answer.headers
    preflight = operator.request(
        "OPTIONS",
        "memories",
        headers={"Origin": "https://evil.example", "Access-Control-Request-Method": "GET"},
    )
    assert preflight.status_code == 405


def test_health_is_told_to_anybody_and_nothing_else_with_it(served: Served) -> None:
    stranger = served.client()
    assert stranger.get("/healthz").json() == {"status": "ok"}
    assert stranger.get("/readyz").json() == {"status": "ok", "store": "ok"}
    served.lapse.close()
    assert stranger.get("/healthz").status_code == 200
    assert stranger.get("/readyz").status_code == 503
