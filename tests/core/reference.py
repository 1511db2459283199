"""Independent formulas: slow, plain, and not sharing a line with the package."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import make_circles, make_moons

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.solvers import Problem, solve
from tests.memory import memory

ALL_KERNELS = (
    Kernel("linear"),
    Kernel("poly", gamma=0.5, degree=3, coef0=1),
    Kernel("poly", gamma=0.5, degree=2, coef0=0),
    Kernel("rbf", gamma=0.7),
    Kernel("laplacian", gamma=0.4),
    Kernel("matern", nu=0.5, length_scale=1.3),
    Kernel("matern", nu=1.5, length_scale=0.8),
    Kernel("matern", nu=2.5, length_scale=2.0),
    Kernel("rational_quadratic", mixture=0.7, length_scale=1.1),
    Kernel("sigmoid", gamma=0.3, coef0=0.2),
    Kernel("cosine"),
    Kernel("paraboloid"),
)


def kernel_id(kernel):
    return kernel.family.name + "".join(f"-{v:g}" for v in kernel.values.values())


def entry(kernel, x, y):
    """``k(x, y)`` of two rows, as docs/mathematics.md writes it."""
    if kernel.family.split is not None:
        return sum(w * np.prod([entry(p, x, y) for p in ps]) for w, ps in kernel.terms)
    v = kernel.values
    r = np.sqrt(np.sum((x - y) ** 2))
    match kernel.family.name:
        case "linear":
            return x @ y
        case "poly":
            return (v["gamma"] * (x @ y) + v["coef0"]) ** v["degree"]
        case "rbf":
            return np.exp(-v["gamma"] * r**2)
        case "laplacian":
            return np.exp(-v["gamma"] * np.abs(x - y).sum())
        case "matern":
            t = np.sqrt(2 * v["nu"]) * r / v["length_scale"]
            front = {0.5: 1, 1.5: 1 + t, 2.5: 1 + t + t**2 / 3}[v["nu"]]
            return front * np.exp(-t)
        case "rational_quadratic":
            a, length = v["mixture"], v["length_scale"]
            return (1 + r**2 / (2 * a * length**2)) ** -a
        case "sigmoid":
            return np.tanh(v["gamma"] * (x @ y) + v["coef0"])
        case "cosine":
            return (x @ y) / (np.linalg.norm(x) * np.linalg.norm(y))
        case "paraboloid":
            return x @ y + (x @ x) * (y @ y)
    raise AssertionError(kernel)


def gram_matrix(kernel, X):
    """All of K; distances by differences, never by ``|x|² + |y|² − 2xᵀy``."""
    if kernel.family.split is not None:
        return sum(
            w * np.prod([gram_matrix(part, X) for part in parts], axis=0)
            for w, parts in kernel.terms
        )
    v = kernel.values
    R = cdist(X, X)
    match kernel.family.name:
        case "linear":
            return X @ X.T
        case "poly":
            return (v["gamma"] * (X @ X.T) + v["coef0"]) ** v["degree"]
        case "rbf":
            return np.exp(-v["gamma"] * R**2)
        case "laplacian":
            return np.exp(-v["gamma"] * cdist(X, X, "cityblock"))
        case "matern":
            t = np.sqrt(2 * v["nu"]) * R / v["length_scale"]
            front = {0.5: 1, 1.5: 1 + t, 2.5: 1 + t + t**2 / 3}[v["nu"]]
            return front * np.exp(-t)
        case "rational_quadratic":
            a, length = v["mixture"], v["length_scale"]
            return (1 + R**2 / (2 * a * length**2)) ** -a
        case "sigmoid":
            return np.tanh(v["gamma"] * (X @ X.T) + v["coef0"])
        case "cosine":
            U = X / np.linalg.norm(X, axis=1)[:, None]
            return U @ U.T
        case "paraboloid":
            squares = (X**2).sum(axis=1)
            return X @ X.T + np.outer(squares, squares)
    raise AssertionError(kernel)


def centred(K):
    """``H K H`` with H written out."""
    n = len(K)
    H = np.eye(n) - np.ones((n, n)) / n
    return H @ K @ H


@memory.remembering
def eigenvalues(K, *, center=True):
    """All eigenvalues of ``H K H`` (or of K), descending."""
    K = (K + K.T) / 2
    values = np.linalg.eigvalsh(centred(K) if center else K)[::-1]
    values.flags.writeable = False
    return values


def outside(decomposition, truth):
    """By how much the true eigenvalues leave their bounds; 0 if they do not."""
    low, high = decomposition.bounds.T
    truth = truth[: len(low)]
    return max(float((low - truth).max()), float((truth - high).max()), 0.0)


def decompose(X, kernel, k=5, solver="auto", **options):
    gram = PointsGram(kernel.points(X), kernel)
    return solve(Problem(gram, k, **options), solver)


def same_up_to_sign(A, B, tol=1e-8):
    """Whether the columns agree up to sign, relative to the largest entry."""
    assert A.shape == B.shape
    signs = np.where((A * B).sum(axis=0) < 0, -1, 1)
    return np.abs(A * signs - B).max() <= tol * max(np.abs(B).max(), 1e-300)


def circles(n=400, noise=0.05, seed=0, factor=0.3):
    return make_circles(n, factor=factor, noise=noise, random_state=seed)


def moons(n=200, noise=0.1, seed=0):
    return make_moons(n, noise=noise, random_state=seed)
