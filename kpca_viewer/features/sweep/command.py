"""``kpca-viewer sweep``: many values of a parameter, a table and pictures of them."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.options import (
    Chosen,
    add_data_options,
    dataset_of,
    whole_number,
)
from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    is_pipe,
    written,
)
from kpca_viewer.console.scheduler import CLUSTER, add_cluster_options, encryption_of
from kpca_viewer.console.terminal import Watch, guarded, say
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.features.sweep.command_options import (
    range_options,
    read_base,
    read_measure,
    read_ranges,
    read_sweeps,
)
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from kpca_viewer.engine.executors.executor import Executor
    from kpca_viewer.engine.sweep.jobs import Job, Sweep
    from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
    from kpca_viewer.features.sweep.files import Journal

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
  kpca-viewer sweep big.parquet --scheduler tcp://head:8786 --out results/
      the same on a cluster of Dask that runs already

A range is LOW:HIGH, LOW:HIGH:STEPS or LOW:HIGH:STEPS:log (or linear).
A run that was interrupted goes on where it stopped when it is started again; another
sweep in the same folder is replaced only with --force.
The exit code is 0, 2 with one line on stderr (all values failed too), or 130 if it was
interrupted."""


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
    for name in range_options():
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
    return guarded("sweep", lambda watch: _sweep(options, watch))


def _sweep(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.features.sweep.files import TABLE

    report = Report(options, pipes=is_pipe(options.out))
    if not is_pipe(options.out):
        _into_folder(options, watch, report)
    else:
        with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
            changed = {"out": Path(folder), "no_pictures": True, "piped": True}
            kept = argparse.Namespace(**{**vars(options), **changed})
            _into_folder(kept, watch, report)
            with written(options.out, ".csv") as table:
                shutil.copyfile(Path(folder, TABLE), table)
    report.finish()


def _into_folder(options: argparse.Namespace, watch: Watch, report: Report) -> None:
    from kpca_viewer.features.sweep.files import OWN_FILES, Journal

    if not 1 <= options.workers <= MOST_WORKERS:
        raise DataError(
            f"{options.workers} workers make no sense; choose 1 … {MOST_WORKERS}."
        )
    cluster = _open_cluster(options)
    if paths.is_dir(options.out):
        own = [options.out / name for name in OWN_FILES]
        # What an earlier run of the same sweep has left is gone on with.
        check_outputs(own, [options.data], force=True)
    read_measure(options.measure)  # refused before a large file is read
    ranges = read_ranges(options)
    watch("reading", None)
    base = read_base(options, ranges, watch)
    sweeps = read_sweeps(options, base, ranges)
    with paths.new_folder(options.out):
        journal = Journal(options.out, sweeps, force=options.force)
        try:
            _compute(options, watch, report, base, sweeps, journal, cluster)
        finally:
            journal.remove_if_empty()


def _compute(
    options: argparse.Namespace,
    watch: Watch,
    report: Report,
    base: Chosen,
    sweeps: "list[Sweep]",
    journal: "Journal",
    cluster: "AbstractContextManager[Executor] | None",
) -> None:
    """Compute the points that are not there, and write what is said of all."""
    from kpca_viewer.features.sweep.files import TABLE

    points = journal.read()
    jobs = [job for job in _jobs(sweeps) if job not in points]
    total = len(points) + len(jobs)
    if points and jobs and not options.quiet:
        say(f"{len(points)} of {total} values are there already.", sys.stderr)
    _show(watch, len(points), total)
    with cluster if cluster is not None and jobs else nullcontext() as connection:
        for job, point in _computed(sweeps, jobs, options.workers, connection):
            journal.append(job, point)
            points[job] = point
            _show(watch, len(points), total)
    watch.clear()
    results = _results(sweeps, points)
    from kpca_viewer.features.sweep.files import save_measures

    save_measures(options.out / TABLE, results)
    if not options.no_pictures:
        watch("pictures", None)
        _pictures(options, base, sweeps, results)
        watch.clear()
    _report(options, results, report)


def _open_cluster(
    options: argparse.Namespace,
) -> "AbstractContextManager[Executor] | None":
    """Return the connection to the cluster that was named; None without one."""
    if all(getattr(options, name) is None for name in CLUSTER):
        return None
    if options.scheduler is None:
        raise DataError("--tls-… is for a cluster; add --scheduler tls://host:port.")
    if options.workers > 1:
        raise DataError(
            "--workers are processes of this machine, and --scheduler has workers of "
            "its own; give one of them."
        )
    from kpca_viewer.engine.executors.executor import open_executor

    return open_executor(options.scheduler, encryption=encryption_of(options))


def _computed(
    sweeps: "list[Sweep]", jobs: "list[Job]", workers: int, cluster: "Executor | None"
) -> "Iterator[tuple[Job, SweepPoint]]":
    """Compute points on a cluster, on processes or on threads."""
    from kpca_viewer.engine.cache import StageCache
    from kpca_viewer.engine.executors.executor import ProcessExecutor, ThreadExecutor
    from kpca_viewer.engine.sweep.jobs import PointJobs, compute_points
    from kpca_viewer.engine.sweep.run import thread_count

    cache = StageCache()
    points = PointJobs(sweeps, cache)
    if cluster is not None:
        yield from compute_points(cluster, points, jobs)
    elif workers > 1 and len(jobs) > 1:
        with ProcessExecutor(workers) as processes:
            yield from compute_points(processes, points, jobs)
    else:
        count = min(thread_count(s.request, s.settings, cache) for s in sweeps)
        yield from compute_points(ThreadExecutor(count), points, jobs)


def _jobs(sweeps: "list[Sweep]") -> "list[Job]":
    """Return all points, neighbours one after another."""
    from kpca_viewer.engine.sweep.jobs import Job

    return [
        Job(number, index)
        for number, sweep in enumerate(sweeps)
        for index in range(len(sweep.settings.cells()))
    ]


def _results(
    sweeps: "list[Sweep]", points: "dict[Job, SweepPoint]"
) -> "list[SweepResult]":
    """Put the points in order and in step, whichever process computed them."""
    from kpca_viewer.engine.sweep.point import SweepResult, oriented_along

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
                oriented_along(mine, sweep.settings.shape[0], _anchor(sweep)),
            )
        )
    return results


