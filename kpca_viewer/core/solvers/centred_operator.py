"""What solvers share that work with K: centring, bounds.

K in float32, formed at once, with what float64 has seen of it on the way.

Entries are computed in float64 and stored in float32, so that each is rounded once, by
a known part of itself. Centring takes a constant away, so a constant may be taken off
before: what is left is smaller, and so is its rounding. Products in float64 with these
entries are as good as those with K, but for that rounding; K itself, at twice the
memory, need not be formed.
"""

from dataclasses import dataclass
from functools import cached_property
from math import fsum
from typing import Any

import numpy as np

from kpca_viewer.core.linalg.gram import FEW_ROWS, MatrixGram, PointsGram
from kpca_viewer.core.linalg.products import (
    Gram,
    center_rows,
    dot,
    row_blocks,
    symmetric,
)
from kpca_viewer.core.solvers.problem import Decomposition, Problem
from kpca_viewer.core.spectrum import angle_bounds, index_bounds, norm_bound
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

SMALLEST_SIZE = 1e-100
"""Of the diagonal; the squares of residuals of a smaller matrix would be zero."""


ROUNDING_ALONE = 1e-14
"""Norm, relative to the largest eigenvalue, that is not worth singular values."""


@dataclass(frozen=True, eq=False)
class Centred:
    """The operator ``K̃ = H K H``, or K itself without centring."""

    gram: Gram
    center: bool
    row_means: Array
    """Shape (n,)."""
    known_squares: float | None = None
    """``‖K‖²_F`` where all of K was computed without keeping it."""

    @classmethod
    def of(cls, gram: Gram, problem: Problem) -> "Centred":
        """Prepare the operator; one product with K gives the row means."""
        squares = None
        if isinstance(gram, PointsGram) and gram.factor is not None:
            squares = gram.squares(problem.should_stop)
        if not problem.center:
            return cls(gram, False, np.zeros(gram.n), squares)
        if gram.n <= FEW_ROWS and gram.has_matrix():
            return cls(gram, True, gram.matrix().mean(axis=1, dtype=np.float64))
        ones = np.full((gram.n, 1), 1 / gram.n, dtype=gram.dtype)
        means = dot(gram, ones, problem.should_stop)[:, 0].astype(np.float64)
        return cls(gram, True, means, squares)

    @property
    def n(self) -> int:
        return self.gram.n

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.gram.dtype

    @property
    def trace(self) -> float:
        """``tr K̃ = tr K − Σ K / n``."""
        total = float(self.gram.diagonal().sum(dtype=np.float64))
        return total - (float(self.row_means.sum()) if self.center else 0.0)

    def dot(self, V: Array, should_stop: ShouldStop = never) -> Array:
        if not self.center:
            return dot(self.gram, V, should_stop)
        return center_rows(dot(self.gram, center_rows(V), should_stop))

    def fill(self, target: Array, should_stop: ShouldStop = never) -> None:
        """Write K̃ into a matrix (n, n), in row blocks that can be stopped between."""
        K = self.gram.matrix(should_stop)
        shift = self.row_means - self.row_means.mean() if self.center else None
        for rows in row_blocks(self.n, 8 * self.n):
            check(should_stop)
            target[rows] = K[rows]
            if shift is not None:
                target[rows] -= self.row_means[rows, None]
                target[rows] -= shift

    @cached_property
    def rounding(self) -> float:
        """What floating point may have added to an eigenvalue.

        Relative to K, not to K̃: centring cancels what is common to all entries.
        """
        return self.noise + self.gram.rounding(float(np.sqrt(self._raw_squares)))

    @cached_property
    def noise(self) -> float:
        """What floating point may have added to the product with unit vectors."""
        return self._relative * self._size

    @property
    def _relative(self) -> float:
        Z = self.gram.factor
        terms = self.n if Z is None else max(Z.shape)
        return float(np.finfo(self.gram.dtype).eps * (8 + np.sqrt(terms)))

    @cached_property
    def _size(self) -> float:
        """What rounding is relative to: ``‖K‖_F``, or ``‖Z‖²_F`` of a factor."""
        if self.gram.factor is None:
            return float(np.sqrt(self._raw_squares))
        return float(np.abs(self.gram.diagonal()).sum(dtype=np.float64))

    @cached_property
    def _raw_squares(self) -> float:
        """``‖K‖²_F``, or its bound ``(Σ|K_ii|)²`` where K was not computed."""
        if self.known_squares is not None:
            return self.known_squares
        if not self.gram.has_matrix():
            return float(np.abs(self.gram.diagonal()).sum(dtype=np.float64)) ** 2
        K = self.gram.matrix()
        if self.n <= FEW_ROWS:
            K = K.astype(np.float64, copy=False)
            return float(np.vdot(K, K))
        # In parts, so that float32 does not add up a hundred million terms.
        parts = row_blocks(self.n, K.itemsize * self.n, 1 << 20)
        return sum(float(np.vdot(K[rows], K[rows])) for rows in parts)

    def squares(self) -> float:
        """``‖K̃‖²_F`` where K is in memory or was seen, else NaN."""
        if self.known_squares is None and not self.gram.has_matrix():
            return float("nan")
        total = self._raw_squares
        if self.center:
            m, n = self.row_means, self.n
            total += -2 * n * float(m @ m) + float(n * m.mean()) ** 2
        return max(total, 0.0)

    def squares_slack(self) -> float:
        return self._relative * self._size * float(np.sqrt(self._raw_squares))


