"""Embedders by the names that a policy gives them.

Decides which names there are. Refuses to load one that was not chosen.
"""

from lapse.errors import ValidationError
from lapse.ports import Embedder


def embedder_named(name: str) -> Embedder | None:
    """The embedder of a name; None for `none`, which is text search only.

    Raises:
        ValidationError: No embedder has this name.
    """
    # Each embedder is imported where it is chosen: their libraries are slow to import.
    match name:
        case "wordllama":
            from lapse.embed.wordllama import (  # noqa: PLC0415 - only the chosen one loads
                WordLlamaEmbedder,
            )

            return WordLlamaEmbedder()
        case "hashing":
            from lapse.embed.hashing import (  # noqa: PLC0415 - only the chosen one loads
                HashingEmbedder,
            )

            return HashingEmbedder()
        case "none":
            return None
        case _:
            raise ValidationError.of(
                "memory.embedder",
                name,
                "needs wordllama, hashing or none; pass others as embedder=",
            )
