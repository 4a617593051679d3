"""The default embedder: wordllama's static token vectors, read from its installed files.

Decides where the model lies and how a text becomes its tokens. Refuses the network: what is not
installed is an error that says what to install. How much each token weighs is the caller's IDF.

The package itself is never imported. Its `load()` looks for the network, and importing it installs
a logging handler for the whole process and takes longer than reading its two files does.
"""

import importlib.util
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from lapse.embed.encodable import encodable
from lapse.embed.pooling import pool
from lapse.errors import EmbedderError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_DIMENSION: Final = 256
_VOCABULARY: Final = 32_000
_WEIGHTS: Final = Path("weights", "l2_supercat_256.safetensors")
_TOKENISER: Final = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_TABLE_NAME: Final = "embedding.weight"
_BATCH: Final = 512


class WordLlamaEmbedder:
    """256 dimensions, 32,000 tokens, any script (unknown characters become their bytes).

    Loads about 16 MB from disk when first used. Thread-safe. Satisfies `ports.Embedder`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Choose where the model lies; nothing is read yet.

        Args:
            folder: A folder laid out as the wordllama package is; None finds the installed one.
        """
        self._folder = folder
        self._model: tuple[Tokenizer, NDArray[np.float32]] | None = None
        self.begin_anew()

    def begin_anew(self) -> None:
        """Let go of a lock that a thread of the parent may hold, in a forked process."""
        self._loading = threading.Lock()

    @property
    def id(self) -> str:
        """Model and dimension; the dependency is pinned to the versions that ship this model."""
        return f"wordllama-{_DIMENSION}"

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        return _DIMENSION

    @property
    def vocabulary(self) -> int:
        """Number of tokens that an IDF vector must weigh."""
        return _VOCABULARY

    def load(self) -> None:
        """Read the model now rather than with the first text.

        Raises:
            EmbedderError: The model is not installed or not the one expected.
        """
        self._loaded()

    def tokens(self, texts: Sequence[str]) -> list[NDArray[np.int64]]:
        """Token ids of each text, in order, with repeats.

        Raises:
            EmbedderError: The model could not be loaded.
        """
        tokeniser, _ = self._loaded()
        return _tokens(tokeniser, texts)

    def embed(self, texts: Sequence[str], idf: NDArray[np.float32] | None) -> NDArray[np.float32]:
        """Pooled vectors of the texts (see `pooling.pool`).

        Args:
            texts: Any texts; an empty one has no token and gives zeros.
            idf: Shape (32000,), from `idf.idf_from`; None weighs all tokens alike.

        Returns:
            Shape (len(texts), 256).

        Raises:
            EmbedderError: The model could not be loaded.
            DomainError: `idf` has another shape.
        """
        tokeniser, table = self._loaded()
        pooled = np.zeros((len(texts), _DIMENSION), dtype=np.float32)
        for start in range(0, len(texts), _BATCH):
            part = slice(start, start + _BATCH)
            pooled[part] = pool(_tokens(tokeniser, texts[part]), table, idf)
        return pooled

    def _loaded(self) -> "tuple[Tokenizer, NDArray[np.float32]]":
        if self._model is None:
            with self._loading:
                if self._model is None:
                    self._model = _load(self._folder or _installed_folder())
        return self._model


def _installed_folder() -> Path:
    spec = importlib.util.find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise EmbedderError(
            "wordllama is not installed; install it with `pip install 'wordllama>=0.4,<0.5'`, or"
            " choose another embedder"
        )
    return Path(spec.origin).parent


def _load(folder: Path) -> "tuple[Tokenizer, NDArray[np.float32]]":
    # Late: these two take time that an embedded recall without vectors should not pay. wordllama
    # depends on both.
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    for needed in (_WEIGHTS, _TOKENISER):
        if not (folder / needed).is_file():
            raise EmbedderError(
                f"wordllama's model file {needed} is not in {folder}; reinstall it with"
                " `pip install --force-reinstall 'wordllama>=0.4,<0.5'`"
            )
    try:
        tokeniser = Tokenizer.from_file(str(folder / _TOKENISER))
    except Exception as error:  # tokenizers raises nothing narrower
        raise EmbedderError(f"wordllama's tokeniser in {folder} cannot be read: {error}") from error
    try:
        with safe_open(str(folder / _WEIGHTS), framework="np") as weights:
            table = weights.get_tensor(_TABLE_NAME).astype(np.float32)
    except (OSError, SafetensorError) as error:
        raise EmbedderError(f"wordllama's vectors in {folder} cannot be read: {error}") from error
    if table.shape != (_VOCABULARY, _DIMENSION):
        raise EmbedderError(
            f"wordllama's vectors have the shape {table.shape}, not"
            f" ({_VOCABULARY}, {_DIMENSION}); install wordllama>=0.4,<0.5"
        )
    tokeniser.no_padding()
    tokeniser.no_truncation()
    return tokeniser, table


def _tokens(tokeniser: "Tokenizer", texts: Sequence[str]) -> list[NDArray[np.int64]]:
    readable = [encodable(each) for each in texts]
    encoded = tokeniser.encode_batch_fast(readable, add_special_tokens=False)
    return [np.array(each.ids, dtype=np.int64) for each in encoded]
