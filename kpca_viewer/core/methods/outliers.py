"""Which rows are odd: how well a model represents each, and how far out it lies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.core.projection import no_lengths
from kpca_viewer.core.solvers.problem import Decomposition, positive_part
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import readable

How = Literal["empirical", "permutation"]

LEVEL = 0.95
"""Share of the rows below a limit."""

SHUFFLED_ROWS = 2000
"""Rows with shuffled columns, from which a limit by permutation is read."""


@dataclass(frozen=True, eq=False)
class RowDiagnostics:
    """Three numbers for every row, about the components that were asked for."""

    t2: Array
    """Shape (m,). ``Σ_j z_j²/λ_j``: how far out along the components, in units of
    their spread; its mean over training rows is the number of components."""
    lengths: Array | None
    """Shape (m,). ``k̃(x, x)``, squared distance to the mean in feature space."""
    cos2: Array | None
    """Shape (m,). ``Σ_j z_j² / k̃(x, x)``: share of that in the components, 0 … 1."""
    spe: Array | None
    """Shape (m,). ``k̃(x, x) − Σ_j z_j²``: squared distance to the model."""
    why_not: str = ""
    """One sentence where there are no lengths; empty else."""


def diagnosed(
    found: Decomposition,
    scores: Array,
    lengths: Array,
    components: Array | None = None,
) -> RowDiagnostics:
    """Diagnose rows by their scores.

    ``scores`` (m, k): of all components, of training rows or new ones; ``lengths``
    (m,): ``k̃(x, x)``, as `FeatureSpace.placed` or `training_lengths` give them;
    ``components``: which of the components count; by default all.
    """
    k = len(found.eigenvalues)
    chosen = np.arange(k) if components is None else np.asarray(components, dtype=int)
    if chosen.size and not 0 <= chosen.min() <= chosen.max() < k:
        raise DataError(
            f"Component {int(chosen.max()) + 1} is not there: the model has {k}; "
            "choose among these."
        )
    variances = positive_part(found)[chosen] / found.n
    live = variances > 0
    squares = np.square(scores[:, chosen[live]].astype(np.float64, copy=False))
    t2 = (squares / variances[live]).sum(axis=1)
    why_not = no_lengths(found)
    if why_not:
        return RowDiagnostics(t2, None, None, None, why_not)
    inside = squares.sum(axis=1)
    # Rounding must not place a row beyond its own length.
    lengths = np.maximum(np.asarray(lengths, dtype=np.float64), 0.0)
    spe = np.maximum(lengths - inside, 0.0)
    # A row at the mean itself has nothing that the components could miss.
    cos2 = np.ones_like(lengths)
    np.divide(inside, lengths, out=cos2, where=lengths > 0)
    return RowDiagnostics(t2, lengths, np.minimum(cos2, 1.0), spe)


@dataclass(frozen=True)
class Limit:
    """A value that few rows exceed, and how it was found."""

    value: float
    level: float
    how: How
    rows: int
    """From how many rows it was read."""
    below: int
    """How many of these do not exceed it: of few rows, the level is no share."""

    @property
    def sentence(self) -> str:
        """What the limit means."""
        value = readable(self.value)
        if self.how == "empirical":
            return f"{self.below:,} of the {self.rows:,} rows do not exceed {value}"
        return (
            f"{self.below:,} of {self.rows:,} rows whose columns were shuffled do not "
            f"exceed {value}"
        )


def empirical_limit(values: Array, level: float = LEVEL) -> Limit:
    """Return what the share ``level`` of the rows does not exceed."""
    return _limit(values, level, "empirical")


def permutation_limits(
    X: Array,
    diagnose: Callable[[Array], RowDiagnostics],
    rows: int = SHUFFLED_ROWS,
) -> tuple[Limit, Limit | None]:
    """Limits of T² and SPE (None if there is none) for rows without structure.

    Every column is shuffled by itself: each value occurs as before, but the columns
    have nothing to do with each other any more. A row beyond the limit is farther out
    than almost all such rows.

    ``X`` (n, d): training points as the kernel sees them; ``diagnose``: new rows (m, d)
    → their diagnostics by the training model.
    """
    rng = np.random.default_rng(0)
    shuffled = rng.permuted(X[_some(len(X), rows, rng)], axis=0)
    found = diagnose(shuffled)
    spe = None if found.spe is None else _limit(found.spe, LEVEL, "permutation")
    return _limit(found.t2, LEVEL, "permutation"), spe


def _some(n: int, most: int, rng: np.random.Generator) -> Array:
    return np.arange(n) if n <= most else rng.choice(n, most, replace=False)


def _limit(values: Array, level: float, how: How) -> Limit:
    if not 0 < level < 1:
        raise DataError(f"The level is {readable(level)}; choose one between 0 and 1.")
    if not len(values):
        raise DataError("There is no row to read a limit from; add rows.")
    value = float(np.quantile(values, level))
    return Limit(value, level, how, len(values), int((values <= value).sum()))
