"""The numbers of a sweep as a table: values, measures, shares and bounds."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.engine.pitfalls import forgotten_steps
from kpca_viewer.engine.sweep.measures import MEASURES, row_scores
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.export.tables.results import ExportTable
from kpca_viewer.export.tables.writers import FORMAT_TITLES, TableFormat, save_table
from kpca_viewer.support.errors import ExportError

Array = NDArray[Any]

_FORMATS: dict[str, TableFormat] = {f".{key}": key for key in FORMAT_TITLES}


def measures_table(results: Sequence[SweepResult]) -> ExportTable:
    """Return one row for every point of one or several sweeps.

    Parameters
    ----------
    results : sequence of SweepResult
        Several kernels stand below each other; a parameter that one of them does not
        have is left empty.
    """
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
    """Write the table of one or several sweeps; the ending chooses the format.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    """
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
