"""Which solver, and why, in words that a status bar can show.

Rows that are all equal: centred, nothing is left of K, and rounding is no result.
"""

from dataclasses import replace

import numpy as np

from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.linalg.products import Gram, row_blocks
from kpca_viewer.core.orientation import canonical
from kpca_viewer.core.solvers import (
    exact_pass,
    few_rows,
    krylov,
    krylov_basis,
    lowrank,
    onepass,
)
from kpca_viewer.core.solvers.dense import solve_dense
from kpca_viewer.core.solvers.landmarks import SINGLE_REACHES
from kpca_viewer.core.solvers.problem import Decomposition, Problem, WarmStart
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import SolverError, TooLargeError
from kpca_viewer.support.numerals import byte_size, readable
from kpca_viewer.support.threads import one_blas_thread

SOLVERS = ("auto", "dense", "arpack", "randomized", "krylov", "lowrank")

IN_PLACE_OF = ("arpack", "randomized")
"""Solvers of scikit-learn for which block Krylov does the work, with bounds and all
copies of an eigenvalue."""

FULL_PRECISION = 1e-12
"""Their tolerance by default; from a thousand points on, that of arpack only."""

FULL_PRECISION_BELOW = 1000
"""Below this many points the default agrees with a dense solver to all digits."""

DENSE_BELOW = 300
"""A dense decomposition of so few points is done before others have started."""

MANY_ROWS = 20_000
"""From here on a flat spectrum is not worth all of K, unless many digits are wanted."""

ONE_PASS_FROM = 50_000
"""From here on no factor is kept: one pass over all rows is as fast, in little memory.
Below, growing a factor of all rows is up to twice as fast."""

USUAL_RANK = 2000
"""Landmarks for which a factor must have room to be begun."""

MOST_LANDMARKS = 5000
"""The largest rank of a factor in memory, and of what has to be proven."""

MOST_SAMPLED = 2000
"""The largest rank where a sample certifies: from there on, four times the work halves
what is left."""

SMALL = 64 << 20
"""Bytes that every machine has; to look costs more than to decompose a few rows."""

DENSE_INDEFINITE_BELOW = 2000
"""The negative mass of an indefinite matrix needs all its eigenvalues."""


def choose(problem: Problem) -> tuple[str, str]:
    """Name the solver to start with and say why.

    Returns
    -------
    tuple of (solver, reason)
    """
    n, k = problem.gram.n, problem.k
    if n < FULL_PRECISION_BELOW and problem.tol == 0:
        return "dense", "few points"
    if n < DENSE_BELOW:
        return "dense", "few points"
    if problem.whole_range and _dense_fits(n):
        return "dense", "few dimensions"
    if k > n // 5 and _dense_fits(n):
        return "dense", "many components"
    if not problem.gram.psd:
        if n < DENSE_INDEFINITE_BELOW and not problem.preview:
            return "dense", "the kernel may be indefinite"
        return "krylov", "the kernel may be indefinite"
    if problem.gram.has_matrix():
        return "krylov", "the kernel matrix is given"
    return "lowrank", "smooth kernel"


# Where other programs use the cores, several BLAS threads wait for each other longer
# than they compute; and digits would depend on how many there are.
@one_blas_thread()
def solve(problem: Problem, solver: str = "auto") -> Decomposition:
    """Solve by the named method, or by the one that suits the problem.

    Whichever it is, the components have their canonical orientation, and of rows that
    are all equal every eigenvalue is 0.

    Raises
    ------
    TooLargeError
        Before anything is allocated, if the method cannot fit into memory.
    SolverError
        If the method cannot do what is asked.
    """
    if problem.center and rows_are_equal(problem.gram):
        problem = replace(problem, publish=None)
        return without_variance(_oriented(_solved(problem, solver)))
    if (publish := problem.publish) is not None:
        problem = replace(problem, publish=lambda draft: publish(_oriented(draft)))
    return _oriented(_solved(problem, solver))


def _oriented(found: Decomposition) -> Decomposition:
    if found.is_oriented:
        return found
    R = canonical(found.eigenvectors, found.eigenvalues, found.bounds)
    return found.oriented(R)


