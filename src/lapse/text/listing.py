"""How a list of words is written down in a table.

Decides that white space parts words. Refuses to know any.
"""


def listed(words: str) -> frozenset[str]:
    """The words of a list, once each."""
    return frozenset(words.split())