def _anchor(sweep: "Sweep") -> int:
    """Return the point whose orientation is canonical, as in the window."""
    from kpca_viewer.engine.cache import StageCache
    from kpca_viewer.engine.sweep.run import Sweeper

    return Sweeper(sweep.request, sweep.settings, StageCache()).order()[0]


def _pictures(
    options: argparse.Namespace,
    base: Chosen,
    sweeps: "list[Sweep]",
    results: "list[SweepResult]",
) -> None:
    # Before Qt is loaded: it needs no display server then.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ.setdefault("PYQTGRAPH_QT_LIB", "PySide6")
    from kpca_viewer.features.sweep.export import draw_folder

    draw_folder(options.out, dataset_of(base), sweeps, results, options.theme)


def _show(watch: Watch, done: int, total: int) -> None:
    """Show a bar: a sweep may take long enough to look at it more than once."""
    width = 24
    full = round(width * done / max(total, 1))
    watch(f"[{'#' * full}{'.' * (width - full)}] {done} of {total}", None)


def _report(
    options: argparse.Namespace, results: "list[SweepResult]", report: Report
) -> None:
    from kpca_viewer.engine.sweep.point import ranked
    from kpca_viewer.features.sweep.text import best_text

    report.note(sweeps=[_facts(result) for result in results])
    for result in results:
        failed = sum(1 for point in result.points if point.failed)
        count = len(result.points)
        values = f"{count} value{'' if count == 1 else 's'}"
        text = f"{result.base.kernel.family}: {values}"
        measure = MEASURES[result.sweep.measure]
        first = next(iter(ranked(result.points, measure.key)), None)
        best = best_text(result, measure, first)
        text += f", {best}" if best else ""
        report.say(text + (f", {failed} failed" if failed else ""))
    if not options.piped:
        report.saved(options.out)
    errors = [point.error for result in results for point in result.points]
    if errors and all(errors):
        raise DataError(f"All {len(errors)} values failed. The first: {errors[0]}")


def _facts(result: "SweepResult") -> dict[str, Any]:
    """Return what is said of a sweep, for a script."""
    measure = result.sweep.measure
    best = result.best(measure)
    return {
        "kernel": result.base.kernel.family,
        "values": len(result.points),
        "failed": sum(1 for point in result.points if point.failed),
        "measure": measure,
        "best": None
        if best is None
        else {"values": list(best.values), measure: best.measures.get(measure)},
    }
