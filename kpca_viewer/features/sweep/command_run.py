"""One run of ``kpca-viewer sweep``: points, their journal, a table and pictures."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from kpca_viewer.console.options import CLUSTER, Chosen, dataset_of, encryption_of
from kpca_viewer.console.output import Report, check_outputs, is_pipe, written
from kpca_viewer.console.terminal import Watch, say
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.executors.executor import (
    Executor,
    ProcessExecutor,
    ThreadExecutor,
    open_executor,
)
from kpca_viewer.engine.sweep import jobs
from kpca_viewer.engine.sweep.jobs import Job, Sweep
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import (
    SweepPoint,
    SweepResult,
    oriented_along,
    ranked,
)
from kpca_viewer.engine.sweep.run import Sweeper, thread_count
from kpca_viewer.features.sweep.command_options import (
    read_base,
    read_measure,
    read_ranges,
    read_sweeps,
)
from kpca_viewer.features.sweep.files import OWN_FILES, TABLE, Journal, save_measures
from kpca_viewer.features.sweep.text import best_text
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError

MOST_WORKERS = 64


def run_command(options: argparse.Namespace, watch: Watch) -> None:

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
    sweeps: list[Sweep],
    journal: Journal,
    cluster: AbstractContextManager[Executor] | None,
) -> None:
    """Compute the points that are not there, and write what is said of all."""
    points = journal.read()
    missing = [job for job in _jobs(sweeps) if job not in points]
    total = len(points) + len(missing)
    if points and missing and not options.quiet:
        say(f"{len(points)} of {total} values are there already.", sys.stderr)
    _show(watch, len(points), total)
    with cluster if cluster is not None and missing else nullcontext() as connection:
        for job, point in _computed(sweeps, missing, options.workers, connection):
            journal.append(job, point)
            points[job] = point
            _show(watch, len(points), total)
    watch.clear()
    results = _results(sweeps, points)

    save_measures(options.out / TABLE, results)
    if not options.no_pictures:
        watch("pictures", None)
        _pictures(options, base, sweeps, results)
        watch.clear()
    _report(options, results, report)


def _open_cluster(
    options: argparse.Namespace,
) -> AbstractContextManager[Executor] | None:
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

    return open_executor(options.scheduler, encryption=encryption_of(options))


def _computed(
    sweeps: list[Sweep], wanted: list[Job], workers: int, cluster: Executor | None
) -> Iterator[tuple[Job, SweepPoint]]:
    """Compute points on a cluster, on processes or on threads."""
    cache = StageCache()
    points = jobs.PointJobs(sweeps, cache)
    if cluster is not None:
        yield from jobs.compute_points(cluster, points, wanted)
    elif workers > 1 and len(wanted) > 1:
        with ProcessExecutor(workers) as processes:
            yield from jobs.compute_points(processes, points, wanted)
    else:
        count = min(thread_count(s.request, s.settings, cache) for s in sweeps)
        yield from jobs.compute_points(ThreadExecutor(count), points, wanted)


def _jobs(sweeps: list[Sweep]) -> list[Job]:
    """Return all points, neighbours one after another."""
    return [
        Job(number, index)
        for number, sweep in enumerate(sweeps)
        for index in range(len(sweep.settings.cells()))
    ]


def _results(sweeps: list[Sweep], points: dict[Job, SweepPoint]) -> list[SweepResult]:
    """Put the points in order and in step, whichever process computed them."""
    results = []
    for number, sweep in enumerate(sweeps):
        mine = sorted(
            (point for job, point in points.items() if job.sweep == number),
            key=lambda point: point.index,
        )
        settings, base = sweep.settings, sweep.request.settings
        # Whose orientation is canonical, as in the window.
        anchor = Sweeper(sweep.request, settings, StageCache()).order()[0]
        points_in_step = oriented_along(mine, settings.shape[0], anchor)
        results.append(SweepResult(settings, base, points_in_step))
    return results


def _pictures(
    options: argparse.Namespace,
    base: Chosen,
    sweeps: list[Sweep],
    results: list[SweepResult],
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
    options: argparse.Namespace, results: list[SweepResult], report: Report
) -> None:

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


def _facts(result: SweepResult) -> dict[str, Any]:
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
