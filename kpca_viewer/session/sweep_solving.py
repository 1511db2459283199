"""Decompositions of a sweep: each starts where its neighbour in the grid has ended."""

from collections.abc import Iterable
from dataclasses import dataclass

from kpca_viewer.core.bases import Points
from kpca_viewer.core.gram import Gram, PointsGram
from kpca_viewer.core.progress import ShouldStop, never
from kpca_viewer.core.solvers import Decomposition, Problem, WarmStart, solve
from kpca_viewer.session.cache import StageCache
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.stages import Prepared, centred, counts, find_gram

TOLERANCE = 1e-3
"""Asked of the solvers: a thumbnail shows three digits. Bounds stay honest, and
adopting a value computes it to all digits."""

WARM_BYTES = 256 << 20
"""Room for eigenvectors of values already computed, where later ones start."""


@dataclass(frozen=True, eq=False)
class _Warm:
    """What a neighbour leaves behind."""

    points: Points
    start: WarmStart
    solver: str


class SweepSolver:
    """Solves one point of a grid after another.

    Parameters
    ----------
    columns : int
        Of the grid.
    cache : StageCache
    should_stop : callable
    """

    def __init__(
        self, columns: int, cache: StageCache, should_stop: ShouldStop = never
    ) -> None:
        self._columns = columns
        self._cache = cache
        self._should_stop = should_stop
        self._warm: dict[int, _Warm] = {}

    def solve(
        self, index: int, prepared: Prepared, settings: SessionSettings
    ) -> Decomposition:
        """Return the components of a point, with a few to spare for the alignment."""
        chosen, points, kernel = settings.analysis, prepared.points, prepared.kernel
        warm = {i: w for i, w in self._warm.items() if w.points is points}
        nearest = nearest_in_grid(index, warm, self._columns)
        start = None if nearest is None else warm[nearest].start
        solver = chosen.solver
        flat = bool(warm) and all(
            warm[i].solver == "krylov" for i in _beside(index, warm)
        )
        if solver == "auto" and flat and kernel is not None and kernel.psd:
            # Where low rank gave up on both sides, it would give up here too.
            solver = "krylov"
        center = centred(prepared.dataset, settings)
        gram = find_gram(
            prepared, solver, self._cache, self._should_stop, center=center
        )
        found = solve(
            Problem(
                gram,
                counts(prepared, settings)[1],
                center=center,
                tol=TOLERANCE,
                start=start,
                preview=_fits_single(gram),
                should_stop=self._should_stop,
            ),
            solver,
        )
        self._warm[index] = _Warm(points, found.warm_start, found.solver)
        size = max(found.eigenvectors.nbytes, 1)
        while len(self._warm) > max(2, WARM_BYTES // size):
            del self._warm[next(iter(self._warm))]
        return found


def _fits_single(gram: Gram) -> bool:
    """Whether float32 is good enough: a base in float64 and entries of at most 1."""
    return (
        isinstance(gram, PointsGram)
        and gram.base is not None
        and gram.kernel.family.unit_diagonal
    )


def nearest_in_grid(index: int, known: Iterable[int], columns: int) -> int | None:
    """Return the known point next to another one in a grid, row by row."""
    y, x = divmod(index, columns)

    def away(other: int) -> int:
        row, column = divmod(other, columns)
        return (row - y) ** 2 + (column - x) ** 2

    return min(known, key=away, default=None)


def _beside(index: int, known: Iterable[int]) -> list[int]:
    """Return the nearest known points before and after another one."""
    before = max((i for i in known if i < index), default=None)
    after = min((i for i in known if i > index), default=None)
    return [i for i in (before, after) if i is not None]
