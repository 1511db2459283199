"""Eigenpairs of symmetric matrices in memory: all, the leading ones, or of some rows.

Bounds are the business of the solvers. ``numpy.linalg.eigh`` lets go of the interpreter
lock (scipy's does not) but cannot be stopped. Beyond a size where that would be felt it
runs in a process of its own, which can be ended at once.

`leading_pairs` does the same fixed work to every matrix, whatever it holds: that makes
a comparison of many fair. Matrices come one by one or as a stack: of small ones, most
of the time goes into calls, and a stack takes no more of them than one matrix.
"""

import os
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from inspect import signature
from pathlib import Path

import numpy as np

from kpca_viewer.core.linalg import eigh_child
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import SolverError
from kpca_viewer.support.programs import command
from kpca_viewer.support.progress import ShouldStop, check, never

NOISE = {np.dtype(np.float64): 1e-12, np.dtype(np.float32): 2e-7}
"""Eigenvalues below this part of the largest are rounding noise (as scikit-learn)."""

ALL_UP_TO = 120
"""Rows up to which all eigenvalues take no longer than a few."""

PASSES = 5
"""Blocks of the Krylov basis: errors stay below 10⁻³ of the largest eigenvalue, also
where the spectrum is flat."""

SPARE_VECTORS = 4
"""Vectors of a block beyond those that are wanted."""

OWN_PROCESS_FROM = 1600
"""Below, a decomposition ends within about 250 ms, and a process costs as much."""

LEAST_RANK = 60
"""Dimensions of feature space below which Lanczos comes to an end before it has
converged, and goes on from a random vector of its own. The range of the matrix is found
at once there."""

SPARE_DIMENSIONS = 8
"""Random vectors beyond the rank, whose images make sure of the whole range."""

TRIDIAGONAL_BLOCK = 8
"""Columns at a time: of a few hundred rows, products with one column are as quick."""

LAPACK_BLOCK = 32
"""Numbers per column that it may work with."""

SEED = 0
"""Of the vectors that are started from: any will do, but always the same."""


def eigenpairs(matrix: Array, should_stop: ShouldStop = never) -> tuple[Array, Array]:
    """Return all eigenvalues (n,), descending, and eigenvectors of a matrix (n, n)."""
    if len(matrix) < OWN_PROCESS_FROM:
        values, vectors = np.linalg.eigh(matrix)
        return values[::-1], vectors[:, ::-1]

    def fill(target: Array, _should_stop: ShouldStop) -> None:
        target[:] = matrix

    return eigenpairs_by(len(matrix), fill, should_stop)


def eigenpairs_by(
    n: int, fill: Callable[[Array, ShouldStop], object], should_stop: ShouldStop
) -> tuple[Array, Array]:
    """Return the same of a matrix that ``fill`` writes into an array (n, n)."""
    if n < OWN_PROCESS_FROM:
        target = np.empty((n, n))
        fill(target, should_stop)
        values, vectors = np.linalg.eigh(target)
    else:
        values, vectors = _in_own_process(n, fill, should_stop)
    return values[::-1], vectors[:, ::-1]


def _in_own_process(
    n: int, fill: Callable[[Array, ShouldStop], object], should_stop: ShouldStop
) -> tuple[Array, Array]:
    """Decompose in a child process; end it as soon as it is cancelled."""
    # Windows removes no file that is mapped, and a stop holds on to the map.
    with tempfile.TemporaryDirectory(
        prefix="kpca_viewer_", dir=fast_folder(), ignore_cleanup_errors=True
    ) as folder:
        return _by_file(n, Path(folder, "matrix"), fill, should_stop)


def _by_file(
    n: int,
    path: Path,
    fill: Callable[[Array, ShouldStop], object],
    should_stop: ShouldStop,
) -> tuple[Array, Array]:
    """Share a matrix with a child by a file; its map is closed on return."""
    shared = np.memmap(path, dtype=np.float64, mode="w+", shape=(n + 1, n))
    fill(shared[:n], should_stop)
    with subprocess.Popen(
        command(eigh_child.__file__, n, path), stderr=subprocess.PIPE
    ) as child:
        try:
            while True:
                try:
                    _, errors = child.communicate(timeout=0.05)
                    break
                except subprocess.TimeoutExpired:
                    check(should_stop)
        finally:
            child.kill()
    if child.returncode != 0:
        lines = errors.decode(errors="replace").strip().splitlines() or ["no reason"]
        raise SolverError(
            f"The dense solver ended early ({lines[-1]}); choose the low-rank or "
            "the Krylov solver."
        )
    return np.array(shared[n]), np.array(shared[:n])