def _solved(problem: Problem, solver: str) -> Decomposition:
    if solver not in SOLVERS:
        raise SolverError(
            f"There is no solver {solver!r}; choose one of {', '.join(SOLVERS)}."
        )
    reason = "as chosen"
    automatic = solver == "auto"
    if solver in IN_PLACE_OF:
        reason = f"in the place of {solver}"
        exact = solver == "arpack" or problem.gram.n < FULL_PRECISION_BELOW
        problem = replace(problem, tol=problem.tol or exact * FULL_PRECISION)
        solver = "krylov"
    if automatic:
        solver, reason = choose(problem)
    if solver == "krylov" and not automatic and 2 * problem.k > problem.gram.n:
        solver, reason = "dense", "the Krylov basis would be the whole space"
    if solver == "lowrank":
        return _low_rank(problem, automatic)
    forecast(problem, solver)
    if solver == "dense":
        if automatic and _few_are_enough(problem):
            found = few_rows.solve(problem, reason)
            if found is not None:
                return found
        return solve_dense(problem, reason)
    return krylov.solve(problem, reason)


def _few_are_enough(problem: Problem) -> bool:
    """Whether so few eigenpairs of few rows are found before all of them are."""
    gram, k = problem.gram, problem.k
    least = few_rows.LEAST_ROWS + few_rows.ROWS_PER_PAIR * k
    return not problem.all_values and gram.psd and gram.n >= least


def forecast(problem: Problem, solver: str) -> int:
    """Return the bytes that a solver will need; refuse what cannot fit.

    Low rank is not asked here: it fits its rank to the memory.
    """
    n, item = problem.gram.n, problem.gram.dtype.itemsize
    if solver == "dense":
        existing = 0 if problem.gram.has_matrix() else n * n * item
        # K, its centred copy, the eigenvectors and the workspace of LAPACK.
        size = existing + 4 * n * n * 8
    else:
        width = krylov.block_width(problem.k)
        # Without room for K, its rows are computed again in every pass.
        size = 2 * min(n, krylov_basis.LARGEST_BASIS * width) * n * item
    if size <= SMALL:
        return size
    memory.require(
        size,
        f"The {solver} solver for {n:,} points",
        "choose the low-rank solver, which needs no n × n matrix, or fewer points"
        if problem.gram.psd
        else "choose fewer points or a positive definite kernel such as RBF",
    )
    return size


def _low_rank(problem: Problem, automatic: bool) -> Decomposition:
    """Low rank as far as it pays; beyond that, block Krylov takes over."""
    gram = problem.gram
    if not gram.psd:
        raise SolverError(
            "The low-rank solver needs a positive semi-definite kernel; choose "
            "the dense or the Krylov solver."
        )
    n = gram.n
    # The matrix and the copy in float32 that block Krylov begins with.
    krylov_is_possible = gram.factor is not None or memory.fits(
        n * n * (gram.dtype.itemsize + 4)
    )
    one_pass_is_possible = isinstance(gram, PointsGram) and gram.base is None
    few_digits = problem.wanted >= SINGLE_REACHES or problem.most_landmarks
    # Many digits need the few rows that no sample has seen, and a factor that has.
    if (
        one_pass_is_possible
        and n >= ONE_PASS_FROM
        and (few_digits or not memory.fits(8 * n * USUAL_RANK))
    ):
        return _many_rows(problem, automatic and krylov_is_possible)
    capacity = _capacity(n, 4 if problem.preview else 8)
    sampled = one_pass_is_possible and n >= MANY_ROWS
    tie_break = exact_pass.ExactPass() if exact_pass.may_pass(problem) else None
    if not (automatic and (krylov_is_possible or sampled)):
        outcome = lowrank.solve(
            problem, capacity, may_give_up=False, tie_break=tie_break
        )
        assert isinstance(outcome, Decomposition)
        return outcome
    most = min(capacity, _worthwhile(problem))
    outcome = lowrank.solve(
        problem,
        most,
        # The rest of a flat spectrum may come to an end.
        may_give_up=not isinstance(gram, PointsGram) or gram.largest_rank > most,
        shortcut=None if problem.for_new_points else tie_break,
        tie_break=tie_break,
    )
    if isinstance(outcome, Decomposition):
        return outcome
    if sampled and (few_digits or not krylov_is_possible):
        return _many_rows(problem, krylov_is_possible)
    left = f"{readable(100 * outcome.residual, 2)} %"
    reason = f"flat spectrum: {outcome.rank} landmarks leave {left}"
    if n < FULL_PRECISION_BELOW and not problem.preview:
        # So few points are decomposed before Krylov has found its way.
        return solve_dense(problem, reason)
    start = joined(problem.start, outcome.eigenvectors)
    return krylov.solve(replace(problem, start=start), reason)


