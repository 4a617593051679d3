"""Texts that any model can read.

Decides what stands for what has no UTF-8. Refuses to alter anything else.
"""


def encodable(text: str) -> str:
    """The text with a question mark for each lone half of a surrogate pair.

    No stored text holds one, but a query may, and models and drivers raise on it.
    """
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
