"""What the embedders that need no network have in common, and what each is for."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapse.embed import wordllama as wordllama_module
from lapse.embed.hashing import HashingEmbedder
from lapse.embed.idf import document_frequencies, idf_from
from lapse.embed.wordllama import WordLlamaEmbedder
from lapse.errors import DomainError, EmbedderError, ValidationError
from lapse.ports import Embedder

SCRIPTS = [
    "I prefer tea, not coffee",
    "明天上午在会议室讨论预算",
    "ทำงานที่บ้าน",
    "हिन्दी में लिखा",
    "مرحبا بكم",
    "Мария любит чай",
    "👨‍👩‍👧🎉",
    "C++ & C#",
]

WORDLLAMA = WordLlamaEmbedder()
HASHING = HashingEmbedder()
EMBEDDERS: list[Embedder] = [WORDLLAMA, HASHING]


@pytest.fixture(params=EMBEDDERS, ids=lambda each: each.id)
def embedder(request: pytest.FixtureRequest) -> Embedder:
    chosen: Embedder = request.param
    return chosen


def idf_of(embedder: Embedder, texts: list[str]) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    return idf_from(document_frequencies(embedder.tokens(texts), embedder.vocabulary), len(texts))


def test_vectors_have_the_promised_shape_and_unit_length(embedder: Embedder) -> None:
    for idf in (None, idf_of(embedder, SCRIPTS)):
        vectors = embedder.embed(SCRIPTS, idf)
        assert vectors.shape == (len(SCRIPTS), embedder.dimension)
        assert vectors.dtype == np.float32
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


def test_texts_in_every_script_are_told_apart(embedder: Embedder) -> None:
    vectors = embedder.embed(SCRIPTS, None)
    likeness = vectors @ vectors.T - np.eye(len(SCRIPTS))
    assert likeness.max() < 0.9


def test_a_text_without_tokens_gives_zeros(embedder: Embedder) -> None:
    assert not embedder.embed([""], None).any()
    assert embedder.embed([], None).shape == (0, embedder.dimension)


def test_a_lone_surrogate_is_read_as_a_question_mark(embedder: Embedder) -> None:
    assert (embedder.embed(["tea\ud83d"], None) == embedder.embed(["tea?"], None)).all()


def test_tokens_lie_within_the_vocabulary_and_keep_repeats(embedder: Embedder) -> None:
    once, twice = embedder.tokens(["tea", "tea tea"])
    assert 0 < len(once) < len(twice)
    for tokens in embedder.tokens([*SCRIPTS, "\0\ud800"]):
        assert tokens.dtype == np.int64
        assert ((tokens >= 0) & (tokens < embedder.vocabulary)).all()


def test_a_bank_of_one_text_still_finds_it(embedder: Embedder) -> None:
    text = "The dentist is on Friday at nine"
    idf = idf_of(embedder, [text])
    found, query, other = embedder.embed([text, "when is the dentist?", "who paints?"], idf)
    assert found @ query > found @ other > -0.5


def test_a_word_everybody_says_moves_a_vector_less_with_idf(embedder: Embedder) -> None:
    bank = [f"Caroline: {each}" for each in ("tea time", "new bicycle", "old garden", "cold rain")]
    idf = idf_of(embedder, bank)
    query = ["Caroline: bicycle"]
    plain = embedder.embed(bank, None) @ embedder.embed(query, None)[0]
    weighted = embedder.embed(bank, idf) @ embedder.embed(query, idf)[0]
    assert int(weighted.argmax()) == 1
    assert weighted[1] - np.delete(weighted, 1).max() > plain[1] - np.delete(plain, 1).max()


def test_idf_of_another_model_is_refused(embedder: Embedder) -> None:
    with pytest.raises(DomainError, match="idf"):
        embedder.embed(["tea"], np.ones(3, dtype=np.float32))


def test_batches_of_any_size_give_the_same_bits(embedder: Embedder) -> None:
    texts = [f"{each} {n}" for n in range(80) for each in SCRIPTS]
    together = embedder.embed(texts, None)
    assert all(
        (embedder.embed([texts[n]], None)[0] == together[n]).all() for n in range(0, 640, 37)
    )


@settings(max_examples=30)
@given(st.text(max_size=200))
def test_any_text_has_a_finite_vector(text: str) -> None:
    for embedder in EMBEDDERS:
        vector = embedder.embed([text], None)[0]
        assert np.isfinite(vector).all()
        assert np.linalg.norm(vector) == pytest.approx(1.0 if vector.any() else 0.0, abs=1e-5)


# --- wordllama ----------------------------------------------------------------------------


def test_words_of_one_field_lie_near_each_other() -> None:
    vectors = WORDLLAMA.embed(["dog", "puppy", "invoice"], None)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.2


def test_the_model_has_a_known_vector_on_every_machine() -> None:
    vector = WORDLLAMA.embed(["I prefer tea, not coffee"], None)[0]
    assert vector[:4] == pytest.approx([-0.060632, 0.109333, -0.013867, -0.080834], abs=1e-5)


def test_importing_it_loads_no_model_and_configures_no_logging() -> None:
    program = (
        "import logging, sys\n"
        "from lapse.embed.wordllama import WordLlamaEmbedder\n"
        "embedder = WordLlamaEmbedder()\n"
        "assert embedder.dimension == 256\n"
        "heavy = {'wordllama', 'tokenizers', 'safetensors', 'httpx', 'requests'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
        "embedder.load()\n"
        "print('wordllama' in sys.modules, logging.getLogger().handlers)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == ["[]", "False []"]
    assert done.stderr == ""


def test_threads_that_load_at_once_share_one_model() -> None:
    fresh = WordLlamaEmbedder()
    with ThreadPoolExecutor(8) as pool:
        vectors = list(pool.map(lambda _: fresh.embed(["tea"], None)[0], range(16)))
    assert all((each == vectors[0]).all() for each in vectors)


def _absent(folder: Path) -> None:
    (folder / "weights" / "l2_supercat_256.safetensors").unlink()


def _cut_short(folder: Path) -> None:
    path = folder / "weights" / "l2_supercat_256.safetensors"
    path.write_bytes(path.read_bytes()[:1000])


def _no_tokeniser(folder: Path) -> None:
    (folder / "tokenizers" / "l2_supercat_tokenizer_config.json").write_text("{")


@pytest.mark.parametrize("spoil", [_absent, _cut_short, _no_tokeniser])
def test_a_damaged_installation_is_told_with_its_place(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    installed = wordllama_module._installed_folder()
    for name in ("weights", "tokenizers"):
        shutil.copytree(installed / name, tmp_path / name)
    spoil(tmp_path)
    with pytest.raises(EmbedderError, match=str(tmp_path)):
        WordLlamaEmbedder(tmp_path).load()


def test_weights_of_another_model_are_refused(tmp_path: Path) -> None:
    from safetensors.numpy import save_file  # noqa: PLC0415

    installed = wordllama_module._installed_folder()
    shutil.copytree(installed / "tokenizers", tmp_path / "tokenizers")
    (tmp_path / "weights").mkdir()
    save_file(
        {"embedding.weight": np.zeros((10, 64), dtype=np.float16)},
        tmp_path / "weights" / "l2_supercat_256.safetensors",
    )
    with pytest.raises(EmbedderError, match=r"\(10, 64\)"):
        WordLlamaEmbedder(tmp_path).embed(["tea"], None)


def test_a_missing_package_is_told_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)  # what an absent package looks like
    with pytest.raises(EmbedderError, match="pip install 'wordllama"):
        WordLlamaEmbedder().load()


# --- hashing ------------------------------------------------------------------------------


def test_spellings_of_one_word_lie_near_each_other() -> None:
    vectors = HASHING.embed(["organisation", "organization", "bicycle"], None)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.3


def test_part_of_an_unspaced_sentence_lies_near_it() -> None:
    sentence, other, query = HASHING.embed(
        ["明天上午在会议室讨论预算", "来週の出張を取り消した", "讨论预算"], None
    )
    assert sentence @ query > other @ query + 0.3


def test_case_and_punctuation_do_not_move_a_vector() -> None:
    vectors = HASHING.embed(["Tea, please!", "tea PLEASE", "«tea» … please"], None)
    assert (vectors == vectors[0]).all()


def test_the_hash_is_the_same_on_every_machine() -> None:
    assert HASHING.tokens(["tea"])[0].tolist() == [11459, 6066, 6036, 5797, 9809, 7127]
    assert (HASHING.embed(["tea"], None)[0, :6] > 0).tolist() == [
        False,
        True,
        False,
        False,
        False,
        False,
    ]


def test_signs_are_balanced_and_buckets_independent() -> None:
    signs = HASHING._signs.astype(np.float64)
    assert abs(signs.mean()) < 0.002
    likeness = signs[:300] @ signs[:300].T / HASHING.dimension - np.eye(300)
    assert np.abs(likeness).max() < 0.25


@pytest.mark.parametrize("dimension", [0, -64, 100, 8192])
def test_a_dimension_it_cannot_have_is_refused(dimension: int) -> None:
    with pytest.raises(ValidationError, match="multiple of 64"):
        HashingEmbedder(dimension)


def test_each_dimension_has_its_own_identity() -> None:
    assert {HashingEmbedder(each).id for each in (64, 256, 512)} == {
        "hashing1-64",
        "hashing1-256",
        "hashing1-512",
    }
