"""``kpca-viewer sweep``: many values of a parameter, a table and pictures of them."""

import argparse
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from kpca_viewer.batch.common import (
    Chosen,
    Watch,
    add_data_options,
    chosen,
    guarded,
    say,
)
from kpca_viewer.core.errors import DataError, KernelError

if TYPE_CHECKING:
    from kpca_viewer.batch.sweep_workers import Job, Sweep
    from kpca_viewer.session.sweep_point import SweepPoint, SweepResult
    from kpca_viewer.session.sweep_settings import SweepAxis

RANGES = ("gamma", "degree", "coef0", "length_scale", "nu", "mixture", "components")
"""Options that take a number, or a range LOW:HIGH[:STEPS[:log|linear]]."""

MOST_WORKERS = 64

EXAMPLES = """\
examples:
  kpca-viewer sweep assets/data/wine.csv --gamma 0.01:100:50:log --out results/
      table, strip and pictures of 50 values of γ
  kpca-viewer sweep circles --kernel rbf,laplacian --out rings/
      two kernels, each over two decades around what suits the data
  kpca-viewer sweep moons --kernel poly --degree 1:8 --coef0 0:2:5:linear --out grid/
      two ranges make a grid
  kpca-viewer sweep moons --sweep noise=0:0.4:20:linear --gamma 5 --out noise/

A range is LOW:HIGH, LOW:HIGH:STEPS or LOW:HIGH:STEPS:log (or linear).
A run that was interrupted goes on where it stopped when it is started again.
The exit code is 0, 2 with one line on stderr, or 130 if it was interrupted."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to the program."""
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
    for name in RANGES:
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
    add = parser.add_argument_group("output").add_argument
    add("--measure", metavar="NAME", help="of the curve: accuracy, knn, silhouette, …")
    add("--out", metavar="FOLDER", type=Path, required=True, help="made if missing")
    add("--workers", type=int, default=1, metavar="N", help="processes (1)")
    add("--no-pictures", action="store_true", help="the table only")
    add("--theme", choices=("light", "dark"), default="light", help="of the pictures")
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit code."""
    return guarded("sweep", lambda watch: _sweep(options, watch))


def _sweep(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.batch.sweep_files import TABLE, Journal
    from kpca_viewer.batch.sweep_workers import in_this_process, on_processes

    if not 1 <= options.workers <= MOST_WORKERS:
        raise DataError(
            f"{options.workers} workers make no sense; choose 1 … {MOST_WORKERS}."
        )
    measure = _measure(options.measure)
    ranges = _ranges(options)
    watch("reading", None)
    base = _base(options, ranges, watch)
    sweeps = _sweeps(options, base, ranges, measure)
    journal = Journal(options.out, sweeps)
    points = journal.read()
    jobs = [job for job in _jobs(sweeps) if job not in points]
    total = len(points) + len(jobs)
    if points and jobs:
        say(f"{len(points)} of {total} values are there already.", sys.stderr)
    found: Iterator[tuple[Job, SweepPoint]]
    if options.workers > 1 and len(jobs) > 1:
        found = on_processes(sweeps, jobs, options.workers)
    else:
        found = in_this_process(sweeps, jobs)
    _show(watch, len(points), total)
    for job, point in found:
        journal.append(job, point)
        points[job] = point
        _show(watch, len(points), total)
    watch.clear()
    results = _results(sweeps, points)
    from kpca_viewer.export.sweep import save_measures

    save_measures(options.out / TABLE, results)
    if not options.no_pictures:
        watch("pictures", None)
        _pictures(options, base, sweeps, results)
        watch.clear()
    _report(options, results, measure)


def _base(
    options: argparse.Namespace, ranges: "dict[str, SweepAxis | float]", watch: Watch
) -> Chosen:
    """Read the data; the kernels come later, one after another."""
    nothing = dict.fromkeys((*RANGES, "kernel"))
    values = {**vars(options), **nothing}
    components = ranges.get("components")
    if isinstance(components, float):
        values["components"] = int(components)
    return chosen(argparse.Namespace(**values), watch)


def _sweeps(
    options: argparse.Namespace,
    base: Chosen,
    ranges: "dict[str, SweepAxis | float]",
    measure: str,
) -> "list[Sweep]":
    """Return one sweep for every kernel."""
    from kpca_viewer.batch.sweep_workers import Sweep
    from kpca_viewer.core.kernels import FAMILIES, Kernel
    from kpca_viewer.session.request import AnalysisRequest
    from kpca_viewer.session.settings import KernelSettings, as_values
    from kpca_viewer.session.sweep_parameters import KERNEL_NAMES
    from kpca_viewer.session.sweep_settings import SweepAxis, SweepSettings

    families = (options.kernel or "rbf").replace(" ", "").split(",")
    axes = [axis for axis in ranges.values() if isinstance(axis, SweepAxis)]
    if len(axes) > 2:
        raise DataError(
            f"{len(axes)} ranges were given, but a grid has two; give a single number "
            "for the others."
        )
    sweeps = []
    for family in dict.fromkeys(families):
        if family not in FAMILIES:
            raise KernelError(
                f"There is no kernel “{family}”; choose one of {', '.join(FAMILIES)}."
            )
        known = [p.name for p in FAMILIES[family].parameters]
        for name in ranges:
            if name in KERNEL_NAMES and name not in known:
                has = ", ".join(known) or "none"
                raise KernelError(
                    f"The {family} kernel has no parameter “{name}”; it has {has}."
                )
        fixed = {
            name: value
            for name, value in ranges.items()
            if isinstance(value, float) and name in KERNEL_NAMES
        }
        Kernel(family, **fixed)  # refuses a value that this kernel does not take
        settings = replace(
            base.settings, kernel=KernelSettings(family, as_values(fixed))
        )
        request = AnalysisRequest(settings, base.opened)
        first, *rest = axes or [_default_axis(request)]
        sweeps.append(
            Sweep(
                request,
                SweepSettings(
                    first.parameter,
                    first.low,
                    first.high,
                    first.steps,
                    first.scale,
                    first.kernels,
                    rest[0] if rest else None,
                    measure,
                ),
            )
        )
    return sweeps


def _default_axis(request: Any) -> "SweepAxis":
    """Return two decades around what suits the data."""
    from kpca_viewer.session.cache import StageCache
    from kpca_viewer.session.stages import find_dataset, suggested_for
    from kpca_viewer.session.sweep_parameters import sweepable
    from kpca_viewer.session.sweep_settings import SweepAxis, default_axis

    cache = StageCache()
    dataset = find_dataset(request, cache)
    suggested = suggested_for(dataset, request.settings, cache)
    parameter = sweepable(request.settings, dataset.kind)[0]
    if parameter == "kernel":
        # A kernel without parameters is one point of a comparison.
        return SweepAxis("kernel", kernels=(request.settings.kernel.family,))
    return default_axis(request.settings, parameter, suggested)


def _ranges(options: argparse.Namespace) -> "dict[str, SweepAxis | float]":
    """Return what every option with a range says: an axis, or a single number."""
    texts = {
        name: getattr(options, name)
        for name in RANGES
        if getattr(options, name) is not None
    }
    for text in options.sweep or ():
        name, equals, rest = text.partition("=")
        if not equals:
            raise DataError(
                f"“{text}” is no NAME=RANGE, such as noise=0:0.4:20:linear."
            )
        texts[name.strip().replace("-", "_")] = rest
    return {name: parse_range(name, text) for name, text in texts.items()}


def parse_range(name: str, text: str) -> "SweepAxis | float":
    """Return the axis or the number that a text such as ``0.01:100:50:log`` means.

    Raises
    ------
    DataError
    """
    from kpca_viewer.core.kernels import FAMILIES
    from kpca_viewer.session.sweep_parameters import SweepParameter
    from kpca_viewer.session.sweep_settings import STEPS, SweepAxis, SweepScale

    known = get_args(SweepParameter)
    parameter = next((p for p in known if p == name), None)
    if parameter is None:
        raise DataError(f"“{name}” cannot be swept; choose one of {', '.join(known)}.")
    if parameter == "kernel":
        names = tuple(part for part in text.split(",") if part) or tuple(FAMILIES)
        return SweepAxis("kernel", kernels=names)
    whole = parameter in ("degree", "components", "samples")
    scale: SweepScale = (
        "linear" if whole or parameter in ("coef0", "nu", "noise") else "log"
    )
    parts = text.split(":")
    try:
        numbers = [float(part) for part in parts[:2]]
        steps = int(parts[2]) if len(parts) > 2 else 0
    except ValueError as error:
        raise DataError(
            f"“{text}” is no range for {name}; write LOW:HIGH:STEPS:log, for example "
            "0.01:100:50:log, or a single number."
        ) from error
    if len(parts) == 1:
        return numbers[0]
    if len(parts) > 4 or (len(parts) == 4 and parts[3] not in get_args(SweepScale)):
        raise DataError(
            f"“{text}” is no range for {name}: after LOW:HIGH:STEPS comes log or "
            "linear, and nothing else."
        )
    if len(parts) == 4:
        scale = "log" if parts[3] == "log" else "linear"
    if not steps:
        steps = round(numbers[1] - numbers[0]) + 1 if whole else STEPS
    return SweepAxis(parameter, numbers[0], numbers[1], steps, scale)


def _measure(name: str | None) -> str:
    from kpca_viewer.session.sweep_measures import ALIASES, MEASURES

    key = (name or "linear_accuracy").replace("-", "_")
    key = ALIASES.get(key, key)
    if key not in MEASURES:
        raise DataError(
            f"There is no measure “{name}”; choose one of {', '.join(MEASURES)}."
        )
    return key


def _jobs(sweeps: "list[Sweep]") -> "list[Job]":
    """Return all points, neighbours one after another: each starts from the last."""
    from kpca_viewer.batch.sweep_workers import Job

    return [
        Job(number, index)
        for number, sweep in enumerate(sweeps)
        for index in range(len(sweep.settings.cells()))
    ]


def _results(
    sweeps: "list[Sweep]", points: "dict[Job, SweepPoint]"
) -> "list[SweepResult]":
    """Put the points in order and in step, whichever process computed them."""
    from kpca_viewer.session.sweep_alignment import realigned
    from kpca_viewer.session.sweep_point import SweepResult

    results = []
    for number, sweep in enumerate(sweeps):
        mine = sorted(
            (point for job, point in points.items() if job.sweep == number),
            key=lambda point: point.index,
        )
        results.append(
            SweepResult(
                sweep.settings,
                sweep.request.settings,
                realigned(mine, sweep.settings.shape[0]),
            )
        )
    return results


def _pictures(
    options: argparse.Namespace,
    base: Chosen,
    sweeps: "list[Sweep]",
    results: "list[SweepResult]",
) -> None:
    """Draw a strip for every kernel and a picture for every point."""
    # Before Qt is loaded: it needs no display server then.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
    from kpca_viewer.batch.sweep_pictures import draw

    draw(options.out, base.settings.data.source, sweeps, results, options.theme)


def _show(watch: Watch, done: int, total: int) -> None:
    """Show a bar: a sweep may take long enough to look at it more than once."""
    width = 24
    full = round(width * done / max(total, 1))
    watch(f"[{'#' * full}{'.' * (width - full)}] {done} of {total}", None)


def _report(
    options: argparse.Namespace, results: "list[SweepResult]", measure: str
) -> None:
    from kpca_viewer.session.sweep_measures import MEASURES

    title = MEASURES[measure].title.lower()
    for result in results:
        best = result.best(measure)
        failed = sum(1 for point in result.points if point.error)
        count = len(result.points)
        values = f"{count} value{'' if count == 1 else 's'}"
        text = f"{result.base.kernel.family}: {values}"
        if best is not None:
            value = MEASURES[measure].text(best.measures.get(measure))
            text += f", best {title} {value} at {result.text(best)}"
        say(text + (f", {failed} failed" if failed else ""))
    say(f"Saved {options.out}")
