"""Searching the archive: what was put away for good reasons, for who asks for it by name.

Decides that the archive is searched by relevance alone, with nothing bent by time, and that looking
there is not using. Refuses to bring anything back: `restore` does.
"""

from dataclasses import replace

from lapse.engine.core import Core
from lapse.engine.judging import Asked
from lapse.engine.recalling import Marks, judged_over, query_vector, read_question, told
from lapse.engine.runtime import BankRuntime
from lapse.index.shelf import shelf_snapshot
from lapse.model.policy import Mode
from lapse.model.query import Recall


def search(core: Core, runtime: BankRuntime, asked: Asked) -> Recall:
    """What the archive holds on a question, most relevant first. Nothing is noted of it.

    Reads the whole bank from the store: for a person's search, not for an agent's every turn.
    """
    watch = core.parts.stopwatch
    started = watch()
    now = core.now()
    runtime.refresh()
    rule = runtime.rule_for({**asked.overrides, "forgetting.mode": Mode.OFF})
    policy = rule.policy
    recall = replace(policy.recall, latest_per_key=False, max_age_hours=None)
    rule = replace(rule, resolved=replace(rule.resolved, policy=replace(policy, recall=recall)))
    snapshot = shelf_snapshot(runtime.ref, core.parts.store.changes(runtime.ref, 0))
    refreshed = watch()
    question, warnings = read_question(core, runtime, rule, asked, now)
    vector, trouble = query_vector(core, runtime, question.text)
    question = replace(question, vector=vector)
    marks = Marks(started=started, refreshed=refreshed, read=watch())
    judged, loaded = judged_over(core, runtime, snapshot, rule, asked, question)
    found = told(core, rule, now, judged, loaded, marks)
    return replace(found, warnings=(*trouble, *warnings))
