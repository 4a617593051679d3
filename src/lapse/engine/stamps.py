"""What of a policy strengths and dates of fading hang on.

Decides which settings make it necessary to compute them anew. Refuses to compute them.
"""

import json

from lapse.model.policy import Policy, to_mapping


def stamp_of(policy: Policy) -> str:
    """Canonical text of every setting that strengths and dates of fading depend on.

    Its first line is the law with its parameters, and what a rejection leaves.
    """
    settings = to_mapping(policy)
    law = {"law": settings["law"], "rejected_factor": policy.reinforcement.rejected_factor}
    dating = {
        "protect_importance": policy.retention.protect_importance,
        "protect_pinned": policy.retention.protect_pinned,
        "protect_verified": policy.retention.protect_verified,
        "default_importance": policy.scoring.default_importance,
        "score": policy.retention.score.value,
        "level": policy.retention.level,
    }
    return f"{json.dumps(law, sort_keys=True)}\n{json.dumps(dating, sort_keys=True)}"
