"""B151: an export drops whose a row is, and some rows."""

import io

from lapse import Lapse


def test_each_tenant_gets_back_its_own_and_all_of_it() -> None:
    with Lapse.open("memory://", background=False) as mind, Lapse.open("memory://") as other:
        for name in ("one", "two", "three"):
            bank = mind.bank("main", tenant=name)
            bank.remember("The same words for every tenant", id="same")
            bank.remember_many({"text": f"Note {at} of {name}", "id": f"n{at}"} for at in range(99))
            bundle = io.BytesIO()
            bank.export(bundle)
            copy = other.bank("main", tenant=name)
            assert copy.import_(bundle).created == 100
        for name in ("one", "two", "three"):
            copy = other.bank("main", tenant=name)
            assert copy.get("same").memory.tenant == name
            assert copy.get("n7").memory.text == f"Note 7 of {name}"
