"""What became of every setting of MemoRizz and of the forgetting RFC for Hindsight.

Decides the mapping, as data. Refuses to change any number: the presets own them.
"""

from seed_mappings.rows import Row, Source

MEMORIZZ = Source(
    title="Generative Agents, as MemoRizz runs it",
    preset="generative_agents",
    intro=(
        "Global settings are the deployment's layers here, the per-agent overrides (`scoring` and "
        "`retention` of a retrieval policy) a bank's layer; a blank field inherits, as there."
    ),
    rows=(
        Row(
            name="MEMORIZZ_RECENCY_DECAY_PER_HOUR",
            given="0.995",
            paths=("law.decay_per_hour",),
            kept=0.995,
            note="The weighted scorer uses it whatever the law is.",
        ),
        Row(
            name="MEMORIZZ_RECENCY_ANCHOR (recency_anchor)",
            given="last_accessed, else creation",
            paths=("law.anchor",),
            kept="last_use",
            note="`last_accessed` is `last_use`; `created` keeps its name.",
        ),
        Row(
            name="MEMORIZZ_ALPHA_RECENCY (a_recency)",
            given="1",
            paths=("scoring.weight_recency",),
            kept=1.0,
        ),
        Row(
            name="MEMORIZZ_ALPHA_IMPORTANCE (a_importance, alpha_importance)",
            given="1",
            paths=("scoring.weight_importance",),
            kept=1.0,
        ),
        Row(
            name="MEMORIZZ_ALPHA_RELEVANCE (a_relevance)",
            given="1",
            paths=("scoring.weight_relevance",),
            kept=1.0,
        ),
        Row(
            name="MEMORIZZ_DEFAULT_IMPORTANCE",
            given="0.5",
            paths=("scoring.default_importance",),
            kept=0.5,
        ),
        Row(
            name="MEMORIZZ_SCORE_NORMALIZE",
            given="min-max over the candidates",
            paths=("scoring.normalise",),
            kept="min_max",
        ),
        Row(
            name="maximal marginal relevance",
            given="after scoring",
            paths=("recall.diversity", "recall.diversity_lambda"),
            kept="mmr",
        ),
        Row(
            name="touch_many",
            given="every selected memory",
            paths=("reinforcement.weight_returned",),
            kept=1.0,
            note="Being selected counts as use in this preset; elsewhere it weighs 0.",
        ),
        Row(
            name="MEMORIZZ_IMPORTANCE_RATER (mode)",
            paths=("importance.rater",),
            note="The modes `off`, `heuristic` and `llm` keep their names.",
        ),
        Row(name="MEMORIZZ_IMPORTANCE_MODEL", paths=("importance.model",)),
        Row(name="ImportanceConfig.purpose", paths=("importance.purpose",)),
        Row(name="MEMORIZZ_REFLECTION_ENABLED", paths=("reflection.enabled",)),
        Row(
            name="MEMORIZZ_REFLECTION_THRESHOLD",
            given="15.0",
            paths=("reflection.threshold",),
            kept=15.0,
        ),
        Row(
            name="MEMORIZZ_RETENTION_ENABLED",
            paths=("forgetting.mode", "forgetting.auto_apply"),
            note=(
                "No switch of its own: a plan is a dry run that only a named person applies, and "
                "works in every mode but `off`."
            ),
        ),
        Row(
            name="MEMORIZZ_RETENTION_MIN_SCORE (min_retention)",
            paths=("retention.level", "retention.score"),
            note=(
                "0.2, not the project's own 0.15: a memory of importance 0.5 that is never used "
                "again ends at 0.5/3 = 0.167, so a lower level never proposes an unrated memory."
            ),
        ),
        Row(
            name="MEMORIZZ_RETENTION_GRACE_DAYS (grace_days)",
            paths=("retention.grace_days", "retention.grace_anchor"),
            note="30 days, counted from creation as there (`grace_anchor` is `created`).",
        ),
        Row(
            name="MEMORIZZ_RETENTION_PROTECT_VERIFIED",
            given="never touched",
            paths=("retention.protect_verified",),
            kept=True,
        ),
        Row(
            name="MEMORIZZ_RETENTION_PROTECT_PINNED",
            given="never touched",
            paths=("retention.protect_pinned",),
            kept=True,
        ),
        Row(
            name="cited as a source by another record",
            given="spared",
            paths=("retention.protect_cited",),
            kept=True,
        ),
        Row(
            name="MEMORIZZ_RETENTION_MAX_CANDIDATES",
            paths=("retention.plan_limit",),
            note="500 is the project's own default.",
        ),
        Row(
            name="MEMORIZZ_RETENTION_MEMORY_TYPES",
            given="conversation, knowledge base, entities, summaries, workflows",
            paths=("retention.kinds",),
            note=(
                "Conversation is `episodic`; knowledge base, entities and summaries are "
                "`semantic`; workflows are `procedural`. `working` is not planned."
            ),
        ),
        Row(
            name="ttl_hours",
            given="24",
            paths=("cache.ttl_hours",),
            kept=24.0,
            note="Of the semantic cache.",
        ),
        Row(name="per-domain freshness windows", paths=("cache.freshness_hours",)),
    ),
)

