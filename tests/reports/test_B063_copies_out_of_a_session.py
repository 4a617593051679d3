"""B063: deleting a session leaves what was copied out of it, and the copies have no stable id."""

from tests.reports.helping import Place, everything

WHO = {"by": "anna", "reason": "asked for"}


def test_what_only_the_session_supports_goes_and_the_rest_stays_by_its_id(place: Place) -> None:
    bank = place.bank()
    bank.remember("We rent the blue boat", id="z1", session="z")
    bank.remember("The lake opens in May", id="z2", session="z")
    bank.remember("Boats may be rented", id="y1", session="y")
    bank.remember("A boat is planned", id="m1", derived_from=["z1"])
    bank.remember("Summer is for rowing", id="m2", derived_from=["z2", "y1"])
    done = bank.erase(session="z", **WHO)
    assert (done.derived, done.cut) == (("m1",), ("m2",))
    assert [each.memory.id for each in everything(bank)] == ["y1", "m2"]
    assert bank.get("m2").memory.derived_from == ("y1",)