def fast_folder() -> str | None:
    """Return the folder in memory; None where there is none in which one may write."""
    folder = "/dev/shm"
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def leading_pairs(A: Array, k: int, *, definite: bool = True) -> tuple[Array, Array]:
    """Return the k largest eigenvalues (…, k), descending, and vectors (…, n, k).

    Parameters
    ----------
    A : ndarray of shape (…, n, n)
        Symmetric.
    k : int
        1 … n.
    definite : bool
        Whether no eigenvalue is negative; else all of them are computed, because large
        negative ones would hide the positive.
    """
    if _wants_all(A, k, definite):
        values, vectors = np.linalg.eigh(A)
        return _last(values, k), _last(vectors, k)
    Q, T = _krylov(A, k)
    values, Y = np.linalg.eigh(T)
    return _without_rounding(_last(values, k), A), Q @ _last(Y, k)


def pairs_by_tridiagonal(A: Array, k: int) -> tuple[Array, Array] | None:
    """Return the k largest eigenvalues of A (n, n), descending, and their vectors.

    By a tridiagonal matrix that is similar to A, of which only these are computed:
    half the time of all. None in the rare case that LAPACK finds no vectors. scipy does
    not let go of the interpreter lock for it, so A should be small.
    """
    from scipy.linalg.lapack import dormqr, dstemr, dsytrd

    n = len(A)
    reduced, d, e, scales, _ = dsytrd(A.T, lower=1, lwork=TRIDIAGONAL_BLOCK * n)
    count, values, Z, info = dstemr(
        d, np.append(e, 0.0), 2, 0, 0, n - k + 1, n, lwork=18 * n, liwork=10 * n
    )
    if info or count != k:
        return None
    # The reflections leave the first coordinate as it is.
    V = np.empty((n, k))
    V[0] = Z[0, k - 1 :: -1]
    turned = np.asfortranarray(Z[1:, k - 1 :: -1])
    work = LAPACK_BLOCK * k
    V[1:] = dormqr("L", "N", reduced[1:, :-1], scales, turned, work, overwrite_c=1)[0]
    return values[k - 1 :: -1], V


def leading_values(A: Array, k: int, *, definite: bool = True) -> Array:
    """Return the k largest eigenvalues (…, k), descending; as `leading_pairs`."""
    if _wants_all(A, k, definite):
        return _last(np.linalg.eigvalsh(A), k)
    T = _krylov(A, k)[1]
    return _without_rounding(_last(np.linalg.eigvalsh(T), k), A)


def _wants_all(A: Array, k: int, definite: bool) -> bool:
    return not definite or A.shape[-1] <= max(ALL_UP_TO, 4 * (k + SPARE_VECTORS))


def _last(ascending: Array, k: int) -> Array:
    """Return the last k along the last axis, the last of them first."""
    return ascending[..., ::-1][..., :k]


def _without_rounding(values: Array, A: Array) -> Array:
    """Return descending eigenvalues, with zeros beyond the rank of a definite A."""
    least = A.shape[-1] * np.finfo(np.float64).eps * values[..., :1]
    return np.where(values > least, values, 0.0)


def _krylov(A: Array, k: int) -> tuple[Array, Array]:
    """Return a basis Q (…, n, m) of what A makes of random vectors, and ``QᵀAQ``."""
    n, width = A.shape[-1], k + SPARE_VECTORS
    # Of a rank below its size, the basis holds vectors that A takes to zero as well.
    size = min(PASSES * width, n)
    Q, W = np.empty((*A.shape[:-1], size)), np.empty((*A.shape[:-1], size))
    # The same start for every matrix: the image of random vectors, which has little of
    # what A takes to zero.
    block = _orthonormal(A @ np.random.default_rng(0).standard_normal((n, width)))
    for start in range(0, size, width):
        if start:
            block = _beyond(W[..., start - width : start], Q[..., :start])
        new = slice(start, min(start + width, size))
        Q[..., new] = block[..., : size - start]
        W[..., new] = A @ Q[..., new]
    T = _transposed(Q) @ W
    return Q, (T + _transposed(T)) / 2


