"""Decompositions of a sweep: the same for a value, whichever were computed before it.

A neighbour's eigenvectors would save a pass or two, but the last digits would then
depend on the order of the values, on interruptions and on the number of workers; where
eigenvalues are close to each other, digits of the scores of quality too.
"""

from collections.abc import Iterable

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import Gram
from kpca_viewer.core.solvers import Decomposition, Problem, solve
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import Prepared, centred, counts, find_gram
from kpca_viewer.support.progress import ShouldStop, never

TOLERANCE = 1e-3
"""Asked of the solvers: a thumbnail shows three digits. Bounds stay honest, and
adopting a value computes it to all digits."""


def solve_point(
    prepared: Prepared,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop = never,
) -> Decomposition:
    """Return the components of a point, with a few to spare for their orientation."""
    center = centred(prepared.dataset, settings)
    # All values share the pairwise base, so that it pays whatever the solver.
    gram = find_gram(prepared, "krylov", cache, should_stop, center=center)
    problem = Problem(
        gram,
        counts(prepared, settings)[1],
        center=center,
        tol=TOLERANCE,
        preview=_fits_single(gram),
        should_stop=should_stop,
    )
    return solve(problem, settings.analysis.solver)


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
