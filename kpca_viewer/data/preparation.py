"""Scaling: from a data set to the points that the kernel sees."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.table import listed
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import readable

Scaling = Literal["none", "standardise", "minmax", "unit"]
ColumnScaling = Literal["none", "standardise", "minmax", "robust", "log", "log1p"]
ColumnScalings = tuple[tuple[str, ColumnScaling], ...]
"""Pairs (feature, how) of the columns that are scaled in another way than the rest."""

SCALING_TITLES: dict[Scaling, str] = {
    "none": "As they are",
    "standardise": "Standardise columns",
    "minmax": "Columns to 0 … 1",
    "unit": "Rows to unit length",
}

COLUMN_SCALING_TITLES: dict[ColumnScaling, str] = {
    "none": "As it is",
    "standardise": "Standardise",
    "minmax": "To 0 … 1",
    "robust": "Robust (median, IQR)",
    "log": "Log, then standardise",
    "log1p": "Log(1 + x), then standardise",
}

LARGEST_LOG = 230.0
"""Of values that are given back: their squares do not overflow."""

FAR_BELOW = 10.0
"""Standard deviations of a logarithm below its mean, where pictures of a plane end."""


def outside_domain(name: str, lowest: float, how: ColumnScaling) -> str:
    """Return why a column with this smallest value has no logarithm, or nothing."""
    value = readable(lowest)
    if how == "log" and lowest <= 0:
        other = "choose log(1 + x)" if lowest >= 0 else "choose another scaling"
        return (
            f"The logarithm of “{name}” needs values above 0, and its smallest is "
            f"{value}; {other}, or leave out the rows without one."
        )
    if how == "log1p" and lowest < 0:
        return (
            f"Log(1 + x) of “{name}” needs values from 0 on, and its smallest is "
            f"{value}; choose another scaling, or leave out the rows below 0."
        )
    return ""


@dataclass(frozen=True, eq=False)
class Scaler:
    """What was learnt from the data, so that new points are scaled alike."""

    how: Scaling | Literal["columns"]
    shift: NDArray[np.float64]
    factor: NDArray[np.float64]
    """Shape (d,). ``(x − shift) · factor`` for the scalings by column, of ``log x`` or
    ``log(1 + x)`` where a column is logarithmic."""
    by_feature: tuple[ColumnScaling, ...] = ()
    """What is done to each of the d features, where ``how`` is "columns"."""
    names: tuple[str, ...] = ()
    """Of these features."""

    @classmethod
    def learn(
        cls,
        points: NDArray[np.float64],
        how: Scaling,
        columns: ColumnScalings = (),
        names: tuple[str, ...] = (),
    ) -> "Scaler":
        """Learn a scaling from points (n, d); constant columns stay finite.

        ``columns``: (feature, how), what is done instead to some of the features, which
        are called ``names``. Raises `DataError` where a value has no logarithm, or no
        feature is called so.
        """
        each = by_feature(how, columns, names)
        if not each:
            return cls.from_columns(how, *_statistics(points, how))
        d = points.shape[1]
        scaler = cls("columns", np.zeros(d), np.ones(d), each, names)
        moved = scaler.apply(points)
        for one in set(each):
            scaler = scaler.with_statistics((one,), *_statistics(moved, one))
        return scaler

    @classmethod
    def from_columns(
        cls, how: Scaling, shift: NDArray[np.float64], width: NDArray[np.float64]
    ) -> "Scaler":
        """Make a scaling of what is known of every column.

        ``shift``, ``width`` (d,): what becomes 0, and what becomes 1 beyond it: mean
        and standard deviation, or the lowest value and how far the highest is from it.
        """
        if how not in get_args(Scaling):
            raise DataError(
                f"“{how}” is not a way to scale; choose one of "
                f"{', '.join(get_args(Scaling))}."
            )
        return cls(how, shift, 1 / np.where(width > 0, width, 1))

    def with_statistics(
        self,
        ways: Collection[ColumnScaling],
        shift: NDArray[np.float64],
        width: NDArray[np.float64],
    ) -> "Scaler":
        """Return a copy with other numbers (d,) for the features of these scalings."""
        those = np.array([one in ways for one in self.by_feature])
        factor = 1 / np.where(width > 0, width, 1)
        return replace(
            self,
            shift=np.where(those, shift, self.shift),
            factor=np.where(those, factor, self.factor),
        )

    @property
    def by_column(self) -> bool:
        """Whether a scaled value depends on its column alone, not on its row."""
        return self.how != "unit"

    def describe(self) -> str:
        """Return what `scaling_words` says of it."""
        return scaling_words(self.how, self.names, self.by_feature)

    def takes(self, points: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return which points (m, d) can be scaled, shape (m,): values with a log."""
        positive = points[:, self._places("log")] > 0
        counted = points[:, self._places("log1p")] >= 0
        return np.asarray(positive.all(axis=1) & counted.all(axis=1))

    def apply(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points (m, d) scaled; zero rows stay zero.

        Raises `DataError` for a value that has no logarithm.
        """
        if self.how == "none":
            return points
        if self.how == "unit":
            length = np.linalg.norm(points, axis=1, keepdims=True)
            return points / np.where(length > 0, length, 1)
        if self.how == "columns":
            points = self._logarithms(points)
        return (points - self.shift) * self.factor

    def apply_or_nan(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return places of a picture (m, d) scaled; NaN where they cannot be."""
        scaled, taken = np.full(points.shape, np.nan), self.takes(points)
        scaled[taken] = self.apply(points[taken])
        return scaled

    def undo(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return scaled points (m, d) in the units of the data.

        How long a row was before it was scaled to unit length is not known any more:
        it keeps that length. What is below every log(1 + x) becomes 0.
        """
        if self.how in ("none", "unit"):
            return points
        values: NDArray[np.float64] = points / self.factor + self.shift
        for how, power in (("log", np.exp), ("log1p", np.expm1)):
            places = self._places(how)
            lowest = 0.0 if how == "log1p" else -LARGEST_LOG
            values[:, places] = power(np.clip(values[:, places], lowest, LARGEST_LOG))
        return values

    def unscaled_gradient(
        self, points: NDArray[np.float64], gradient: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Turn gradients (m, k, d) by scaled columns into those by the columns.

        ``points`` (m, d): where, in the units of the data.
        """
        if self.how == "none":
            return gradient
        if self.by_column:
            slope = np.broadcast_to(self.factor, points.shape).copy()
            slope[:, self._places("log")] /= points[:, self._places("log")]
            slope[:, self._places("log1p")] /= 1 + points[:, self._places("log1p")]
            return gradient * slope[:, None, :]
        # x/‖x‖ changes across x only; a row of zeros is not scaled.
        length = np.linalg.norm(points, axis=1)[:, None, None]
        unit = points[:, None, :] / np.where(length > 0, length, 1)
        outwards = (gradient * unit).sum(axis=2, keepdims=True)
        return (gradient - unit * outwards) / np.where(length > 0, length, 1)

    def within_domain(self, corner: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the corner (d,) of a picture, moved to where values can be scaled."""
        lowest = np.full(len(corner), -np.inf)
        logs, counts = self._places("log"), self._places("log1p")
        lowest[logs] = np.exp(self.shift[logs] - FAR_BELOW / self.factor[logs])
        lowest[counts] = 0.0
        return np.maximum(corner, lowest)

    def _places(self, how: str) -> list[int]:
        return [j for j, one in enumerate(self.by_feature) if one == how]

    def _logarithms(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        if len(points) and not self.takes(points).all():
            self.refuse_outside(points.min(axis=0))
        points = points.copy()
        for how, logarithm in (("log", np.log), ("log1p", np.log1p)):
            places = self._places(how)
            points[:, places] = logarithm(points[:, places])
        return points

    def refuse_outside(self, lowest: NDArray[np.float64]) -> None:
        """Raise `DataError` where the smallest values (d,) have no logarithm."""
        for name, how, value in zip(self.names, self.by_feature, lowest, strict=False):
            why = outside_domain(name, float(value), how)
            if why:
                raise DataError(why)


def by_feature(
    how: Scaling, columns: ColumnScalings, names: tuple[str, ...]
) -> tuple[ColumnScaling, ...]:
    """Return what is done to each of the features; nothing where all are alike.

    Raises `DataError` where no feature is called so, or rows are scaled as a whole.
    """
    if not columns:
        return ()
    if how == "unit":
        raise DataError(
            "Rows are scaled to unit length, so no column has a scaling of its own; "
            "choose another scaling of all columns, or none for single ones."
        )
    for name, one in columns:
        if name not in names:
            raise DataError(
                f"No feature is called “{name}”, so it has no scaling; the features "
                f"are {listed(names)}."
            )
        if one not in COLUMN_SCALING_TITLES:
            raise DataError(
                f"“{one}” is not a way to scale a column; choose one of "
                f"{', '.join(COLUMN_SCALING_TITLES)}."
            )
    own = dict(columns)
    each = tuple(own.get(name, how) for name in names)
    return () if set(each) == {how} else each


def _statistics(
    points: NDArray[np.float64], how: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return what becomes 0 in each column (d,), and the length that becomes 1."""
    if how in ("standardise", "log", "log1p"):
        return points.mean(axis=0), points.std(axis=0)
    if how == "minmax":
        low = points.min(axis=0)
        return low, points.max(axis=0) - low
    if how == "robust":
        lower, middle, upper = np.percentile(points, (25, 50, 75), axis=0)
        return middle, upper - lower
    zeros = np.zeros(points.shape[1])
    return zeros, zeros


def column_scaling_word(how: ColumnScaling | None) -> str:
    """Return how one column is scaled, inside of a line; None is as all others."""
    title = "As all others" if how is None else COLUMN_SCALING_TITLES[how]
    return title[:1].lower() + title[1:]


def scaling_words(
    how: Scaling | Literal["columns"],
    names: Iterable[str] = (),
    each: Iterable[ColumnScaling] = (),
) -> str:
    """Return what is done to features, inside of a line.

    Of columns with scalings of their own: “a”: log, then standardise; other columns: …
    """
    if how != "columns":
        return SCALING_TITLES[how].lower()
    named: dict[ColumnScaling, list[str]] = {}
    for name, one in zip(names, each, strict=True):
        named.setdefault(one, []).append(name)
    rare = sorted(named, key=lambda one: len(named[one]))
    return "; ".join(
        f"{listed(named[one]) if one != rare[-1] else 'other columns'}: "
        f"{column_scaling_word(one)}"
        for one in rare
    )


def suggested_scaling(points: NDArray[np.float64]) -> Scaling:
    """Standardise where the columns differ in scale by more than ten times."""
    return scaling_for(points.std(axis=0))


def scaling_for(spread: NDArray[np.float64]) -> Scaling:
    """Do what `suggested_scaling` does, of the spread (d,) of the columns."""
    spread = spread[spread > 0]
    if spread.size > 1 and spread.max() > 10 * spread.min():
        return "standardise"
    return "none"
