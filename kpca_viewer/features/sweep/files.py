"""What a sweep leaves in its folder: a journal to go on from, and a table."""

import base64
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kpca_viewer.engine.document.wire import settings_json
from kpca_viewer.engine.sweep.jobs import Job, Sweep
from kpca_viewer.engine.sweep.measures import MEASURES, row_scores
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.engine.text.remarks import forgotten_steps
from kpca_viewer.export.result_tables import ExportTable
from kpca_viewer.export.table_files import FORMAT_TITLES, TableFormat, save_table
from kpca_viewer.support import paths
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.atomic import append_line, whole_lines, write_atomically
from kpca_viewer.support.errors import DataError, ExportError

_FORMATS: dict[str, TableFormat] = {f".{key}": key for key in FORMAT_TITLES}


def measures_table(results: Sequence[SweepResult]) -> ExportTable:
    """Return one row per point of some sweeps, empty where a kernel lacks a value."""
    points = [(result, point) for result in results for point in result.points]
    names = list(
        dict.fromkeys(
            axis.parameter
            for result in results
            for axis in result.sweep.axes
            if not axis.is_of_kernels
        )
    )
    columns: list[tuple[str, Array | tuple[str, ...]]] = [
        ("kernel", tuple(point.settings.kernel.family for _, point in points))
    ]
    columns += [
        (name, np.array([_value(result, point, name) for result, point in points]))
        for name in names
    ]
    columns += [
        (key, np.array([_number(point.measures.get(key)) for _, point in points]))
        for key in MEASURES
    ]
    columns += _yardsticks([point for _, point in points])
    columns += _spectrum([point for _, point in points])
    columns += [
        ("rows", np.array([point.n for _, point in points])),
        ("solver", tuple(point.solver for _, point in points)),
        ("seconds", np.array([point.seconds for _, point in points])),
        ("error", tuple(point.error for _, point in points)),
    ]
    left_out = tuple(
        " · ".join(forgotten_steps(point.settings.analysis)) for _, point in points
    )
    if any(left_out):
        columns.append(("forgotten", left_out))
    arrays = {
        name: np.asarray(values)
        for name, values in columns
        if not isinstance(values, tuple)
    }
    note = " · ".join(filter(None, dict.fromkeys(left_out)))
    return ExportTable("sweep", tuple(columns), arrays, note)


def save_measures(path: str | Path, results: Sequence[SweepResult]) -> None:
    """Write the table of one or several sweeps; the ending chooses the format."""
    ending = Path(path).suffix.lower()
    if ending not in _FORMATS:
        raise ExportError(
            f"“{ending or path}” is no format for tables; choose one of "
            f"{', '.join(_FORMATS)}."
        )
    save_table(path, measures_table(results), _FORMATS[ending])


def _yardsticks(points: list[SweepPoint]) -> list[tuple[str, Array | tuple[str, ...]]]:
    """Errors of the scores, what they are held against, and how many rows they are of.

    ``scored_rows`` of the neighbourhoods, ``scored_labelled_rows`` of the classes.
    """
    held = [point.yardstick for point in points]
    columns: list[tuple[str, Array | tuple[str, ...]]] = []
    for key in row_scores():
        errors = [_number(yardstick.errors.get(key)) for yardstick in held]
        linear = [_number(yardstick.linear.get(key)) for yardstick in held]
        columns.append((f"{key}_error", np.array(errors)))
        columns.append((f"{key}_linear_pca", np.array(linear)))
    return [
        *columns,
        ("chance", np.array([_number(yardstick.chance) for yardstick in held])),
        ("scored_components", np.array([len(yardstick.axes) for yardstick in held])),
        ("scored_rows", np.array([yardstick.rows for yardstick in held])),
        ("scored_labelled_rows", np.array([yardstick.labelled for yardstick in held])),
    ]


def _spectrum(points: list[SweepPoint]) -> list[tuple[str, Array | tuple[str, ...]]]:
    """Eigenvalue, its bounds and share of every component that any point has."""
    count = max((len(point.eigenvalues) for point in points), default=0)
    table = np.full((len(points), count, 4), np.nan)
    for row, point in enumerate(points):
        k = len(point.eigenvalues)
        table[row, :k, 0] = point.eigenvalues
        table[row, :k, 1:3] = point.bounds
        table[row, :k, 3] = point.shares
    return [
        (f"pc{j + 1}_{name}", table[:, j, place])
        for j in range(count)
        for place, name in enumerate(("eigenvalue", "low", "high", "share"))
    ]


def _value(result: SweepResult, point: SweepPoint, name: str) -> float:
    for axis, value in zip(result.sweep.axes, point.values, strict=True):
        if axis.parameter == name and not isinstance(value, str):
            return float(value)
    return float("nan")


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)


JOURNAL = "points.jsonl"
DESCRIPTION = "sweep.json"
TABLE = "measures.csv"
OWN_FILES = (JOURNAL, DESCRIPTION, TABLE)


