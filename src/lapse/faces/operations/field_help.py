"""What the fields mean that the bank takes as keywords, in a line each.

Decides the words. Refuses to name fields of its own: the names are those of `DraftFields`,
`RevisionFields` and `Overrides`, and a test compares.
"""

from collections.abc import Mapping
from types import MappingProxyType

_CONTENT: Mapping[str, str] = MappingProxyType(
    {
        "kind": "Kind of memory; the policy's default if left out.",
        "key": "Claim key such as user/drink; another value under it supersedes.",
        "value": "Value of the claim; the text itself if left out. Needs a key.",
        "multi": "The key holds several values; this one stands beside the others.",
        "subject": "Whom or what it is about.",
        "entities": "Names it mentions.",
        "session": "Conversation it belongs to.",
        "role": "Who said it; user and host speak with authority.",
        "source": "Where it came from, in your words.",
        "tags": "Labels to filter by.",
        "metadata": "Your own values; Lapse never writes there.",
        "occurred_at": "When what it tells of happened.",
        "valid_from": "From when it holds in the world.",
        "valid_to": "Until when it holds, exclusive.",
        "confidence": "Belief in its truth, 0 to 1.",
        "proof_count": "Independent corroborations, from 1.",
        "expires_at": "From when it is out of every recall.",
        "derived_from": "Memories it was made from, by id.",
    }
)

_MARKS: Mapping[str, str] = MappingProxyType(
    {
        "session": "All of this conversation.",
        "subject": "All about exactly this.",
        "tag": "All that carry this label.",
        "key": "All claims with exactly this key.",
        "since": "From when what they tell of happened, or they were created.",
        "until": "Until when, exclusive.",
        "identifier": "All that name this address, number, code, date or path, in any spelling.",
        "entity": "Everything about this name or identifier.",
    }
)
_WHERE: Mapping[str, str] = MappingProxyType(
    {**_MARKS, "query": "What is meant, in plain words: names, identifiers and words."}
)

HELP: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "DraftFields": MappingProxyType(
            {
                **_CONTENT,
                "id": "Your own id, 1 to 255 characters; the same id again is safe to repeat.",
                "created_at": "When it was first met; now if left out. Strength starts from it.",
                "importance": "How much it matters, 0 to 1; rated by importance.rater if left out.",
                "pinned": "Keep it from fading, as a user's wish.",
                "exempt": "Reason why it must not fade.",
                "audit_evidence": "It is evidence for an audit.",
            }
        ),
        "CorrectionFields": MappingProxyType(
            {
                **_CONTENT,
                "id": "Your own id, 1 to 255 characters; the same id again is safe to repeat.",
                "created_at": "When it was first met; now if left out. Strength starts from it.",
                "importance": "How much it matters, 0 to 1; rated by importance.rater if left out.",
            }
        ),
        "RevisionFields": MappingProxyType({**_CONTENT, "text": "The new text."}),
        "Marks": _MARKS,
        "Where": _WHERE,
        "PlannedWhere": _WHERE,
        "Covered": MappingProxyType(
            {
                "ids": "These memories, there already or to come.",
                "subject": "All about exactly this.",
                "key_prefix": "All claims whose key begins so.",
                "tag": "All that carry this label.",
                "session": "All of this conversation.",
                "everything": "The whole bank.",
            }
        ),
        "Overrides": MappingProxyType(
            {
                "k": "Most memories to return.",
                "budget_words": "Most words of all of them together.",
                "budget_tokens": "Most tokens of all of them together; needs a token counter.",
                "max_age_hours": "Leave out what is older, counted from when it was created.",
                "mode": "A mode of forgetting below the one in force; off for none at all.",
                "scorer": "How relevance and strength become one score.",
                "weight_recency": "Weight of recency, 0 or more; scorer weighted.",
                "weight_importance": "Weight of importance, 0 or more; scorer weighted.",
                "weight_relevance": "Weight of relevance, 0 or more; scorer weighted.",
                "blend_recency_weight": "Share of recency, 0 to 1; scorer blend.",
                "explain": "Explain what was left out as well.",
            }
        ),
    }
)
"""Help by the name of the dictionary type and of the field."""