def finish(
    problem: Problem,
    centred: Centred,
    values: Array,
    vectors: Array,
    *,
    solver: str,
    reason: str,
    spectrum: Array,
    residual: Array | None = None,
    complete: bool = False,
    errors: tuple[float, float] | None = None,
    smallest: float = 0.0,
    rest: float = np.inf,
    spare: Array | None = None,
    lengths: Array | None = None,
) -> Decomposition:
    """Certify eigenpairs by their residuals and pack them.

    Parameters
    ----------
    values : ndarray of shape (c,)
        Descending Ritz values, at least as many as are wanted.
    vectors : ndarray of shape (n, c)
        Orthonormal Ritz vectors.
    spectrum : ndarray of shape (m,)
    residual : ndarray of shape (n, c), optional
        ``K̃V − VΘ`` where the solver has it already.
    complete : bool
        Whether ``spectrum`` holds all n eigenvalues.
    errors : tuple of float, optional
        Of all n pairs, in place of residuals: bounds on ``‖K̃ − VΛVᵀ‖`` and on
        ``‖VᵀV − I‖``.
    smallest : float
        The smallest Ritz value; no eigenvalue is known to lie below it.
    rest : float
        As for `index_bounds`.
    spare : ndarray of shape (n, s), optional
        Ritz vectors that follow the wanted ones.
    lengths : ndarray of shape (k,), optional
        Of the residuals of vectors that will take the place of these, with the same
        values.
    """
    values = values.astype(np.float64)
    if errors is not None:
        # Weyl for the first, Ostrowski for the second: ΛVᵀV has the values of VΛVᵀ.
        # The residual of a vector has something of all the others, kept or not.
        residual = np.array([[errors[0]]])
        skew = errors[1] * float(np.abs(spectrum).max(initial=0.0))
    else:
        if residual is None:
            residual = centred.dot(vectors, problem.should_stop) - vectors * values
        skew = _skew(values, vectors, residual, complete)
    rounding = centred.rounding + skew
    trace = centred.trace
    squares = float(np.square(spectrum).sum()) if complete else centred.squares()
    if complete:
        smallest = float(spectrum[-1])
    # Only all eigenvalues can show that a matrix of unknown kind is definite after all.
    noise = max(rounding, 1e-12 * float(np.abs(spectrum).max(initial=0.0)))
    told = complete and float(np.abs(spectrum).max(initial=0.0)) >= noise
    psd = problem.gram.psd or (told and smallest >= -noise)
    bounds, following = index_bounds(
        values,
        residual,
        rounding,
        trace=trace,
        squares=squares,
        psd=problem.gram.psd,
        complete=complete,
        slack=centred.squares_slack(),
        rest=rest,
    )
    if complete:
        width = norm_bound(residual)
        rest_of_all = float(np.append(spectrum, -np.inf)[len(values)])
        following = rest_of_all + width + rounding
    own = np.zeros(len(values))
    own += np.linalg.norm(residual.astype(np.float64, copy=False), axis=0)
    if lengths is not None:
        own[: len(lengths)] = lengths
    angles = angle_bounds(values, bounds, own + rounding, following)[: problem.k]
    bounds = bounds[: problem.k]
    values, vectors = values[: problem.k], vectors[:, : problem.k]
    if psd:
        # Below zero there is rounding noise only.
        values, spectrum = np.maximum(values, 0), np.maximum(spectrum, 0)
        # Of next to nothing the trace, a difference, keeps less than its parts do.
        trace = max(trace, float(spectrum.sum()))
    return Decomposition(
        eigenvalues=values,
        eigenvectors=vectors,
        bounds=bounds,
        angles=angles,
        trace=trace,
        squares=squares,
        row_means=centred.row_means,
        solver=solver,
        reason=reason,
        rank=centred.n,
        spectrum=np.asarray(spectrum, dtype=np.float64),
        complete=complete,
        psd=psd,
        # Rounding noise around zero is no negative eigenvalue.
        smallest=smallest if smallest < -noise and not psd else 0.0,
        spare=spare,
    )


