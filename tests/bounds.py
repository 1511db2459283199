"""Random matrices with everything that is hard about them, against plain numpy.

`tools/bounds.py` takes tens of thousands of them; the tests take some.
"""

from dataclasses import dataclass, replace
from unittest.mock import patch

import numpy as np

from kpca_viewer.core.kernels.gram import PointsGram
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers import (
    Problem,
    krylov,
    landmarks,
    lowrank,
    onepass,
    refined,
)
from kpca_viewer.support.errors import KpcaError
from tests.core.reference import eigenvalues, gram_matrix, outside
from tests.walks import cloud

METHODS = ("exact pass", "exact pass", "exact pass", "krylov", "lowrank", "one pass")

SIZES = 8, 160
"""Rows."""

TOLERANCES = (0.0, 0.0, 1e-4, 1e-8, 1e-11)


@dataclass(frozen=True)
class Case:
    """One matrix, and what was said about its eigenvalues."""

    where: str
    method: str
    claimed: float
    """Half-width of the widest bound, relative to the largest eigenvalue."""
    beyond: float
    """By how much an eigenvalue leaves its bound, relative to the largest one."""
    residual: float
    """Of the worst eigenvector, relative to the largest eigenvalue."""


class Always(refined.ExactPass):
    """The exact pass, whether it pays or not."""

    def pays(self, problem, rank, needed, capacity):
        return True


class Early(Always):
    """The same from any residual, whatever comes of it: the bounds must say so."""

    def __init__(self, first):
        self.first = first

    def residual(self, problem):
        return self.first

    def taken(self, problem, factor):
        outcome = refined.decompose(problem, factor)
        return None if outcome is None else outcome[0]


def random_points(rng):
    made = cloud(rng, range(*SIZES))
    X = made.points
    if rng.random() < 0.2:
        X = X + 10.0 ** rng.uniform(0, 3)
    return X, made.name


def random_kernel(rng, X):
    """A definite one, of a width between one point and a plane; scales X as well."""
    scale = 10.0 ** (rng.uniform(-100, 70) if rng.random() < 0.15 else rng.normal())
    typical = float(np.var(X)) * X.shape[1] or 1.0
    rate = 10.0 ** rng.normal(-0.5, 1) / (typical * scale**2)
    length = 10.0 ** rng.normal(0.3, 0.6) * typical**0.5 * scale
    match str(
        rng.choice(
            [
                "rbf",
                "rbf",
                "laplacian",
                "matern",
                "rational",
                "poly",
                "linear",
                "cosine",
                "paraboloid",
            ]
        )
    ):
        case "rbf":
            kernel = Kernel("rbf", gamma=rate)
        case "laplacian":
            kernel = Kernel("laplacian", gamma=rate**0.5)
        case "matern":
            nu = float(rng.choice([0.5, 1.5, 2.5]))
            kernel = Kernel("matern", nu=nu, length_scale=length)
        case "rational":
            # With a larger one the plain formula of the reference loses digits.
            a = float(min(10.0 ** rng.normal(), 100.0))
            kernel = Kernel("rational_quadratic", mixture=a, length_scale=length)
        case "poly":
            p, c = int(rng.integers(1, 5)), float(rng.choice([0.0, 1.0]))
            kernel = Kernel("poly", gamma=rate, degree=p, coef0=c)
        case other:
            kernel = Kernel(other)
    return kernel, X * scale


def random_case(seed):
    """Solve one random problem; None if nobody could or would."""
    rng = np.random.default_rng(seed)
    X, kind = random_points(rng)
    kernel, X = random_kernel(rng, X)
    method = str(rng.choice(METHODS))
    center = bool(rng.random() < 0.7)
    k = int(rng.integers(1, min(14, len(X) - 1)))
    where = (
        f"case {seed}: {kind}, {len(X)} rows, {kernel.family.name} "
        f"{dict(kernel.values)}, {'centred' if center else 'not centred'}, {k}"
    )
    try:
        points = kernel.points(X, center=center)
    except KpcaError:
        return None
    problem = Problem(
        PointsGram(points, kernel),
        k,
        center=center,
        tol=float(rng.choice(TOLERANCES)),
        seed=int(rng.integers(1000)),
    )
    found, method = _solved(problem, method, rng)
    if found is None:
        return None
    K = gram_matrix(kernel, X)
    truth = eigenvalues(K, center=center)
    largest = float(truth[0]) or 1.0
    # The reference rounds as well, in the distances more than anywhere else.
    entry = float(np.abs(K).max()) or 1.0
    own = 40 * np.finfo(np.float64).eps * entry * np.linalg.norm(K / entry)
    beyond = max(outside(found, truth) - own, 0.0)
    return Case(
        where, method, found.error, beyond / largest, _residual(found, K, center)
    )


def _solved(problem, method, rng):
    n = problem.gram.n
    if method == "krylov" and 2 * problem.k <= n:
        return krylov.solve(problem, "at random"), method
    if method == "exact pass":
        if not refined.may_pass(problem):
            return None, method
        early = bool(rng.random() < 0.7)
        offered = Early(10.0 ** rng.uniform(-3, -0.3)) if early else Always()
        with (
            patch.object(lowrank, "SMALLEST_BLOCK", 8),
            patch.object(lowrank, "SETTLED", 1e-4),
        ):
            found = lowrank.solve(problem, n, may_give_up=False, shortcut=offered)
        if found.landmark_map is not None:
            # Low rank was done before, or the pass was not good enough.
            return None, method
        return found, "early pass" if early else method
    if method == "one pass":
        grade = str(rng.choice(["auto", "proven", "statistical"]))
        loose = bool(rng.random() < 0.5)
        wish = replace(problem, certificate=grade, tol=0.03 if loose else problem.tol)
        # Samples so small that they miss what all rows have.
        with (
            patch.object(landmarks, "ROWS", int(rng.choice([20, 60, 9000]))),
            patch.object(landmarks, "HELD_OUT", 20),
            patch.object(onepass, "FIRST_RANK", 8),
        ):
            found = onepass.solve(wish, n)
        return found, f"one pass, {found.certificate}"
    return lowrank.solve(problem, n, may_give_up=False), "lowrank"


def _residual(found, K, center):
    """Of the vectors whose eigenvalue is no rounding noise."""
    V, values = found.eigenvectors, found.eigenvalues
    live = values > 1e-9 * values.max(initial=0.0)
    V, values = V[:, live], values[live]
    if not len(values):
        return 0.0
    image = K @ (V - V.mean(axis=0) if center else V)
    image = image - image.mean(axis=0) if center else image
    return float(np.linalg.norm(image - V * values, 2) / values[0])
