"""What became of every setting of the ACT-R sweep and of the retrieval workbench.

Decides the mapping, as data. Refuses to change any number: the presets own them.
"""

from seed_mappings.rows import Row, Source

ACTR = Source(
    title="The ACT-R sweep",
    preset="actr_sweep",
    intro=(
        "The source compares an activation of −3.0 with ages in **seconds**, where one use falls "
        "below it after e⁶ = 403 seconds. With ages in **days** it is 403 days, which is what the "
        "text around it describes. Lapse always counts in seconds; the same curve then lies lower "
        "by d·ln 86400, so −3.0 in days is −8.683 here at d 0.5. A level of −3.0 may still be "
        "given to a plan, and means 403 seconds. A memory whose evidence lowers d stays above "
        "−8.683 for very much longer."
    ),
    rows=(
        Row(
            name="decay, base_decay",
            given="0.5",
            paths=("law.decay",),
            kept=0.5,
            note="0.6–0.8 for support and 0.3–0.4 for research and legal: presets of these names.",
        ),
        Row(
            name="FORGET_THRESHOLD",
            given="-3.0",
            paths=("retention.level", "retention.score"),
            note="As explained above.",
        ),
        Row(
            name="least age, max(now - t, 1.0)", given="1.0 s", paths=("law.age_floor_s",), kept=1.0
        ),
        Row(
            name="importance * 0.6",
            given="0.6",
            paths=("law.importance_decay_share", "law.importance_effect"),
            kept=0.6,
            note=(
                "Counted from `law.importance_decay_neutral`, so that a memory with nothing known "
                "about it decays at exactly d; confidence beyond its scale is clamped."
            ),
        ),
        Row(name="confidence", given="5.0 of 10", paths=("memory.confidence",), kept=0.5),
        Row(name="corroboration_count", given="1", note="Of a memory: `proof_count`."),
        Row(name="entities", given="none", note="Of a memory: `entities`."),
        Row(
            name="every access counts",
            given="access_times",
            paths=("law.cooldown_hours",),
            kept=0.0,
        ),
        Row(
            name="bottom 10% to 20%",
            paths=("retention.budget_score",),
            note="Of a plan: `percentile`; `lapse plan --suggest` shows the levels.",
        ),
        Row(
            name="sweep schedule, weekly",
            given="weekly",
            paths=("retention.sweep_interval_days",),
            kept=7.0,
        ),
        Row(
            name="nightly, at hundreds of memories a day",
            given="nightly",
            paths=("retention.busy_sweep_interval_days", "retention.busy_writes_per_day"),
            kept=1.0,
        ),
        Row(
            name="off-peak hours", paths=("retention.sweep_from_hour", "retention.sweep_until_hour")
        ),
        Row(
            name="archive or permanently delete",
            given="archive",
            paths=("retention.prune",),
            kept=False,
            note="Of a call: `forget(mode=…)` with `archive` or `erase`.",
        ),
    ),
)

WORKBENCH = Source(
    title="The retrieval workbench",
    preset="workbench",
    intro=(
        "Values are those of its first experiment. Its records age from creation, so the preset's "
        "law does too."
    ),
    rows=(
        Row(name="Question", note="Of a call: `query`."),
        Row(name="Active tenant", note="Of the bank; never crossed."),
        Row(name="Memory store", note="Of a call: `kinds`; all of them when absent."),
        Row(
            name="Include previous sessions",
            given="enabled",
            paths=("recall.include_other_sessions",),
            kept=True,
        ),
        Row(
            name="Maximum age",
            given="168 hours, inclusive",
            paths=("recall.max_age_hours",),
            kept=168.0,
        ),
        Row(
            name="Keep latest fact per key",
            given="enabled",
            paths=("recall.latest_per_key",),
            kept=True,
            note="The experiment switches it off and on.",
        ),
        Row(
            name="Recency weight",
            given="0",
            paths=("scoring.blend_recency_weight", "scoring.scorer"),
            kept=0.0,
            note="0.3 in Lapse where the scorer is chosen without this preset.",
        ),
        Row(
            name="half-life in 2^(−age/24h)",
            given="24 hours",
            paths=("scoring.blend_half_life_hours", "law.half_life_hours"),
            kept=24.0,
        ),
        Row(name="Context word budget", given="80", paths=("recall.budget_words",), kept=80),
        Row(name="Maximum retrieved records", given="10", paths=("recall.k",), kept=10),
        Row(
            name="lexical TF-IDF cosine",
            paths=("recall.relevance",),
            note="Records without a shared term are excluded, as there.",
        ),
    ),
)
