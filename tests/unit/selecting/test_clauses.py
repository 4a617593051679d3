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
        ("Nora", "Nora and Omar share a desk.", "Omar shares a desk."),
        ("Omar", "Nora, Omar and Ines carry boxes.", "Nora and Ines carry boxes."),
        ("Ines", "Nora and Ines were late.", "Nora was late."),
        ("Nora", "Nora and Omar met in Graz.", "Omar met in Graz."),
        ("Nora", "Nora and Omar like Nora's boat.", None),
        ("Nora", "The boat of Nora and Omar is red.", None),
        ("Nora", "Nora is here. She likes tea.", None),
        ("Nora Blum", "Guest Nora Blum, DOB 1952-04-12, treated for gout.", None),
        ("Nora", "Nora speaks German and Italian fluently.", None),
        ("Nora", "Nora, MD, treated for gout and flu.", None),
        ("Ines", "Nora paints and Omar rows.", None),
    ],
)
def test_what_is_said_of_others_is_told_apart(name: str, text: str, rest: str | None) -> None:
    assert rest_without(names_of(name)[0], text) == rest
