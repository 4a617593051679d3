from lapse.model.identifier import IdentifierType
from lapse.text.identifiers.kept import kept_identifiers


def names(text: str) -> list[str]:
    return [each.canonical for each in kept_identifiers(text) if each.type is IdentifierType.NAME]


def test_names_are_kept_whole_and_word_by_word() -> None:
    assert names("We met Nora Blum in Graz.") == ["norablum", "nora", "blum", "graz"]


def test_a_name_has_one_form_in_every_alphabet() -> None:
    assert set(names("Пришла Анна Белова")) >= {"annabelova", "anna", "belova"}
    assert set(names("Anna Belova came")) >= {"annabelova", "anna", "belova"}
    assert "wangfang" in names("客人 王芳")
    assert "renee" in names("Then Renée sang.")


def test_words_that_only_open_a_sentence_are_no_names() -> None:
    assert names("The tea is cold. She said so. It is. We know.") == []


def test_identifiers_are_kept_beside_names() -> None:
    kept = kept_identifiers("Nora wrote to omar@fern.io.")
    assert [each.canonical for each in kept] == ["omar@fern.io", "nora"]


def test_what_is_told_twice_is_kept_once() -> None:
    kept = kept_identifiers("Nora, LAB-7 and Nora, lab-7")
    assert [each.canonical for each in kept] == ["lab7", "nora"]