def passed_once(n: int, psd: bool, tol: float) -> bool:
    """Whether so many rows are decomposed by one pass over them."""
    return psd and n >= ONE_PASS_FROM and tol >= SINGLE_REACHES


def _many_rows(problem: Problem, krylov_is_possible: bool) -> Decomposition:
    """Low rank by one pass over all rows; block Krylov where a sample says so."""
    may_give_up = krylov_is_possible and problem.most_landmarks is None
    most = MOST_LANDMARKS if problem.certificate == "proven" else MOST_SAMPLED
    if may_give_up:
        most = min(most, _worthwhile(problem))
    found = onepass.solve(problem, most, may_give_up=may_give_up)
    if found is not None:
        return found
    reason = f"flat spectrum: {most:,} landmarks would not do"
    return krylov.solve(problem, reason)


def _worthwhile(problem: Problem) -> int:
    """Return the rank beyond which the passes of block Krylov over K are cheaper.

    A loose tolerance takes only a few of them.
    """
    n = problem.gram.n
    rank = max(problem.k, int(min(n / 4, rank_per_root(problem.wanted) * n**0.5)))
    # A fifth beyond, what was spent is not thrown away so near to the goal. A factor in
    # float32 takes half the time; passes of block Krylov are in float32 anyway.
    return int((1.7 if problem.preview else 1.2) * rank)


def rank_per_root(wanted: float) -> float:
    """Rank per √n at which low rank and block Krylov take as long as each other."""
    return float(np.clip(5 - 2 / 3 * np.log10(wanted), 5, 9))


def joined(start: WarmStart | None, found: Array) -> WarmStart:
    """Eigenvectors of a neighbour first; what low rank has found beyond those next."""
    if (
        start is None
        or start.eigenvectors is None
        or len(start.eigenvectors) != len(found)
    ):
        return WarmStart(found)
    known = start.eigenvectors
    return WarmStart(np.hstack((known, found[:, known.shape[1] :])))


def _capacity(n: int, item: int) -> int:
    """Return the largest rank whose factor fits into half of the free memory."""
    free = memory.available()
    if free is None:
        return min(n, 2000)
    rank = int(0.5 * memory.SHARE * free / (n * item))
    if rank < 8:
        raise TooLargeError(
            f"{n:,} points leave no room for a low-rank factor in "
            f"{byte_size(free)}; choose fewer points."
        )
    return min(n, rank, MOST_LANDMARKS)


def _dense_fits(n: int) -> bool:
    return memory.fits(5 * n * n * 8)


def rows_are_equal(gram: Gram) -> bool:
    """Whether no row of the points differs from another, nor an entry of a given K."""
    if isinstance(gram, PointsGram):
        points = gram.points
        first = points.take(np.array([0])).dense()
        # Hardly any data come farther than this.
        some = np.array([min(1, gram.n - 1), gram.n // 2, gram.n - 1])
        if (points.take(some).dense() != first).any():
            return False
        return all(
            (points.take(rows).dense() == first).all()
            for rows in row_blocks(gram.n, 8 * max(points.d, 1))
        )
    if not gram.has_matrix():
        return False
    K = gram.matrix()
    return bool(K[0, 0] == K[-1, -1] and (K[0, 0] == K).all())


def without_variance(found: Decomposition) -> Decomposition:
    """Return a decomposition of K̃ = 0: every eigenvalue is 0, and so is every score.

    What a solver has found instead is the rounding of K, and of its means.
    """
    map_ = found.landmark_map
    if map_ is not None:
        map_ = replace(map_, directions=np.zeros_like(map_.directions))
    return replace(
        found,
        eigenvalues=np.zeros_like(found.eigenvalues),
        bounds=np.zeros_like(found.bounds),
        angles=np.full(len(found.eigenvalues), np.inf),
        spectrum=np.zeros_like(found.spectrum),
        trace=0.0,
        squares=0.0,
        psd=True,
        smallest=0.0,
        negative=None,
        negative_error=0.0,
        certificate="proven",
        landmark_map=map_,
    )
