"""Raters: who says how much a memory matters.

Decides the order of the three: a model where one is asked for and answers, else the heuristic, and
nothing where rating is off; how many memories one question names, and what is asked again alone.
Refuses to store a rating, to know a bank, and to raise for a model's sake: what it does not answer
is rated by the heuristic and counted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from lapse.errors import GeneratorError, StoppedError, ValidationError, fault, raise_all
from lapse.importance.heuristic import importance_of
from lapse.importance.poignancy_batch import question_of_many, read_ratings
from lapse.importance.signs import said
from lapse.model.memory import Role
from lapse.model.policy_enums import RaterMode
from lapse.model.retention import ImportanceSource
from lapse.model.term_counts import TermCounts
from lapse.ports import Generate
from lapse.remote.chat import ChatEndpoint, ChatModel
from lapse.text.tokens import Tokeniser

Rated = tuple[float | None, ImportanceSource]
"""An importance in [0, 1], None where nobody rates, and who said so."""

Counting = Callable[[Sequence[str]], TermCounts]
"""How common terms are in the bank that a text is for."""

RATING_TOKENS: Final = 1024
"""Most tokens of an answer: a line of a few for each memory of a batch."""

ASKED_AT_ONCE: Final = 20
"""Memories that one question of `Rater.rate_many` names, so that an answer has room for all."""

FAILURES_BORNE: Final = 2
"""Questions in a row left unanswered after which the rest of a call is left to the heuristic."""


@dataclass(slots=True, kw_only=True)
class RatingCounts:
    """What a rater did so far.

    Attributes:
        asked: Questions put to the model.
        failed: Questions that it did not answer.
        unreadable: Memories of which an answer named no rating.
        fallbacks: Memories that the heuristic rated in the model's place.
    """

    asked: int = 0
    failed: int = 0
    unreadable: int = 0
    fallbacks: int = 0


def _nothing_known(_: Sequence[str]) -> TermCounts:
    return TermCounts()


class Rater:
    """Rates texts. Thread-safe as far as its model is; `counts` are approximate under threads.

    rater = Rater("llm", purpose="a cook's assistant", endpoint="http://…/v1", model="small")
    importance, source = rater.rate("I am allergic to nuts", "user")
    """

    def __init__(
        self,
        mode: RaterMode | str = RaterMode.HEURISTIC,
        purpose: str | None = None,
        *,
        generate: Generate | None = None,
        endpoint: str | ChatEndpoint | None = None,
        model: str | None = None,
        api_key: str | None = None,
        counting: Counting = _nothing_known,
        language: str = "english",
    ) -> None:
        """Choose who rates.

        Args:
            mode: `off`, `heuristic` or `llm`.
            purpose: What the agent is for, told to the model.
            generate: Asks the host's own model; then no endpoint is needed.
            endpoint: An OpenAI-compatible API's root, or how it is to be asked in every detail.
            model: The model's name there.
            api_key: Sent as a bearer token; never shown.
            counting: How common terms are in the bank; left out, all are taken for rare.
            language: Of the texts, for the heuristic's terms.

        Raises:
            ValidationError: An unknown mode, a bad address, or `llm` without anybody to ask.
        """
        if generate is not None and not callable(generate):
            raise ValidationError.of("generate", generate, "needs something that can be called")
        self.mode = _mode(mode)
        self.purpose = purpose
        self.counts = RatingCounts()
        self._counting = counting
        self._tokeniser = Tokeniser(language)
        self._generate = generate or _model_at(endpoint, model, api_key)
        if self.mode is RaterMode.LLM and self._generate is None:
            raise ValidationError.of(
                "mode", "llm", "needs somebody to ask: pass generate=, or endpoint= and model="
            )

    def rate(self, text: str, role: Role | str | None = None) -> Rated:
        """How much one text matters, and who said so.

        Raises:
            ValidationError: No such role, or what is no text.
        """
        return self.rate_many([text], [role])[0]

    def rate_many(
        self, texts: Sequence[str], roles: Sequence[Role | str | None] | None = None
    ) -> list[Rated]:
        """The same for several texts with few questions, in order.

        Args:
            texts: What is to be rated.
            roles: Who said each; nobody knows where left out.

        Raises:
            ValidationError: No such role, or not one for each text, or what is no text.
        """
        _check_texts(texts)
        given = [_role(each) for each in roles or [None] * len(texts)]
        if len(given) != len(texts):
            raise ValidationError.of("roles", len(given), f"needs one for each of {len(texts)}")
        if self.mode is RaterMode.OFF:
            return [(None, ImportanceSource.DEFAULT)] * len(texts)
        by_model = self._asked(texts) if self.mode is RaterMode.LLM else [None] * len(texts)
        return [
            self._heuristic(text, role) if rating is None else (rating, ImportanceSource.MODEL)
            for text, role, rating in zip(texts, given, by_model, strict=True)
        ]

    def _asked(self, texts: Sequence[str]) -> list[float | None]:
        ratings: list[float | None] = []
        failed = 0
        while len(ratings) < len(texts) and failed < FAILURES_BORNE and self._generate is not None:
            portion = texts[len(ratings) : len(ratings) + ASKED_AT_ONCE]
            try:
                ratings += ask(self._generate, portion, self.purpose, self.counts)
                failed = 0
            except GeneratorError:
                ratings += [None] * len(portion)
                failed += 1
        ratings += [None] * (len(texts) - len(ratings))
        self.counts.fallbacks += ratings.count(None)
        return ratings

    def _heuristic(self, text: str, role: Role | None) -> Rated:
        bare = said(text)
        terms = frozenset(self._tokeniser.terms(bare))
        counts = self._counting(sorted(terms))
        importance = importance_of(bare, terms, counts, role=role)
        return importance, ImportanceSource.HEURISTIC


def ask(
    generate: Generate, texts: Sequence[str], purpose: str | None, counts: RatingCounts
) -> list[float | None]:
    """What a model says of each text, None where it names no rating.

    One question for all of them; those whose line cannot be read are asked about once more, each
    alone.

    Raises:
        GeneratorError: The model gave no answer to the first question.
        StoppedError: The process ends.
    """
    if not texts:
        return []
    ratings = read_ratings(_answer(generate, question_of_many(texts, purpose), counts), len(texts))
    for at, text in enumerate(texts):
        if ratings[at] is None and len(texts) > 1:
            try:
                alone = _answer(generate, question_of_many([text], purpose), counts)
            except GeneratorError:
                break
            ratings[at] = read_ratings(alone, 1)[0]
    counts.unreadable += ratings.count(None)
    return ratings


def _answer(generate: Generate, prompt: str, counts: RatingCounts) -> str:
    counts.asked += 1
    try:
        answer: object = generate(prompt)
    except StoppedError:
        raise
    except GeneratorError:
        counts.failed += 1
        raise
    except Exception as error:
        # The host's own callable: whatever ails it, the memory is kept and rated by the heuristic.
        counts.failed += 1
        raise GeneratorError(f"the model failed with {type(error).__name__}") from error
    if not isinstance(answer, str):
        counts.failed += 1
        raise GeneratorError(f"the model answered {type(answer).__name__}, not a text")
    return answer


def _model_at(
    endpoint: str | ChatEndpoint | None, model: str | None, api_key: str | None
) -> Generate | None:
    if endpoint is None:
        return None
    if isinstance(endpoint, ChatEndpoint):
        return ChatModel(endpoint)
    return ChatModel(
        ChatEndpoint(model=model or "", url=endpoint, api_key=api_key, max_tokens=RATING_TOKENS)
    )


def _check_texts(texts: Sequence[str]) -> None:
    # Handed over by hosts that no type checker read.
    given: object = texts
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise ValidationError.of("texts", "…", "needs a list of texts")
    wrong = [at for at, each in enumerate(given) if not isinstance(each, str)]
    raise_all(fault(f"texts[{at}]", given[at], "needs text") for at in wrong)


def _mode(mode: RaterMode | str) -> RaterMode:
    try:
        return RaterMode(mode)
    except ValueError:
        raise ValidationError.of("mode", str(mode), "needs off, heuristic or llm") from None


def _role(role: Role | str | None) -> Role | None:
    if role is None:
        return None
    try:
        return Role(role)
    except ValueError:
        roles = ", ".join(each.value for each in Role)
        raise ValidationError.of("role", str(role), f"needs one of {roles}") from None
