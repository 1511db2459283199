"""The curves that a row of a choice stands on: over its value, over components."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.methods.kernel_ranking import (
    Choice,
    Evidence,
    Row,
    Tried,
    parameter_of,
)
from kpca_viewer.support.arrays import Array

Named = tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class ScoreCurve:
    """Scores with their errors along one axis, and what they are held against."""

    title: str
    """Of the axis: a symbol, or "components"."""
    x: Array
    scores: Array
    errors: Array
    """Shape (m,), ascending in x."""
    evidence: Evidence
    current: float
    """Where the row stands."""
    is_log: bool = False
    is_whole: bool = False
    """Whether only whole numbers lie on the axis."""
    stable: tuple[float, float] | None = None
    """Between which values the picture persists."""
    rules: Named = ()
    """What cheap rules say, within the curve."""
    levels: Named = ()
    """What other ways score."""

    def nearest(self, x: float) -> int:
        """Return the place of the value that is nearest, as the axis shows it."""
        seen, at = (np.log(self.x), np.log(x)) if self.is_log else (self.x, x)
        return int(np.abs(seen - at).argmin())


def curve_over_values(row: Row, choice: Choice) -> ScoreCurve | None:
    """Return scores over the value that was varied; None for a kernel without one."""
    parameter, place = parameter_of(row.line), row.components - 1
    tried = [
        one
        for one in row.tried
        if len(one.scores) > place and np.isfinite(one.scores[place])
    ]
    if parameter is None or row.value is None or not tried:
        return None
    x = np.array([one.value for one in tried], dtype=np.float64)
    is_gamma = row.line.family == "rbf" and row.line.scanned == "gamma"
    known = choice.rules if is_gamma else ()
    return ScoreCurve(
        parameter.symbol,
        x,
        np.array([one.scores[place] for one in tried]),
        np.array([one.errors[place] for one in tried]),
        choice.evidence,
        row.value,
        is_log=parameter.scale == "log",
        stable=row.stable,
        rules=tuple((name, at) for name, at in known if x.min() <= at <= x.max()),
        levels=_levels(choice, place),
    )


def curve_over_components(row: Row, choice: Choice) -> ScoreCurve | None:
    """Return scores over the number of components, at the value of the row.

    None where only one of them has a score.
    """
    own = _own(row)
    if own is None or len(own.scores) < 2:
        return None
    return ScoreCurve(
        "components",
        np.arange(1, len(own.scores) + 1, dtype=np.float64),
        own.scores,
        own.errors,
        choice.evidence,
        row.components,
        is_whole=True,
        levels=() if choice.chance is None else (("guessing", choice.chance),),
    )


def _own(row: Row) -> Tried | None:
    return next((one for one in row.tried if one.value == row.value), None)


def _levels(choice: Choice, place: int) -> Named:
    """Return what guessing scores, and linear PCA with as many components."""
    levels = [] if choice.chance is None else [("guessing", choice.chance)]
    linear = next((row for row in choice.rows if row.line.is_linear), None)
    own = None if linear is None else _own(linear)
    if own is not None and len(own.scores) > place:
        levels.append(("linear PCA", float(own.scores[place])))
    return tuple(levels)