def _beyond(V: Array, Q: Array) -> Array:
    """Return orthonormal columns (…, n, w) beside Q that hold what V has beyond it."""
    for _ in range(2):
        # Twice: what is left of a column that lies in Q is rounding, which has parts of
        # Q again.
        V = _orthonormal(V - Q @ (_transposed(Q) @ V))
    return V


def _orthonormal(V: Array) -> Array:
    return np.linalg.qr(V)[0]


def _transposed(V: Array) -> Array:
    return np.swapaxes(V, -1, -2)


def scores_by_rows(
    K: Array,
    rows: Array,
    k: int,
    *,
    center: bool = True,
    definite: bool = True,
    exact: bool = False,
) -> tuple[Array, Array]:
    """Return scores of all rows by the kernel PCA of some of them.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Of all rows, not centred.
    rows : ndarray of shape (m,), or of bool and shape (n,)
        Which ones are learnt from, its components as well as its centring.
    definite : bool
        As for `leading_pairs`.
    exact : bool
        Whether all eigenvalues are found.

    Returns
    -------
    scores : ndarray of shape (n, k)
        Zero where there is no component but rounding.
    values : ndarray of shape (k,) or (m,)
        Eigenvalues, descending: the first k, or all.
    """
    among, beside = K[np.ix_(rows, rows)], K[:, rows]
    if center:
        # A constant of every row is left out: weights add up to 0.
        beside = beside - among.mean(axis=0)
        double_center(among)
    if exact:
        values, V = eigenpairs(among)
    else:
        values, V = leading_pairs(among, min(k, len(among)), definite=definite)
    mu, V = values[:k], V[:, :k]
    if center:
        V = V - V.mean(axis=0)
    live = mu > NOISE[K.dtype] * float(np.abs(mu).max(initial=0.0))
    scores = np.zeros((len(K), k))
    scores[:, : len(mu)][:, live] = (beside @ V[:, live]) / np.sqrt(mu[live])
    return scores, values


def pairs_in_range(K: Array, rank: int) -> tuple[Array, Array]:
    """Return all eigenvalues of K (m, m) that are not 0, and their vectors.

    The images of more random vectors than its rank span all that K does not take to 0.
    """
    width = min(rank + SPARE_DIMENSIONS, len(K))
    start = np.random.default_rng(SEED).standard_normal((len(K), width))
    Q = np.linalg.qr(K @ start)[0]
    values, vectors = eigenpairs(Q.T @ K @ Q)
    return values, Q @ vectors


def lanczos_pairs(
    K: Array, k: int, *, tol: float = 0.0, should_stop: ShouldStop = never
) -> tuple[Array, Array]:
    """Return the k largest eigenvalues of K (m, m), descending, and their vectors.

    All of them where Lanczos does not converge.
    """
    from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

    def product(v: Array) -> Array:
        # An exception in here ends the iteration at once.
        check(should_stop)
        return np.asarray(K @ v)

    random = np.random.default_rng(SEED)
    start = random.standard_normal(len(K))
    # Where it comes to an end, it goes on from a vector of this generator; only newer
    # versions of scipy can be told which.
    more = {"rng": random} if _takes_generator() else {}
    operator = LinearOperator(K.shape, matvec=product, dtype=np.float64)
    try:
        values, vectors = eigsh(operator, k, which="LA", v0=start, tol=tol, **more)
    except ArpackError:
        return eigenpairs(K, should_stop)
    order = np.argsort(-values, kind="stable")
    return values[order], vectors[:, order]


@cache
def _takes_generator() -> bool:
    from scipy.sparse.linalg import eigsh

    return "rng" in signature(eigsh).parameters
