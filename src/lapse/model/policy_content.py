"""Settings of what is stored: memories, their importance, reflections on them, cached answers.

Decides names, defaults and ranges. Refuses to hold keys: a setting names the variable that one is
in. Where the model answers is the deployment's to say (`policy_layers.DEPLOYMENT_PATHS`).
"""

# ruff: noqa: RUF009 - setting() returns a field declaration, made once, on purpose

from dataclasses import dataclass
from typing import ClassVar

from lapse.errors import PolicyError
from lapse.model.memory import Kind
from lapse.model.policy_enums import RaterMode
from lapse.model.policy_model import model_faults
from lapse.model.setting_values import Section
from lapse.model.settings import setting


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPolicy(Section):
    """What a memory is when its writer does not say."""

    section: ClassVar[str] = "memory"

    language: str = setting(
        default="english",
        help="Language whose Snowball stemmer reads the bank's texts; none reads them as written.",
    )

    def __post_init__(self) -> None:
        Section.__post_init__(self)
        # Languages are written with a capital; the stemmers' names are not.
        object.__setattr__(self, "language", self.language.strip().casefold())

    max_text_bytes: int = setting(
        default=65_536,
        within="[1, 16777216]",
        unit="bytes of UTF-8",
        help="Longest text of a memory.",
    )
    default_kind: Kind = setting(
        default=Kind.SEMANTIC,
        help="Kind of a remembered statement.",
    )
    ingest_kind: Kind = setting(
        default=Kind.EPISODIC,
        help="Kind of an ingested message.",
    )
    confidence: float = setting(
        default=0.5,
        within="[0, 1]",
        help="Belief in the truth of a memory; use never changes it.",
    )
    embedder: str = setting(
        default="wordllama",
        help="Name of the embedder; another one needs reembed before its vectors are used.",
    )
    ram_bank_limit: int = setting(
        default=200_000,
        within="[0, 1000000000]",
        unit="memories",
        help="Size above which a bank may be searched by the store's own indexes, approximately.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportancePolicy(Section):
    """Who rates what the caller did not rate."""

    section: ClassVar[str] = "importance"

    rater: RaterMode = setting(
        default=RaterMode.HEURISTIC,
        help="Rater of new memories: off rates nothing, heuristic is deterministic, llm asks.",
    )
    purpose: str | None = setting(
        default=None,
        special="none is told",
        help="What the agent is for, told to the model that rates.",
    )
    model: str | None = setting(
        default=None,
        special="no model, but the one that the host hands over",
        help="Background model of the deployment: it rates, and it summarises sessions.",
    )
    endpoint: str | None = setting(
        default=None,
        special="nowhere",
        help="Root of the OpenAI-compatible API that answers for the model.",
    )
    key_variable: str | None = setting(
        default=None,
        special="the endpoint wants no key",
        help="Environment variable that holds the key to the endpoint; never the key itself.",
    )
    timeout_s: float = setting(
        default=30.0,
        within="(0, 3600]",
        unit="seconds",
        help="Longest silence of the endpoint that is waited through.",
    )
    max_answer_tokens: int = setting(
        default=1_024,
        within="[1, 1000000]",
        unit="tokens",
        help="Longest answer that the model is asked for; one that thinks first needs more.",
    )
    batch_size: int = setting(
        default=20,
        within="[1, 1000]",
        unit="memories",
        help="Most memories rated by one call of the model.",
    )

    def __post_init__(self) -> None:
        Section.__post_init__(self)
        faults = tuple(model_faults(self.model, self.endpoint, self.key_variable))
        if faults:
            raise PolicyError(faults)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectionPolicy(Section):
    """When a session has gathered enough to be summarised."""

    section: ClassVar[str] = "reflection"

    enabled: bool = setting(
        default=False,
        help="Whether sessions are summarised into derived memories.",
    )
    threshold: float = setting(
        default=15.0,
        within="(0, 1000000]",
        unit="summed importance",
        help="Importance gathered in a session past which one summarisation is scheduled.",
    )
    max_sentences: int = setting(
        default=12,
        within="[1, 100]",
        unit="sentences",
        help="Most sentences of one summary.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePolicy(Section):
    """How long an answer may be given again."""

    section: ClassVar[str] = "cache"

    ttl_hours: float = setting(
        default=24.0,
        within="[0, 87600]",
        unit="hours",
        help="Age at which a cached answer expires, never to be served again; 0 keeps none.",
    )
    freshness_hours: tuple[tuple[str, float], ...] = setting(
        default=(),
        within="(0, 87600]",
        unit="hours",
        help="Shorter lives for answers of named domains, such as weather=1.",
    )
    min_similarity: float = setting(
        default=0.95,
        within="(0, 1]",
        help="Cosine from which a question with equal numbers and names counts as the same.",
    )
    max_entries: int = setting(
        default=1_000,
        within="[1, 100000]",
        unit="answers",
        help="Most answers that a bank keeps; the one put longest ago gives way.",
    )
