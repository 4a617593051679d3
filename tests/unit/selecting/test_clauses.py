import pytest

from lapse.selecting.clauses import rest_without
from lapse.text.names import names_of


@pytest.mark.parametrize(
    ("name", "text", "rest"),
    [
        ("Nora", "Nora moved to Graz and Omar stayed in Linz.", "Omar stayed in Linz."),
        ("Omar", "Nora moved to Graz and Omar stayed in Linz.", "Nora moved to Graz."),
        ("Nora", "Nora moved to Graz, while Omar stayed.", "Omar stayed."),
        ("Nora", "Nora paints. Omar rows. Nora sails.", "Omar rows."),
        ("Nora", "Nora paints and likes tea.", None),
        ("Nora", "Nora and Omar share a desk.", None),
        ("Nora", "Nora is here. She likes tea.", None),
        ("Ines", "Nora paints and Omar rows.", None),
    ],
)
def test_what_is_said_of_others_is_told_apart(name: str, text: str, rest: str | None) -> None:
    assert rest_without(names_of(name)[0], text) == rest
