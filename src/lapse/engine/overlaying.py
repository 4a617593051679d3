"""Lapse beside another store: ranking what that store found.

Decides which vectors the candidates are compared by: their own where the caller gives the query's
vector too, else vectors of the configured embedder. Refuses to store anything: candidates wait in
RAM until one of them is used (`registering`).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lapse.embed.idf import document_frequencies, idf_from
from lapse.embed.pooling import unit_rows
from lapse.engine.core import Core
from lapse.engine.embedding import dimension_of, rows_of, state_of, tokens_of
from lapse.engine.judging import Asked
from lapse.engine.readings import Reader
from lapse.engine.recalling import (
    TEXT_ONLY,
    Loaded,
    Marks,
    noted,
    read_question,
    told,
)
from lapse.engine.registering import OBSERVE, draft_of
from lapse.engine.runtime import BankRuntime, Rule
from lapse.erasure.checking import erased_among
from lapse.errors import EmbedderError, fault, raise_all
from lapse.intake.composing import Setting, memory_of
from lapse.model.instants import Instant
from lapse.model.memory import Memory
from lapse.model.policy import Mode
from lapse.model.query import Candidate, Recall
from lapse.ports import Embedder
from lapse.recall import overlay
from lapse.recall.question import Answer, Instruments, Question

WATCHING = (
    "this bank was first made by rank(), so it only observes: the order is the other store's; "
    "set_policy({'forgetting.mode': 'rank'}) lets strength bend it"
)
"""Told with every answer of an overlay that nobody has switched on yet."""


def rank(core: Core, runtime: BankRuntime, asked: Asked, candidates: Sequence[Candidate]) -> Recall:
    """Order another store's candidates by relevance and strength, at one instant.

    Raises:
        ValidationError: Texts that could not be stored here once they are used, by position.
    """
    watch = core.parts.stopwatch
    started = watch()
    now = core.now()
    snapshot = runtime.refresh()
    rule = _rule(runtime, asked)
    refreshed = watch()
    question, warnings = read_question(core, runtime, rule, asked, now)
    reader = Reader(tokeniser=runtime.tokeniser, max_text_bytes=rule.policy.memory.max_text_bytes)
    readings = runtime.readings.of(reader, [each.text for each in candidates])
    candidates = [
        each if one.text == each.text else replace(each, text=one.text)
        for each, one in zip(candidates, readings, strict=True)
    ]
    if asked.vector is None:
        vectors, trouble = _vectors(core, runtime, question, candidates)
        question = replace(question, vector=None if vectors is None else vectors[0])
        vectors = None if vectors is None else vectors[1:]
        warnings = (*warnings, *trouble)
    else:
        question = replace(question, vector=asked.vector)
        vectors = _own_vectors(candidates, len(asked.vector))
    offer = overlay.Offer(
        candidates=candidates,
        terms=[each.terms for each in readings],
        vectors=vectors,
        fingerprints=[each.fingerprint for each in readings],
        words=[each.words for each in readings],
        erased=erased_among(runtime.watch_again(), candidates),
    )
    marks = Marks(started=started, refreshed=refreshed, read=watch())
    instruments = _instruments(core, runtime, asked, candidates)
    judged = overlay.rank(offer, snapshot, question, rule.policy, rule.law, instruments)
    loaded = Loaded(memories=_memories(runtime, now, judged, offer))
    recall = told(core, rule, now, judged, loaded, marks)
    if rule.mode is Mode.OBSERVE and (runtime.bank is None or runtime.bank.overlay):
        warnings = (*warnings, WATCHING)
    if rule.mode is not Mode.OFF:
        runtime.offer(candidates)
    return noted(runtime, rule, replace(recall, warnings=warnings), asked)


def _rule(runtime: BankRuntime, asked: Asked) -> Rule:
    # A bank that does not exist yet watches, as it will once it is made.
    watches = runtime.bank is None and runtime.rule.mode.allows(Mode.OBSERVE)
    beneath = runtime.rule_once_made(OBSERVE) if watches else None
    return runtime.rule_for(asked.overrides, beneath)


def _vectors(
    core: Core, runtime: BankRuntime, question: Question, candidates: Sequence[Candidate]
) -> tuple[NDArray[np.float32] | None, tuple[str, ...]]:
    """The question and the candidates in one space: the bank's, or one of the candidates alone.

    Returns:
        Their vectors, the question's first, or None without any; and what to warn of.
    """
    embedder, bank = core.parts.embedder, runtime.bank
    texts = [question.text, *(each.text for each in candidates)]
    if embedder is None:
        return None, ()
    try:
        if state_of(bank, embedder).usable and bank is not None and bank.space is not None:
            idf = runtime.idf(bank.space, embedder)
            return rows_of(embedder, texts, idf, bank.space.dimension), ()
        idf = _idf_of(embedder, texts[1:])
        return rows_of(embedder, texts, idf, dimension_of(embedder)), ()
    except EmbedderError as error:
        return None, (TEXT_ONLY.format(error),)


def _idf_of(embedder: Embedder, texts: Sequence[str]) -> NDArray[np.float32] | None:
    if embedder.vocabulary == 0:
        return None
    frequencies = document_frequencies(tokens_of(embedder, texts), embedder.vocabulary)
    return idf_from(frequencies, len(texts))


def _own_vectors(candidates: Sequence[Candidate], dimension: int) -> NDArray[np.float32]:
    """The other store's vectors; zeros for a candidate without one.

    Raises:
        ValidationError: A vector of another length than the query's, or with a number that is not
            finite.
    """
    vectors = [each.vector for each in candidates]
    places = [at for at, each in enumerate(vectors) if each is not None]
    given = [each for each in vectors if each is not None]
    if not given:
        return np.zeros((len(candidates), dimension), dtype=np.float32)
    if set(map(len, given)) != {dimension}:
        problem = f"needs {dimension} numbers, as the query's vector has"
        sizes = zip(places, map(len, given), strict=True)
        raise_all(fault(f"[{at}].vector", n, problem) for at, n in sizes if n != dimension)
    rows = np.array(given)
    if not np.isfinite(rows).all():
        wrong = np.flatnonzero(~np.isfinite(rows).all(axis=1)).tolist()
        raise_all(fault(f"[{places[at]}].vector", "…", "needs finite numbers") for at in wrong)
    # Another store's numbers may be beyond what float32 holds; their directions are not.
    exact = rows if rows.dtype == np.float32 else unit_rows(rows)
    if len(places) == len(candidates):
        return exact
    spread = np.zeros((len(candidates), dimension), dtype=np.float32)
    spread[places] = exact
    return spread


def _instruments(
    core: Core, runtime: BankRuntime, asked: Asked, candidates: Sequence[Candidate]
) -> Instruments:
    count_tokens, rerank = core.parts.count_tokens, core.parts.rerank
    same = runtime.readings.same

    def counted(places: Sequence[int]) -> Sequence[int]:
        if count_tokens is None:
            return []
        return [count_tokens(candidates[each].text) for each in places]

    def reranked(places: Sequence[int]) -> Sequence[float]:
        if rerank is None:
            return []
        return rerank(asked.query, [candidates[each].text for each in places])

    return Instruments(
        stopwatch=core.parts.stopwatch,
        token_counts=None if count_tokens is None else counted,
        rerank=None if rerank is None else reranked,
        same=lambda at, other: same(candidates[at].text, candidates[other].text),
    )


def _memories(
    runtime: BankRuntime, now: Instant, judged: Answer, offer: overlay.Offer
) -> dict[str, Memory]:
    """What the picked candidates would be as memories of this bank."""
    rule = runtime.rule
    setting = Setting(ref=runtime.ref, now=now, policy=rule.policy, law=rule.law, dating=rule.date)
    return {
        pick.id: memory_of(
            setting,
            draft_of(offer.candidates[pick.row], now),
            offer.fingerprints[pick.row],
            pick.id,
        )
        for pick in (*judged.picks, *judged.revived)
    }
