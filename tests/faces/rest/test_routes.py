"""The routes are the table of operations, by other names."""

from lapse.faces.operations import TABLE, Effect
from lapse.faces.rest.routes import _NAMED, ABSENT, BANK, Method, route_of, routes, takes_two_calls


def test_every_operation_has_a_route_or_a_reason() -> None:
    assert {each.operation.name for each in routes()} | set(ABSENT) == set(TABLE)
    assert not {each.operation.name for each in routes()} & set(ABSENT)


def test_no_two_operations_share_a_route_and_no_row_is_left_over() -> None:
    asked = [(each.method, each.path) for each in routes()]
    assert len(set(asked)) == len(asked)
    assert set(_NAMED) <= set(TABLE)
    assert set(ABSENT) <= set(TABLE)


def test_only_what_changes_nothing_is_asked_for_by_get() -> None:
    for each in routes():
        if each.method is Method.GET:
            assert each.operation.effect is Effect.READ


def test_what_is_required_is_in_the_path_where_a_path_names_it() -> None:
    for each in routes():
        fields = {one.name for one in each.operation.fields}
        assert set(each.fields_in_path) <= fields
        braces = {part[1:-1] for part in each.path.split("/") if part.startswith("{")}
        assert braces - {"tenant", "bank"} == set(each.fields_in_path)


def test_whatever_destroys_on_its_own_is_shown_first() -> None:
    destructive = [each for each in TABLE.values() if each.effect is Effect.DESTRUCTIVE]
    assert destructive
    assert all(takes_two_calls(each) for each in destructive)


def test_an_operation_that_is_new_has_a_route_at_once() -> None:
    assert route_of(TABLE["remember"]).path == f"{BANK}/memories"
    unnamed = [each for each in TABLE.values() if each.name not in _NAMED]
    for each in unnamed:
        assert route_of(each).path.endswith(each.name.replace("_", "-"))
