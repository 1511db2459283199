"""``kpca-viewer choose``: which kernel to take for a file, ranked, with reasons."""

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.options import (
    add_data_options,
    chosen,
    dataset_of,
    whole_number,
)
from kpca_viewer.console.output import Report, add_speech_options
from kpca_viewer.console.terminal import Watch, guarded

if TYPE_CHECKING:
    from kpca_viewer.core.methods.kernel_ranking import Choice

EXAMPLES = """\
examples:
  kpca-viewer choose wine
      guesses the label column and the scaling, and ranks all kernels
  kpca-viewer choose wine --kernel rbf,laplacian
  kpca-viewer choose moons --seed 1 --repeats 5 --json
      all numbers, for a script; the same as kpca_viewer.choose in Python
  kpca-viewer choose circles --without-classes
      by what independent columns would not have

With classes, settings are compared by held-out balanced accuracy; with a numeric
label, by held-out R²; with neither, by structure. The first row is the simplest
within one standard error of the best: linear before curved, fewer components,
smaller γ.
The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "choose",
        help="which kernel, value and number of components to take, and why",
        description="Compare kernels by held-out rows, or by structure, and rank them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data_options(parser, positional=True)
    add = parser.add_argument_group("search").add_argument
    add("--kernel", metavar="NAMES", help="some only: rbf,laplacian,… (all)")
    add("--components", type=whole_number, default=10, metavar="K", help="at most (10)")
    add("--folds", type=whole_number, default=5, metavar="N", help="of the rows (5)")
    add(
        "--repeats",
        type=whole_number,
        metavar="N",
        help="of the folds (1 … 5, by rows)",
    )
    add(
        "--without-classes",
        action="store_true",
        help="compare by structure though there are classes",
    )
    group = parser.add_argument_group("output")
    add_speech_options(group)
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> int:
    return guarded("choose", lambda watch: _choose(options, watch))


def _choose(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.engine.claims.choice import facts, reason, so_far, verdict
    from kpca_viewer.features.kernel_search.choose import choose

    report = Report(options)
    data_only = {**vars(options), "kernel": None, "no_center": None, "solver": None}
    request = chosen(argparse.Namespace(**data_only), watch)
    dataset = dataset_of(request)
    alone = options.without_classes and dataset.kind == "points"
    names = options.kernel
    first = ""

    def publish(known: "Choice") -> None:
        nonlocal first
        first = so_far(known)

    def progress(stage: str, fraction: float | None = None) -> None:
        watch(f"{stage}, {first}" if first else stage, fraction)

    found = choose(
        replace(dataset, labels=None, label_names=(), scale="") if alone else dataset,
        scaling=request.settings.data.scaling,
        column_scaling=dict(request.settings.data.column_scaling),
        kernels=None if names is None else names.replace(" ", "").split(","),
        components=options.components,
        folds=options.folds,
        repeats=options.repeats,
        seed=options.seed or 0,
        publish=publish,
        progress=progress,
    )
    watch.clear()
    known = facts(found)
    known["notes"] = [*request.remarks, *known["notes"]]
    data = request.settings.data
    if data.column_scaling:
        known["column_scaling"] = dict(data.column_scaling)
    report.note(scaling=data.scaling, **known)
    report.say(verdict(found).text)
    for place, row in enumerate(found.rows, start=1):
        report.say(f"{place:3}. {reason(row, found)}")
    for note in found.notes:
        report.say(f"  {note}")
    report.finish()
