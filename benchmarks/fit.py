"""How well the default law foresees need once it was fitted: past fitted, future judged.

A log of file touches as in `benchmarks.need`. Fitted on the first 70 %, judged on the last 30 %, by
`lapse.lab`; beside it what a logistic regression made for this log can do.

    python -m benchmarks.fit --data flask.csv [--json]
"""

from dataclasses import asdict
from pathlib import Path

from benchmarks.access_log import Access, Touch, read_log
from benchmarks.common import (
    Json,
    add_data,
    arguments,
    envelope,
    print_json,
    print_machine,
    print_table,
)
from lapse.lab.fitting import Fit, Window, fit_activation
from lapse.lab.log import Entry, Happening
from lapse.model.policy import LawPolicy


def main() -> None:
    """Measure and print."""
    parser = arguments(__doc__ or "")
    add_data(parser, help="lines of path id, unix seconds, kind (1 add, 2 and 3 change, 4 delete)")
    options = parser.parse_args()
    found = fit_activation(entries_of(read_log(options.data)), LawPolicy(), Window())
    if not found.verdicts:
        parser.error("; ".join(found.missing))
    outcome = envelope("fit", results(found))
    if options.as_json:
        print_json(outcome)
        return
    print_machine(outcome)
    rows = [
        (name, each.log_loss, each.ece, each.rmse_bins, each.auc, each.hit20)
        for name, each in found.verdicts.items()
    ]
    columns = ["predictor", "log loss", "ece", "rmse(bins)", "auc", "hit20"]
    print_table(f"{options.data.name}, last 30 %; proposed {dict(found.diff)}", columns, rows)


def results(found: Fit) -> dict[str, Json]:
    """Verdicts by predictor, the proposal, and how far below the base rate the log loss is."""
    verdicts = {name: asdict(each) for name, each in found.verdicts.items()}
    ours, base = found.verdicts["fitted"].log_loss, found.verdicts["base rate"].log_loss
    share = None if not ours or not base else round(ours / base, 4)
    return {
        "verdicts": verdicts,
        "diff": dict(found.diff),
        "log_loss_share_of_base_rate": share,
        "reliability": [asdict(each) for each in found.reliability],
    }


def fitted_results(path: Path) -> dict[str, Json]:
    """The figures that a fit is wanted for, flat; why there is none where the log is too short."""
    found = fit_activation(entries_of(read_log(path)), LawPolicy(), Window())
    if not found.verdicts:
        return {"missing": "; ".join(found.missing)}
    fitted, regression = found.verdicts["fitted"], found.verdicts["regression"]
    base = found.verdicts["base rate"].log_loss
    return {
        "log_loss": fitted.log_loss,
        "base_rate_log_loss": base,
        "log_loss_share_of_base_rate": results(found)["log_loss_share_of_base_rate"],
        "ece": fitted.ece,
        "hit20": fitted.hit20,
        "regression_hit20": regression.hit20,
        "auc": fitted.auc,
        **dict(found.diff),
    }


def entries_of(log: list[Access]) -> list[Entry]:
    """File touches as an access log: the first creates, a deletion ends, all others are uses."""
    living: set[int] = set()
    entries = []
    for each in log:
        event = Happening.USED if each.item in living else Happening.CREATED
        if each.touch is Touch.DELETED:
            event = Happening.DELETED
            living.discard(each.item)
        else:
            living.add(each.item)
        entries.append(Entry(at=each.at, memory=str(each.item), event=event))
    return entries


if __name__ == "__main__":
    main()
