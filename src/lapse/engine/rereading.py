"""Reading a bank's texts again, after its language or the stemmer's rules have changed.

Stored terms and the terms of a question must come from the same tokeniser, or words are silently
not found. The bank remembers which one read it.

Decides when texts are read again and carries it out, page by page; interrupted, it starts anew and
ends at the same place. Refuses to touch content, vectors or strength.
"""

from collections.abc import Sequence
from dataclasses import replace

from lapse.engine.core import Core, facets_of
from lapse.engine.embedding import Progress, no_progress
from lapse.engine.paging import pages
from lapse.engine.runtime import BankRuntime
from lapse.model.changeset import Changes
from lapse.model.record import ContentChange, Record
from lapse.model.verbs import Verb
from lapse.model.view import Reads, View


def warning_of(runtime: BankRuntime) -> str | None:
    """What a recall should say while stored terms are another tokeniser's, or None."""
    bank = runtime.bank
    if bank is None or bank.tokeniser in ("", runtime.tokeniser.id):
        return None
    return (
        f"the bank's texts were read by {bank.tokeniser}, the question by {runtime.tokeniser.id}: "
        "some words are not found until drain has run"
    )


def reread(core: Core, runtime: BankRuntime, progress: Progress = no_progress) -> int:
    """Read every text again if another tokeniser read it. Returns how many were read."""
    runtime.follow()
    if warning_of(runtime) is None:
        return 0
    wanted = runtime.tokeniser.id
    total, done = core.parts.store.count(runtime.ref), 0
    for records in pages(core, runtime):
        _reread(core, runtime, records)
        done += len(records)
        progress(done, max(total, done))
    core.commit(
        Verb.REREAD,
        runtime.ref,
        core.now(),
        Reads(),
        lambda view: Changes(bank=replace(view.bank, tokeniser=wanted)),
    )
    runtime.follow()
    return done


def _reread(core: Core, runtime: BankRuntime, records: Sequence[Record]) -> None:
    texts = [each.memory.text for each in records]
    facets = dict(zip(texts, facets_of(runtime, texts), strict=True))

    def judge(view: View) -> Changes:
        # What was updated since the page was read has been read by the new tokeniser already.
        found = [each.memory for each in view.records.values() if each.memory.text in facets]
        return Changes(
            reread=tuple(
                ContentChange(
                    memory=replace(each, fingerprint=facets[each.text].fingerprint),
                    facets=facets[each.text],
                )
                for each in found
            )
        )

    ids = tuple(each.memory.id for each in records)
    core.commit(Verb.REREAD, runtime.ref, core.now(), Reads(ids=ids), judge)
