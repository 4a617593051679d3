"""How many words an answer puts into a prompt, under laws that would have let some of it go.

A log says what recalls returned. Of that, a law would have left what lay at or above its archive
level then; what lay below would not have come. What might have come in its place no log can say, so
that this is what a law spares at most.

Decides what is counted. Refuses to keep a text: of each memory only its number of words is looked
at, in the bank that the log is about.
"""

from collections.abc import Mapping, Sequence

from lapse.bank import Bank
from lapse.engine.paging import pages
from lapse.lab.log import Entry, Happening
from lapse.lab.policies import deployed, policy_of
from lapse.lab.replaying import recalls
from lapse.laws import law_for
from lapse.model.memory import JsonValue
from lapse.model.policy import LawPolicy


def worded_on_log(
    bank: Bank, entries: Sequence[Entry], policies: Mapping[str, Mapping[str, JsonValue]]
) -> dict[str, float]:
    """Mean words of an answer under the laws of policies, by name.

    Args:
        bank: Whose memories the log is about.
        entries: The log, in order of time.
        policies: A bank's own settings, by name.

    Returns:
        Nothing where the log tells of no answer whose memories are in the bank.

    Raises:
        PolicyError: A setting that cannot be.
    """
    returned = {each.memory for each in entries if each.event is Happening.RETURNED}
    if not returned:
        return {}
    core = bank.engine
    words = {
        each.memory.id: len(each.memory.text.split())
        for records in pages(core, core.runtime(bank.ref))
        for each in records
        if each.memory.id in returned
    }
    base = deployed(bank)
    found = {
        name: words_per_answer(entries, policy_of(settings, base).law, words)
        for name, settings in policies.items()
    }
    return {name: mean for name, mean in found.items() if mean is not None}


def words_per_answer(
    entries: Sequence[Entry], policy: LawPolicy, words: Mapping[str, int]
) -> float | None:
    """Mean words of an answer under a law.

    Args:
        entries: The log, in order of time.
        policy: The law.
        words: Words of each memory that is there. What is not is counted in no answer, and an
            answer of which nothing is there is none.

    Returns:
        None where the log tells of no answer that can be counted.
    """
    law = law_for(policy)
    sums: list[int] = []
    for shown in recalls(entries, law, policy.decay):
        if not any(each in words for each in (*shown.names, *shown.unknown)):
            continue
        stays = list(shown.unknown)
        if law.archive_level is None:
            stays += shown.names
        elif shown.names:
            up = law.retrievability(shown.strengths, shown.now) >= law.archive_level
            stays += [name for name, left in zip(shown.names, up.tolist(), strict=True) if left]
        sums.append(sum(words.get(each, 0) for each in stays))
    return sum(sums) / len(sums) if sums else None
