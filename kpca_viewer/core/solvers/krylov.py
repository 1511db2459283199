"""Block Krylov iteration with implicit centring and warm start.

The basis Q and its image ``W = K̃Q`` are both kept, so that Rayleigh–Ritz values and
their true residuals cost no further pass over K. A block holds the wanted vectors and
a few random ones, so that it mostly finds what a warm start lacks;
`missed_eigenpairs` sees whether it has found all.

A definite matrix is worked on in float32 first, at half the cost of every pass. The
vectors found so are only where float64 starts, which measures their true residual;
mostly one pass over K shows that nothing is left to do.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import log

import numpy as np

from kpca_viewer.core.linalg.gram import MatrixGram, fits_single
from kpca_viewer.core.linalg.products import Gram, center_rows, row_blocks
from kpca_viewer.core.orientation import has_ties
from kpca_viewer.core.solvers import missed_eigenpairs
from kpca_viewer.core.solvers.centred_operator import (
    SMALLEST_SIZE,
    Centred,
    Rounded,
    finish,
)
from kpca_viewer.core.solvers.krylov_basis import Basis, Found, orthonormal
from kpca_viewer.core.solvers.negative_mass import negative_sum
from kpca_viewer.core.solvers.problem import Decomposition, Problem, WarmStart
from kpca_viewer.core.spectrum import largest_rest
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.memory import fits
from kpca_viewer.support.progress import check

OVERSAMPLING = 6
"""Vectors in the block beyond the wanted ones; they speed up the slowest pair."""

COLUMNS = 8
"""That BLAS multiplies at once: fewer take as long."""

FIRST_LOOK = 4
"""Passes before convergence is looked for, without a start that may be near it."""

FASTEST = 20.0
"""A pass divides the residual by about this much at most: when to look again."""

MOST_PASSES = 200
"""Limit on the passes if no other is set."""

SINGLE_FROM = 500
"""Rows from which float32 saves more in its passes than its copy of K costs."""

SINGLE_REACHES = 1e-6
"""The residual, relative to the largest eigenvalue, that float32 mostly gets to."""

MOST_ROUNDING = 0.5
"""Of the tolerance that is wanted, the part that entries in float32 may take; where
that is not enough, K is formed in float64."""

GOAL = 0.9
"""Of the tolerance that is wanted, the part that the residual may take."""

MARGIN = 0.1
"""And the part by which what lies beyond the wanted ones may exceed the last of them:
less than the residual leaves, for there is rounding too."""

MOST_ATTEMPTS = 10
"""Looks for what was missed; each finds up to a block of it."""


def block_width(k: int) -> int:
    """Return how many vectors a block has of which k are wanted."""
    return -(-(k + max(OVERSAMPLING, k // 4)) // COLUMNS) * COLUMNS


def solve(problem: Problem, reason: str) -> Decomposition:
    """Find the leading eigenpairs to the wanted residual, by passes over K."""
    size = float(np.abs(problem.gram.diagonal()).max(initial=0.0))
    if 0 < size < SMALLEST_SIZE and problem.gram.psd:
        return _enlarged(problem, reason, size)
    gram = problem.gram.single() if problem.preview else problem.gram
    if not gram.has_matrix() and _single_helps(problem, gram):
        centred: Centred = Rounded.form(gram, problem)
    else:
        centred = _whole(gram, problem)
    problem.progress("eigenvalues", None)
    return _solve(problem, centred, reason)


def _solve(problem: Problem, centred: Centred, reason: str) -> Decomposition:
    gram = centred.gram
    k = min(problem.k, gram.n)
    width = min(gram.n, block_width(k))
    start, is_warm = _start(problem, width, gram)
    # More passes, wherever they start, also find the negative end, if there is one.
    first_look = 2 if is_warm and gram.psd else FIRST_LOOK
    rough = _rough(problem, centred)
    known = np.zeros(0)
    if rough is not None:
        found = _in_single(problem, rough, start, k, first_look)
        start, first_look = found.block.astype(np.float64), 1
        known = found.values
        if centred.rounding > MOST_ROUNDING * problem.wanted * found.scale:
            centred = _whole(gram, problem)
    goal = max(GOAL * problem.wanted, gram.n * np.finfo(gram.dtype).eps * 0.1)
    limit = problem.max_iter or MOST_PASSES
    found = iterate(problem, centred, start, k, goal, limit, first_look)
    smallest = float(found.values[-1])
    found = replace(found, known=known)
    found, count, rest = _completed(problem, centred, rough, found, k, goal, limit)
    solved = finish(
        problem,
        centred,
        found.values[:count],
        found.block[:, :count],
        solver="krylov",
        reason=reason,
        spectrum=found.values[:k],
        residual=found.residual[:, :count],
        smallest=min(smallest, float(found.values[-1])),
        rest=rest,
        spare=found.block[:, k:].copy(),
    )
    if isinstance(centred, Rounded) and has_ties(solved.eigenvalues, solved.bounds):
        # Entries in float64 may tell them apart.
        problem = replace(problem, start=WarmStart(found.block.astype(np.float64)))
        return _solve(problem, _whole(gram, problem), reason)
    if solved.psd:
        return solved
    parts = found.values[:k], found.block[:, :k], found.residual[:, :k]
    negative = negative_sum(problem, centred, *parts)
    return negative.put_into(solved, centred.rounding)


def _enlarged(problem: Problem, reason: str, size: float) -> Decomposition:
    """Solve the problem of ``K/size``, whose squares are numbers of a usual size."""
    gram = problem.gram
    K = gram.matrix(problem.should_stop, problem.progress) / size
    large = MatrixGram(K, psd=True)
    found = solve(replace(problem, gram=large), reason)
    rounding = gram.rounding(size * float(np.linalg.norm(K)))
    bounds = size * found.bounds + np.array([-rounding, rounding])
    return replace(
        found,
        eigenvalues=size * found.eigenvalues,
        bounds=np.maximum(bounds, 0.0),
        # The kernel was rounded too, by what the gaps do not know.
        angles=np.full(len(bounds), np.inf),
        trace=size * found.trace,
        squares=size**2 * found.squares,
        row_means=size * found.row_means,
        spectrum=size * found.spectrum,
    )


def _completed(
    problem: Problem,
    centred: Centred,
    rough: Centred | None,
    found: Found,
    k: int,
    goal: float,
    limit: int,
) -> tuple[Found, int, float]:
    """Look for eigenvectors that were missed, until there are none.

    Returns
    -------
    tuple of (found, count, rest)
        With so many of its Ritz vectors split off, no eigenvalue exceeds ``rest``.
    """
    passes = found.passes
    for attempt in range(MOST_ATTEMPTS):
        if len(found.values) >= centred.n:
            # The basis is the whole space, and nothing is beyond it.
            return found, k, float(np.append(found.values, -np.inf)[k])
        width = max(goal * found.scale, found.worst)
        if width == 0 or passes >= limit:
            break
        count, hoped = missed_eigenpairs.split(found, k, MARGIN * width)
        ceiling = largest_rest(
            found.values[:count],
            found.residual[:, :count],
            trace=centred.trace + centred.rounding,
            squares=centred.squares(),
            psd=centred.gram.psd,
            slack=centred.squares_slack(),
        )
        if ceiling <= hoped:
            return found, count, ceiling
        V = found.block[:, :count]
        seed = [problem.seed, attempt, int(np.float64(centred.trace).view(np.uint64))]
        rest, edge = ceiling, found.following(count)
        for operator in _from_rough_to_fine(rough, centred):
            outcome = missed_eigenpairs.look(
                problem, operator, V, hoped, ceiling, seed, limit - passes, edge
            )
            passes += outcome.passes
            rest = min(rest, outcome.bound)
            if rest <= hoped or outcome.missed.shape[1] or passes >= limit:
                break
        if not outcome.missed.shape[1]:
            return found, count, rest
        # The best of what is known and of what was not, to go on with.
        start = np.hstack((found.block, outcome.missed.astype(centred.dtype)))
        found = iterate(problem, centred, start, k, goal, max(limit - passes, 1), 1)
        passes += found.passes
    return found, k, np.inf


def _from_rough_to_fine(rough: Centred | None, centred: Centred) -> Iterator[Centred]:
    """Yield the matrix in float32, where it is known already, then in float64."""
    if rough is not None:
        yield rough
    yield centred
    gram = centred.gram
    if gram.dtype == np.float32 and gram.has_matrix() and fits(8 * gram.n * gram.n):
        # The same entries, but products of them that are not rounded as much.
        wide = MatrixGram(gram.matrix().astype(np.float64), psd=gram.psd)
        yield Centred(wide, centred.center, centred.row_means)


def iterate(
    problem: Problem,
    centred: Centred,
    start: Array,
    k: int,
    goal: float,
    limit: int,
    first_look: int,
    *,
    until_it_stalls: bool = False,
) -> Found:
    """Pass over K until the residual is ``goal`` times the largest eigenvalue.

    Parameters
    ----------
    start : ndarray of shape (n, w)
    k : int
        How many pairs must converge.
    limit : int
        The largest number of passes.
    first_look : int
        Passes before convergence is looked for.
    until_it_stalls : bool
        Give up where rounding keeps a small residual from falling.
    """
    n, width = centred.n, start.shape[1]
    basis = Basis(centred, width)
    block = orthonormal(start, None)
    count, look, before = 0, first_look, np.inf
    while True:
        count += 1
        check(problem.should_stop)
        basis.add(block, problem.should_stop)
        last = count == limit or basis.size >= n
        if count < look and not last and not basis.is_full:
            block = basis.next_block()
            if block.shape[1]:
                continue
        found, Y = basis.ritz(k)
        distance = found.worst / (goal * found.scale) if found.scale else 0.0
        problem.progress(f"eigenvalues, pass {count}", _fraction(distance, goal))
        stalled = until_it_stalls and before / 2 < found.worst < 1e-4 * found.scale
        found = replace(found, passes=count)
        if distance <= 1 or last or stalled or not block.shape[1]:
            return found
        look = count + max(1, round(log(distance) / log(FASTEST)))
        before = found.worst
        block = basis.condense(found.values, Y) if basis.is_full else basis.next_block()
        if not block.shape[1]:
            return found


def _rough(problem: Problem, centred: Centred) -> Centred | None:
    """Return the matrix in float32; None where the passes cannot begin in it."""
    if isinstance(centred, Rounded):
        return centred.rough
    helps = _single_helps(problem, centred.gram)
    return _single(problem, centred) if helps else None


def _single_helps(problem: Problem, gram: Gram) -> bool:
    """Whether the passes can begin in float32.

    Not for a matrix that may be indefinite: its negative end is told by the smallest
    Ritz value, which only a whole iteration in float64 knows well.
    """
    return (
        gram.dtype == np.float64
        and gram.factor is None
        and gram.n >= SINGLE_FROM
        and gram.psd
        and problem.wanted >= SINGLE_REACHES
        and problem.max_iter is None
        and fits_single(gram.diagonal())
        and fits(4 * gram.n * gram.n)
        # Where float32 is not enough, K is formed beside it.
        and (gram.has_matrix() or fits(12 * gram.n * gram.n))
    )


def _single(problem: Problem, centred: Centred) -> Centred:
    K = centred.gram.matrix()
    # Far-away pairs become so small in float32 that their products are subnormal, and
    # each of those takes as long as a hundred others. A number added to all entries
    # cures that; it is far too small to be seen beside the diagonal.
    least = 1e-18 * float(np.abs(centred.gram.diagonal()).max())
    single = np.empty(K.shape, dtype=np.float32)
    for rows in row_blocks(centred.n, 8 * centred.n):
        check(problem.should_stop)
        np.add(K[rows], least, out=single[rows], casting="same_kind")
    return Centred(MatrixGram(single, psd=True), centred.center, centred.row_means)


def _in_single(
    problem: Problem, rough: Centred, start: Array, k: int, first_look: int
) -> Found:
    """Return what float32 takes for the leading eigenpairs."""
    return iterate(
        problem,
        rough,
        start.astype(np.float32),
        k,
        problem.wanted,
        limit=50,
        first_look=first_look,
        until_it_stalls=True,
    )


def _whole(gram: Gram, problem: Problem) -> Centred:
    """Keep K in memory where it fits and has no factor; else passes compute it."""
    is_short = gram.has_matrix() or gram.factor is not None
    if not is_short and fits(gram.n * gram.n * gram.dtype.itemsize):
        gram.matrix(problem.should_stop, problem.progress)
    return Centred.of(gram, problem)


def _start(problem: Problem, width: int, gram: Gram) -> tuple[Array, bool]:
    """Earlier eigenvectors, filled up with random columns, and if there are any."""
    rng = np.random.default_rng(problem.seed)
    V = rng.standard_normal((gram.n, width)).astype(gram.dtype)
    warm = problem.start.eigenvectors if problem.start is not None else None
    m = 0
    if warm is not None and warm.shape[0] == gram.n:
        # A low-rank result has zeros where an eigenvalue is rounding noise.
        warm = warm[:, np.linalg.norm(warm, axis=0) > 0.5]
        # Random columns stay in, in case a leading eigenvector is not among these.
        m = min(warm.shape[1], max(width - OVERSAMPLING // 2, 0))
        V[:, :m] = warm[:, :m]
    # The constant vector has the eigenvalue 0: the smallest of a definite matrix, which
    # no one needs, but perhaps among the largest of another one.
    return center_rows(V) if problem.center and gram.psd else V, m > 0


def _fraction(distance: float, goal: float) -> float | None:
    """How many of the digits that are wanted are there."""
    if distance <= 0:
        return None
    return float(np.clip(1 + np.log10(distance) / np.log10(goal), 0, 1))
