"""The protocol of a language model.

Decides how little of one Lapse needs: a prompt goes out, a text comes back.
"""

from typing import Protocol


class Generate(Protocol):
    """Asks a language model. The host's one background model serves ratings and reflections."""

    def __call__(self, prompt: str, /) -> str:
        """The model's answer to one prompt that stands alone.

        Raises:
            GeneratorError: There is none that can be used.
        """
        ...
