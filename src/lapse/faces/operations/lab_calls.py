"""Calls of the lab, and of the policies that it proposes.

Decides how a request becomes a call, and which log is judged by: the one that was given, else the
bank's own. Refuses every rule.
"""

import base64
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from lapse.bank import Bank
from lapse.errors import ValidationError
from lapse.faces.operations.lab_requests import (
    ApplyPolicyRequest,
    LabCompareRequest,
    LabFitRequest,
    LabImportRequest,
    LabReportRequest,
    LabSimulateRequest,
    RevertPolicyRequest,
)
from lapse.faces.operations.lab_results import Compared, Fitted, LogRead, Reported
from lapse.faces.operations.operation import Progress
from lapse.faces.operations.results import PolicyInForce
from lapse.lab.comparing import SHARES, Curve
from lapse.lab.corpus import corpus_of
from lapse.lab.fitting import Window, fit_and_propose
from lapse.lab.living import live_under
from lapse.lab.log import Entry, entries_of
from lapse.lab.policies import deployed, own_settings, read_policies
from lapse.lab.reporting import compared_on_log, figures_of
from lapse.lab.rollout import Rollout, roll_out
from lapse.lab.wording import worded_on_log
from lapse.model.memory import JsonValue
from lapse.model.policy_layers import Resolved

NO_MATPLOTLIB = "needs matplotlib; run: pip install 'lapse[lab]'"


def lab_import(request: LabImportRequest) -> LogRead:
    """Read a log."""
    entries = entries_of(request.log)
    counted = Counter(each.event.value for each in entries)
    return LogRead(
        entries=tuple(entries),
        memories=len({each.memory for each in entries}),
        first=entries[0].at if entries else None,
        last=entries[-1].at if entries else None,
        events=dict(sorted(counted.items())),
    )


def lab_fit(bank: Bank, request: LabFitRequest, progress: Progress) -> Fitted:
    """Fit the default law to a log, and propose what fits better."""
    entries = _log(bank, request.log)
    window = Window(
        horizon_days=request.horizon_days,
        warm_up_days=request.warm_up_days,
        learned_share=request.learned_share,
    )
    fit, proposal = fit_and_propose(bank, entries, window, progress)
    return Fitted(entries=len(entries), fit=fit, proposal=proposal)


def lab_compare(bank: Bank, request: LabCompareRequest, progress: Progress) -> Compared:
    """Compare policies over a log, or over a corpus.

    Raises:
        ValidationError: Both are given, or the log that is given is too short.
    """
    policies = _policies(bank, request.policies)
    if request.corpus:
        if request.log:
            raise ValidationError.of("corpus", "…", "give either a log or a corpus")
        corpus = corpus_of((f"corpus[{at}]", each) for at, each in enumerate(request.corpus))
        lived = live_under(bank.engine.parts, corpus, policies, progress=progress)
        return Compared(shares=SHARES, curves={}, words={}, lived=lived, missing=())
    in_force = bank.policy().policy
    window = Window(
        horizon_days=request.horizon_days,
        warm_up_days=request.warm_up_days,
        slice_share=in_force.retention.slice_share,
    )
    curves: dict[str, Curve] = {}
    missing: tuple[str, ...] = ()
    entries = _log(bank, request.log)
    try:
        kept = window.kept(in_force.law)
        curves = compared_on_log(entries, policies, window, kept, deployed(bank))
    except ValidationError as error:
        if request.log:
            raise
        missing = tuple(each.problem for each in error.faults)
    words = worded_on_log(bank, entries, policies)
    return Compared(shares=SHARES, curves=curves, words=words, lived={}, missing=missing)


def lab_simulate(bank: Bank, request: LabSimulateRequest, progress: Progress) -> Rollout:
    """Roll a bank forward on a copy."""
    settings = None
    if request.policy is not None:
        settings = _policies(bank, [request.policy])[request.policy]
    return roll_out(
        bank,
        days=request.days,
        settings=settings,
        questions=request.questions,
        progress=progress,
    )


def lab_report(bank: Bank, request: LabReportRequest, progress: Progress) -> Reported:
    """Make a report.

    Raises:
        ValidationError: Pictures cannot be drawn, because Matplotlib is not installed.
    """
    try:
        from lapse.faces.lab.pictures import pictures_of  # noqa: PLC0415 - Matplotlib is an extra, and slow
    except ModuleNotFoundError:
        raise ValidationError.of("report", "…", NO_MATPLOTLIB) from None
    from lapse.faces.lab.page import page_of  # noqa: PLC0415 - beside it

    figures = figures_of(
        bank,
        _log(bank, request.log),
        _policies(bank, request.policies),
        window=Window(horizon_days=request.horizon_days, warm_up_days=request.warm_up_days),
        days=request.days,
        progress=progress,
    )
    pictures = pictures_of(figures)
    return Reported(
        figures=figures,
        html=page_of(figures, pictures),
        pictures={name: base64.b64encode(each).decode("ascii") for name, each in pictures.items()},
    )


def lab_calls(in_force: Callable[[Resolved], PolicyInForce]) -> Mapping[str, Callable[..., object]]:
    """The function of each of these operations, by its name in the table.

    Args:
        in_force: How a policy is shown.
    """

    def apply_policy(bank: Bank, request: ApplyPolicyRequest) -> PolicyInForce:
        """Take a proposed policy."""
        return in_force(bank.apply_policy(request.proposal, by=request.by))

    def revert_policy(bank: Bank, request: RevertPolicyRequest) -> PolicyInForce:
        """Take the last change of the policy back."""
        return in_force(bank.revert_policy(by=request.by))

    return MappingProxyType(
        {
            "lab_import": lab_import,
            "lab_fit": lab_fit,
            "lab_compare": lab_compare,
            "lab_simulate": lab_simulate,
            "lab_report": lab_report,
            "apply_policy": apply_policy,
            "revert_policy": revert_policy,
        }
    )


def _log(bank: Bank, given: Sequence[Mapping[str, object]]) -> Sequence[Entry]:
    return entries_of(given) if given else bank.access_log()


def _policies(bank: Bank, names: Sequence[str]) -> dict[str, dict[str, JsonValue]]:
    return read_policies(names, own_settings(bank))
