"""Rows of the table. Measuring: what forgetting would cost, on a bank's own log.

Decides what is said of them. Refuses to do them (`lab_calls`).
"""

from lapse.errors import NotFoundError, PolicyError, ValidationError
from lapse.faces.operations.lab_requests import (
    ApplyPolicyRequest,
    LabCompareRequest,
    LabFitRequest,
    LabImportRequest,
    LabReportRequest,
    LabSimulateRequest,
    RevertPolicyRequest,
)
from lapse.faces.operations.operation import Effect, Example, Operation, Permission, Subject

EXAMPLE_PROPOSAL = "0123456789abcdef"
"""Stands in examples for the id of a proposal."""

MEASURING: tuple[Operation, ...] = (
    Operation(
        name="lab_import",
        summary="Read an access log from elsewhere, and say what is in it.",
        details=(
            "JSON Lines, or CSV with a header: at, memory, event. Given back in order of time, as "
            "fit, compare and report take it; every wrong line is named. Nothing is stored."
        ),
        request=LabImportRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        subject=Subject.NOTHING,
        errors=(ValidationError,),
        examples=(
            Example(
                says="Two lines",
                given={
                    "log": [
                        {"at": "2026-01-02T00:00Z", "memory": "a", "event": "used"},
                        {"at": "2026-01-01T00:00Z", "memory": "a", "event": "created"},
                    ]
                },
            ),
        ),
    ),
    Operation(
        name="lab_fit",
        summary="Fit the default law to an access log, and judge it on the later part.",
        details=(
            "Beside the base rate, last use, count, an adaptive cache, chance, a regression and "
            "the clairvoyant optimum. Where the log is too short it says what is missing and "
            "proposes nothing. What fits better is proposed, and changes nothing until "
            "apply_policy takes it."
        ),
        request=LabFitRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(ValidationError,),
        examples=(
            Example(says="To the bank's own log", given={}),
            Example(says="With shorter questions", given={"horizon_days": 7, "warm_up_days": 30}),
        ),
        reports_progress=True,
    ),
    Operation(
        name="lab_compare",
        summary="Compare policies over a log, or over conversations with questions.",
        details=(
            "Over a log: of the uses in the days after each of many instants, the share that falls "
            "on what each policy ranks first, beside the baselines. Over a corpus each policy "
            "lives every conversation: evidence found, stale answers, words, what was needed after "
            "it was forgotten. Differences have paired 95 % intervals."
        ),
        request=LabCompareRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(PolicyError, ValidationError),
        examples=(
            Example(
                says="The policy in force and a preset",
                given={"policies": ["current", "support"]},
            ),
        ),
        reports_progress=True,
    ),
    Operation(
        name="lab_simulate",
        summary="Roll a bank forward on a copy: what would go, when and why.",
        details=(
            "With the policy's own sweeps, guards, budget and canaries, told and used nothing "
            "meanwhile, which is the darkest forecast. Questions are asked in each mode, now and "
            "at the end. The bank is not touched."
        ),
        request=LabSimulateRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(NotFoundError, PolicyError, ValidationError),
        examples=(
            Example(says="Three months", given={}),
            Example(
                says="A year of a preset, asking something",
                given={"days": 365, "policy": "support", "questions": ["tea or coffee"]},
            ),
        ),
        reports_progress=True,
    ),
    Operation(
        name="lab_report",
        summary="A page on a bank's forgetting, with pictures.",
        details=(
            "Curves of real memories, how well need is foreseen, what policies would keep, the "
            "active set to come, what would go and why, and how much hangs on the level. Ids, no "
            "texts. Needs the extra `lab`."
        ),
        request=LabReportRequest,
        effect=Effect.READ,
        permission=Permission.READ,
        errors=(NotFoundError, PolicyError, ValidationError),
        examples=(Example(says="A month ahead", given={"days": 30}),),
        reports_progress=True,
    ),
    Operation(
        name="apply_policy",
        summary="Put a proposed policy in force.",
        details="Its settings are laid over the bank's own; the journal names the proposal.",
        request=ApplyPolicyRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, PolicyError, ValidationError),
        examples=(Example(says="What a fit proposed", given={"proposal": EXAMPLE_PROPOSAL}),),
    ),
    Operation(
        name="revert_policy",
        summary="Take the last change of a bank's policy back.",
        details="Journalled. Taken back twice, the change stands again.",
        request=RevertPolicyRequest,
        effect=Effect.WRITE,
        permission=Permission.OPERATE,
        errors=(NotFoundError, PolicyError),
        examples=(Example(says="As it was before", given={"by": "operator"}),),
    ),
)
