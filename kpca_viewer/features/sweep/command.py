"""``kpca-viewer sweep``: many values of a parameter, a table and pictures of them."""

import argparse
from pathlib import Path
from typing import Any

from kpca_viewer.console.options import (
    add_cluster_options,
    add_data_options,
    whole_number,
)
from kpca_viewer.console.output import add_output_options
from kpca_viewer.console.terminal import Watch, guarded
from kpca_viewer.core.kernels.families import kernel_parameters
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.parameters import COMPONENTS

EXAMPLES = """\
examples:
  kpca-viewer sweep wine --gamma 0.01:100:50:log --out results/
      table, strip and pictures of 50 values of γ
  kpca-viewer sweep circles --kernel rbf,laplacian --out rings/
      two kernels, each over two decades around what suits the data
  kpca-viewer sweep moons --kernel poly --degree 1:8 --coef0 0:2:5:linear --out grid/
      two ranges make a grid
  kpca-viewer sweep moons --sweep noise=0:0.4:20:linear --gamma 5 --out noise/
  kpca-viewer sweep big.parquet --scheduler tcp://head:8786 --out results/
      the same on a cluster of Dask that runs already

A range is LOW:HIGH, LOW:HIGH:STEPS or LOW:HIGH:STEPS:log (or linear).
A run that was interrupted goes on where it stopped when it is started again; another
sweep in the same folder is replaced only with --force.
The exit code is 0, 2 with one line on stderr (all values failed too), or 130 if it was
interrupted."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "sweep",
        help="many values of a parameter: a table, a strip and pictures",
        description="Compute kernel PCA for many values of one or two parameters.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_data_options(parser, positional=True)
    add = parser.add_argument_group("kernel").add_argument
    add("--kernel", metavar="NAMES", help="one or several: rbf,laplacian,… (rbf)")
    for name in (*kernel_parameters(), COMPONENTS.name):
        add(
            f"--{name.replace('_', '-')}",
            metavar="RANGE",
            help="a number, or a range such as 0.01:100:50:log",
        )
    add(
        "--sweep",
        action="append",
        metavar="NAME=RANGE",
        help="a range of anything, noise and samples of a generator too",
    )
    add("--no-center", action="store_true", default=None, help="leave K uncentred")
    add("--solver", metavar="NAME", help="auto, dense, arpack, krylov, lowrank, …")
    group = parser.add_argument_group("output")
    add = group.add_argument
    measures = MEASURES.values()
    known = ", ".join(row.aliases[-1] if row.aliases else row.key for row in measures)
    add("--measure", metavar="NAME", help=f"of the curve: {known}")
    add(
        "--out",
        metavar="FOLDER",
        type=Path,
        required=True,
        help="made if missing; - writes the table alone to standard output",
    )
    add(
        "--workers",
        type=whole_number,
        default=1,
        metavar="N",
        help="processes (1, on all cores)",
    )
    add("--no-pictures", action="store_true", help="the table only")
    add("--theme", choices=("light", "dark"), default="light", help="of the pictures")
    add_output_options(group)
    add_cluster_options(parser, "cluster")
    parser.set_defaults(run=run, piped=False)
    return parser


def run(options: argparse.Namespace) -> int:
    return guarded("sweep", lambda watch: _run(options, watch))


def _run(options: argparse.Namespace, watch: Watch) -> None:
    # Imported on use: help and completion need none of it.
    from kpca_viewer.features.sweep.command_run import run_command

    run_command(options, watch)