RFC = Source(
    title="The forgetting RFC for Hindsight",
    preset="rfc",
    intro=(
        "The RFC asks for `safe request override > bank configuration > deployment default`; that "
        "is the order of the layers here. Its preset is off, as the RFC's deployment is."
    ),
    rows=(
        Row(
            name="HINDSIGHT_API_RECENCY_DECAY_FUNCTION",
            paths=("scoring.event_recency",),
            note="Of the event, not of use: `linear` in the preset, off by default.",
        ),
        Row(
            name="HINDSIGHT_API_RECENCY_DECAY_LINEAR_WINDOW_DAYS",
            paths=("scoring.event_window_days",),
        ),
        Row(
            name="HINDSIGHT_API_RECENCY_DECAY_HALFLIFE_DAYS",
            paths=("scoring.event_half_life_days",),
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_ENABLED",
            given="false",
            paths=("forgetting.enabled",),
            kept=False,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_MODE",
            given="observe",
            paths=("forgetting.mode",),
            kept="observe",
            note="`observe`, `rank`, `filter` and `lifecycle` keep their names.",
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_BASE_STABILITY_DAYS",
            given="30",
            paths=("law.base_stability_days",),
            kept=30.0,
            note="Times a factor for the kind: `law.stability_factor_…`.",
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_MAX_STABILITY_DAYS (max_stability)",
            given="3650",
            paths=("law.max_stability_days",),
            kept=3650.0,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_SCORE_ALPHA",
            given="0.2",
            paths=("scoring.boost_alpha",),
            kept=0.2,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_SCORE_FLOOR (score_floor)",
            given="0.2",
            paths=("scoring.signal_floor",),
            kept=0.2,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_RECALL_THRESHOLD",
            given="0.0",
            paths=("forgetting.recall_threshold",),
            kept=0.0,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_REINFORCEMENT_ENABLED",
            given="true",
            paths=("reinforcement.enabled",),
            kept=True,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_REINFORCEMENT_COOLDOWN_HOURS",
            given="6",
            paths=("law.cooldown_hours",),
            kept=6.0,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_ARCHIVE_ENABLED",
            given="false",
            paths=("forgetting.auto_apply", "forgetting.mode"),
            kept=False,
            note="Archiving by itself needs mode `lifecycle` and `auto_apply`.",
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_ARCHIVE_THRESHOLD",
            given="0.05",
            paths=("law.archive_level",),
            kept=0.05,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_ARCHIVE_GRACE_DAYS",
            given="30",
            paths=("retention.grace_days",),
            kept=30.0,
        ),
        Row(
            name="HINDSIGHT_API_FORGETTING_AUTO_PRUNE_ENABLED",
            given="false",
            paths=("retention.prune", "retention.prune_after_days"),
            kept=False,
        ),
        Row(name="reinforcement_gain", paths=("law.reinforcement_gain",)),
        Row(name="minimum_quality", paths=("law.minimum_quality",)),
        Row(
            name="source_weight",
            given="five sources, strongest first",
            paths=(
                "reinforcement.weight_explicit",
                "reinforcement.weight_cited",
                "reinforcement.weight_reconfirmed",
                "reinforcement.weight_evidence",
                "reinforcement.weight_returned",
            ),
            note="In that order; the last weighs 0, which answers the RFC's first question.",
        ),
        Row(name="per-Reflect reinforcement limit", paths=("reinforcement.reflect_limit",)),
        Row(name="protection threshold of importance", paths=("retention.protect_importance",)),
        Row(name="forgetting_exempt, exemption_reason", note="Of a memory: `exempt`."),
    ),
)
