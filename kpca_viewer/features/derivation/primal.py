"""Primal beside dual: the covariance of φ(X), M × M, beside K̃/n, n × n."""

from dataclasses import dataclass
from math import isinf

import numpy as np

from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.features.derivation.grid_content import (
    Cell,
    ExplainedGrid,
    Explanation,
    GridContent,
)
from kpca_viewer.features.derivation.numbers import plain_table
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import counted, lowered, upper_bound

# Operations are multiplications: φ of one row takes `FeatureMap.products`, an entry of
# the M × M matrix one a row, an entry of K `KernelFamily.operations`, and the
# eigenvalues of a matrix of size s about s³.

LARGEST_MAP = 100
"""Coordinates of φ."""

MOST_ROWS = 5_000


@dataclass(frozen=True, eq=False)
class Way:
    """One of the two ways to the eigenvalues."""

    size: int
    """Of its square matrix."""
    eigenvalues: Array
    """Shape (c,). The largest ones, descending; λ, the variances."""
    filling: int
    """Multiplications until the matrix is there."""
    solving: int
    """About how many its eigenvalues take."""

    @property
    def operations(self) -> int:
        return self.filling + self.solving


@dataclass(frozen=True, eq=False)
class PrimalDual:
    """Both ways to the same eigenvalues."""

    primal: Way
    dual: Way
    difference: float
    """The largest between eigenvalues of the same place."""
    error: float
    """What rounding and the bounds of μ allow."""
    coordinates: tuple[str, ...]
    """Of φ, in a line each: ``√2·x·y``; named x₁ … if there are more than two."""

    @property
    def agrees(self) -> bool:
        """Whether the two are the same as far as they are known."""
        return self.difference <= self.error


def primal_beside_dual(derivation: Derivation) -> PrimalDual | None:
    """Compute both; None where `why_not` says a reason."""
    if why_not(derivation):
        return None
    result, n = derivation.result, derivation.n
    kernel = result.kernel
    assert kernel is not None
    map_ = kernel.feature_map(derivation.d, LARGEST_MAP)
    assert map_ is not None
    features = map_(result.points.dense())
    if derivation.center:
        features = features - features.mean(axis=0)
    covariance = features.T @ features / n
    values = np.linalg.eigvalsh(covariance)[::-1]
    found = result.decomposition
    known = found.spectrum if found.complete else found.eigenvalues
    dual = np.asarray(known, dtype=np.float64) / n
    count = max(len(dual), 1)
    padded = np.zeros(max(count, len(values)))
    padded[: len(values)] = values
    difference = float(np.abs(padded[:count] - dual).max(initial=0.0))
    bound = float(derivation.errors.eigenvalues.max(initial=0.0)) / n
    rounding = 1e-13 * max(len(map_), n) * float(np.abs(values).max(initial=0.0))
    return PrimalDual(
        primal=_primal_way(map_, n, values),
        dual=_dual_way(kernel, derivation, dual),
        difference=difference,
        error=bound + rounding + derivation.errors.kernel,
        coordinates=tuple(map_.plain(_variables(derivation.d))),
    )


def why_not(derivation: Derivation) -> str:
    """Say why there is no primal way to show; empty where there is one."""
    kernel, d, n = derivation.result.kernel, derivation.d, derivation.n
    if kernel is None:
        return text.NO_MAP_OF_MATRIX
    name = kernel.family.short or kernel.family.title
    if not name.isupper():
        name = name.lower()
    if kernel.why_no_map:
        return kernel.why_no_map
    dimension = kernel.feature_dimension(d)
    if isinf(dimension):
        return text.INFINITE_SPACE.format(kernel=name)
    if kernel.feature_map(d, LARGEST_MAP) is None:
        if dimension <= LARGEST_MAP:
            return text.LARGE_WEIGHTS
        return text.MANY_COORDINATES.format(count=counted(dimension), most=LARGEST_MAP)
    if n > MOST_ROWS:
        return text.MANY_ROWS.format(n=counted(n), most=counted(MOST_ROWS))
    return ""


def _primal_way(map_: FeatureMap, n: int, values: Array) -> Way:
    size = len(map_)
    filling = n * map_.products + n * size * (size + 1) // 2
    return Way(size, values, filling, size**3)


def _dual_way(kernel: Kernel, derivation: Derivation, values: Array) -> Way:
    n = derivation.n
    counted_by = kernel.family.operations
    entry = counted_by(derivation.d, kernel.values).products if counted_by else 0
    return Way(n, values, n * (n + 1) // 2 * entry, n**3)


def _variables(d: int) -> list[str]:
    if d <= 2:
        return ["x", "y"][:d]
    return [f"x{lowered(j + 1)}" for j in range(d)]


_MOST = 8
"""Eigenvalues that are written out."""


def primal_note(derivation: Derivation, found: PrimalDual | None) -> str:
    """Say what both ways take and whether they agree, or why there is one only."""
    if found is None:
        return why_not(derivation)
    primal, dual = found.primal.operations, found.dual.operations
    cheaper = text.PRIMAL_CHEAPER if primal < dual else text.DUAL_CHEAPER
    agreement = text.SAME_EIGENVALUES if found.agrees else text.OTHER_EIGENVALUES
    lines = [
        text.MAP.format(coordinates=", ".join(found.coordinates)),
        text.PRIMAL_COST.format(cost=_cost(found.primal, "M")),
        text.DUAL_COST.format(cost=_cost(found.dual, "n")),
        text.EQUAL_COST if primal == dual else cheaper,
        agreement.format(difference=upper_bound(found.difference)),
    ]
    return "\n".join(lines)


def primal_grid(
    derivation: Derivation, found: PrimalDual | None
) -> ExplainedGrid | None:
    """Return the eigenvalues of both below each other; None without a primal."""
    if found is None:
        return None
    ways = found.primal.eigenvalues, found.dual.eigenvalues
    count = min(*map(len, ways), _MOST)
    values = np.vstack([way[:count] for way in ways])
    matrix = f"{derivation.matrix}/n"
    content = GridContent(
        "λ",
        text.GRIDS["primal"],
        values,
        tuple(map(tuple, plain_table(values, found.error))),
        ("cov φ(X)", matrix),
        tuple(text.COMPONENT.format(number=j + 1) for j in range(count)),
        more_columns=max(map(len, ways)) > count,
        is_tinted=False,
    )
    return ExplainedGrid(content, lambda cell: _explained(found, matrix, cell))


def _cost(way: Way, symbol: str) -> str:
    return text.COST.format(
        symbol=symbol,
        size=counted(way.size),
        operations=counted(way.operations),
        filling=counted(way.filling),
        solving=counted(way.solving),
    )


def _explained(found: PrimalDual, matrix: str, cell: Cell) -> Explanation:
    j = cell[1]
    primal, dual = (float(way.eigenvalues[j]) for way in (found.primal, found.dual))
    error = upper_bound(found.error)
    return Explanation(
        title=text.BOTH_WAYS.format(number=j + 1),
        lines=tuple(
            line.format(primal=primal, dual=dual, matrix=matrix, error=error)
            for line in text.BOTH_VALUES
        ),
    )
