"""The words a policy chooses between.

Decides which alternatives exist for each choice. Refuses to say what they compute: that is said,
once, where each is implemented.
"""

from enum import StrEnum


class LawName(StrEnum):
    """Law of decay: what retrievability does between uses."""

    ACTIVATION = "activation"
    EXPONENTIAL = "exponential"
    HALF_LIFE = "half_life"
    EBBINGHAUS = "ebbinghaus"
    FSRS = "fsrs"
    NONE = "none"


class Anchor(StrEnum):
    """Instant from which a memory's age is counted."""

    LAST_USE = "last_use"
    CREATED = "created"
    EVENT = "event"


class ImportanceEffect(StrEnum):
    """How importance enters the activation law: as log-odds, or as a slower decay."""

    LOG_ODDS = "log_odds"
    DECAY = "decay"


class Detect(StrEnum):
    """What happens when a new memory seems to replace another, without a key."""

    OFF = "off"
    PROPOSE = "propose"
    ACT = "act"


class Mode(StrEnum):
    """How far forgetting may go; each mode holds what the ones before it do."""

    OFF = "off"
    OBSERVE = "observe"
    RANK = "rank"
    FILTER = "filter"
    LIFECYCLE = "lifecycle"

    @property
    def rank(self) -> int:
        """Place in the order off < observe < rank < filter < lifecycle."""
        return tuple(Mode).index(self)

    def allows(self, needed: "Mode") -> bool:
        """Whether what `needed` does is done in this mode."""
        return self.rank >= needed.rank


class RelevanceKind(StrEnum):
    """What finds and measures relevance."""

    HYBRID = "hybrid"
    TEXT = "text"
    VECTOR = "vector"
    TFIDF = "tfidf"


class DuplicatePolicy(StrEnum):
    """Which duplicates among the hits are left out."""

    OFF = "off"
    EXACT = "exact"
    NEAR = "near"


class Diversity(StrEnum):
    """How hits are kept apart from each other."""

    OFF = "off"
    MMR = "mmr"


class Scorer(StrEnum):
    """How relevance, strength and importance become one number."""

    BOOST = "boost"
    WEIGHTED = "weighted"
    BLEND = "blend"


class StrongCue(StrEnum):
    """What forgetting does to the memory that a question names precisely."""

    SPARED = "spared"
    BENT = "bent"


class Normalise(StrEnum):
    """How the terms of the weighted scorer are brought to one scale."""

    MIN_MAX = "min_max"
    NONE = "none"


class EventRecency(StrEnum):
    """Shape of the factor for how long ago the event itself was."""

    OFF = "off"
    LINEAR = "linear"
    EXPONENTIAL = "exponential"


class RetentionScore(StrEnum):
    """Score by which memories are chosen for suppression, archiving and pruning."""

    NEED = "need"
    WEIGHTED_R = "weighted_r"
    ACTIVATION = "activation"
    MEAN = "mean"
    INFORMATIVE = "informative"
    WORTH = "worth"
    PROMISE = "promise"


class GraceAnchor(StrEnum):
    """From when the grace period counts: the fall below the level, or creation."""

    BELOW = "below"
    CREATED = "created"


class RaterMode(StrEnum):
    """Who rates the importance of what the caller did not rate."""

    OFF = "off"
    HEURISTIC = "heuristic"
    LLM = "llm"