class Journal:
    """One line of JSON for every finished point, appended in one step.

    A folder that holds another sweep is refused, or replaced by force.
    """

    def __init__(
        self, folder: Path, sweeps: Sequence[Sweep], *, force: bool = False
    ) -> None:
        self._path = folder / JOURNAL
        self._sweeps = sweeps
        description = describe(sweeps)
        known = self._known = folder / DESCRIPTION
        try:
            is_same = paths.exists(known) and _decoded_text(known) == description
            if not is_same and not force:
                _refuse_if_used(folder, known)
            self._is_new = not paths.exists(known)
            if not is_same:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise ExportError(
                f"“{folder}” cannot be used: {error.strerror}; choose another folder."
            ) from error
        text = json.dumps(description, indent=1, ensure_ascii=False) + "\n"
        write_atomically(known, text.encode())

    def read(self) -> dict[Job, SweepPoint]:
        """Return the points that are there; a line that was cut off is dropped."""
        points: dict[Job, SweepPoint] = {}
        for line in whole_lines(self._path):
            try:
                job, point = self._decoded(line)
            except (ValueError, KeyError, TypeError, IndexError):
                continue
            # A value that failed for want of memory may well succeed now.
            if not point.error:
                points[job] = point
        return points

    def remove_if_empty(self) -> None:
        """Remove the description that this run has made, if no point followed it."""
        with suppress(OSError):
            if self._is_new and not whole_lines(self._path):
                self._known.unlink()
                self._path.unlink(missing_ok=True)

    def append(self, job: Job, point: SweepPoint) -> None:
        line = {
            "sweep": job.sweep,
            "kernel": point.settings.kernel.family,
            "index": job.index,
            "values": list(point.values),
            "measures": dict(point.measures),
            "yardstick": asdict(point.yardstick),
            "eigenvalues": point.eigenvalues.tolist(),
            "bounds": point.bounds.tolist(),
            "shares": point.shares.tolist(),
            "n": point.n,
            "solver": point.solver,
            "seconds": point.seconds,
            "error": point.error,
            "rows": _packed(point.rows, "<i4"),
            "labels": None if point.labels is None else _packed(point.labels, "<i4"),
            "coordinates": _packed(point.thumbnail, "<f4"),
        }
        append_line(self._path, line)

    def _decoded(self, line: dict[str, Any]) -> tuple[Job, SweepPoint]:
        job = Job(line["sweep"], line["index"])
        sweep = self._sweeps[job.sweep]
        if job.index < 0:
            raise IndexError(job.index)
        labels = line["labels"]
        return job, SweepPoint(
            job.index,
            sweep.settings.cells()[job.index],
            sweep.settings.apply(sweep.request.settings, job.index),
            rows=_unpacked(line["rows"], "<i4").astype(np.int64),
            thumbnail=_unpacked(line["coordinates"], "<f4").reshape(-1, 2),
            labels=None
            if labels is None
            else _unpacked(labels, "<i4").astype(np.int64),
            eigenvalues=np.array(line["eigenvalues"]),
            bounds=np.array(line["bounds"]).reshape(-1, 2),
            shares=np.array(line["shares"]),
            measures=line["measures"],
            yardstick=msgspec.convert(line["yardstick"], Yardstick),
            n=line["n"],
            solver=line["solver"],
            seconds=line["seconds"],
            error=line["error"],
        )


def _decoded_text(path: Path) -> object:
    """Return what a description says; None if it is damaged."""
    try:
        return json.loads(path.read_text())
    except ValueError:
        return None


def _refuse_if_used(folder: Path, known: Path) -> None:
    """Refuse a folder that holds another sweep, or files under the names of ours."""
    if paths.exists(known):
        state = "holds another sweep"
        if _decoded_text(known) is None:
            state = f"has a damaged {DESCRIPTION}"
        raise DataError(
            f"“{folder}” {state}; choose another folder, or add --force to replace it."
        )
    for name in OWN_FILES:
        if paths.exists(folder / name):
            raise ExportError(
                f"“{folder / name}” exists; choose another folder, or add --force to "
                "replace it."
            )


def describe(sweeps: Sequence[Sweep]) -> dict[str, Any]:
    """Return everything that decides the numbers, for comparing two runs."""
    opened = {
        name: dataset.content_hash
        for sweep in sweeps
        for name, dataset in sweep.request.opened.items()
    }
    described = [
        {
            "settings": settings_json(sweep.request.settings),
            "sweep": msgspec.to_builtins(sweep.settings),
        }
        for sweep in sweeps
    ]
    # Through JSON once, so that tuples and lists compare equal.
    return dict(json.loads(json.dumps({"data": opened, "sweeps": described})))


def _packed(values: Any, kind: str) -> str:
    return base64.b64encode(np.asarray(values, dtype=kind).tobytes()).decode()


def _unpacked(text: str, kind: str) -> Any:
    return np.frombuffer(base64.b64decode(text), dtype=kind)