def _skew(values: Array, vectors: Array, residual: Array, complete: bool) -> float:
    """Return how far rounding has moved Ritz values off those of an orthonormal basis.

    The theory of the bounds takes ``VᵀV = I`` and ``VᵀE = 0``; float32 keeps neither
    well. Where all eigenvalues are known, ``|μ − θ| ≤ ‖E‖ / σ`` with σ the smallest
    singular value of V (Kahan; Cao, Xie and Li), whatever ``VᵀE`` is.
    """
    V = vectors.astype(np.float64, copy=False)
    overlap = V.T @ V
    overlap.flat[:: len(overlap) + 1] -= 1
    size = float(np.abs(values).max(initial=0.0))
    off = norm_bound(overlap, ROUNDING_ALONE)
    if complete:
        return off * (size + float(np.linalg.norm(residual)))
    return off * size + norm_bound(V.T @ residual, ROUNDING_ALONE * size)


UNIT = float(np.finfo(np.float32).eps) / 2
"""Part of itself by which an entry is rounded at most."""

SAMPLE = 64
"""Rows by which the constant is chosen; any other one would do."""

SMALLEST = 1e-18
"""Added to entries from which nothing is taken off, relative to the diagonal. Far-away
pairs become so small in float32 that their products are subnormal, and each of those
takes as long as a hundred others; beside the diagonal this is not seen."""


@dataclass(frozen=True, eq=False)
class Rounded(Centred):
    """The operator K̃ by entries in float32 and products in float64."""

    stored: MatrixGram | None = None
    """``K − shift``, rounded."""
    shift: float = 0.0
    shifted_squares: float = 0.0
    """``‖K − shift‖²_F``."""

    @classmethod
    def form(cls, gram: Gram, problem: Problem) -> "Rounded":
        """Compute every entry once."""
        n = gram.n
        diagonal = gram.diagonal()
        off = _taken_off(gram, diagonal, problem.center)
        squares: list[float] = []

        def tile(rows: slice, columns: slice) -> Array:
            K = gram.tile(rows, columns) - off
            square = K[:, : max(rows.stop - columns.start, 0)]
            # What is right of the square on the diagonal is there twice.
            twice = 2 * float(np.vdot(K, K))
            squares.append(twice - float(np.square(square).sum()))
            return K.astype(np.float32)

        S = symmetric(tile, n, np.float32, problem.should_stop, problem.progress)
        np.fill_diagonal(S, diagonal - off)
        stored = MatrixGram(S, psd=True)
        ones = np.full((n, 1), 1 / n)
        means = dot(stored, ones, problem.should_stop)[:, 0]
        # The sum of floats in whatever order the cores have left them.
        shifted = fsum(squares)
        raw = shifted + 2 * n * off * float(means.sum()) + (n * off) ** 2
        means = means + off if problem.center else np.zeros(n)
        return cls(gram, problem.center, means, raw, stored, off, shifted)

    @property
    def rough(self) -> Centred:
        """The same with products in float32."""
        assert self.stored is not None
        means = self.row_means - self.shift if self.center else self.row_means
        return Centred(self.stored, self.center, means, self.shifted_squares)

    def dot(self, V: Array, should_stop: ShouldStop = never) -> Array:
        assert self.stored is not None
        V = V.astype(np.float64, copy=False)
        if not self.center:
            return dot(self.stored, V, should_stop)
        return center_rows(dot(self.stored, center_rows(V), should_stop))

    @cached_property
    def rounding(self) -> float:
        own = self.noise + self.gram.rounding(float(np.sqrt(self._raw_squares)))
        return own + UNIT * float(np.sqrt(self.shifted_squares))

    def squares_slack(self) -> float:
        return (self._relative + 8 * UNIT) * self._raw_squares


def _taken_off(gram: Gram, diagonal: Array, center: bool) -> float:
    """Return the constant that is taken off every entry."""
    largest = float(np.abs(diagonal).max())
    if center:
        some = np.linspace(0, gram.n - 1, SAMPLE).astype(int)
        typical = float(np.median(gram.block(some, some)))
        if abs(typical) > 1e-9 * largest:
            return typical
    return -SMALLEST * largest
