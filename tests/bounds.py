"""Random matrices with everything that is hard about them, against plain numpy.

`tools/bounds.py` takes tens of thousands of them; the tests take some.
"""

from dataclasses import dataclass, replace
from unittest.mock import patch

import numpy as np
from scipy.sparse import csr_array

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg import gram as gram_module
from kpca_viewer.core.linalg.gram import MatrixGram, PointsGram
from kpca_viewer.core.orientation import canonical
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import (
    Problem,
    exact_pass,
    few_rows,
    krylov,
    landmark_growth,
    landmarks,
    lowrank,
    lowrank_pairs,
    onepass,
    solve,
)
from kpca_viewer.core.solvers.problem import score_bounds
from kpca_viewer.support.errors import KpcaError
from tests.core.reference import eigenvalues, gram_matrix, outside
from tests.walks import cloud

METHODS = (
    *("exact pass", "exact pass", "exact pass", "krylov", "lowrank", "one pass"),
    *("near tie", "few rows"),
)

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
    beyond_angle: float = 0.0
    """By how much a direction or its scores leave their bounds, in radians or relative
    to the longest scores."""
    told: int = 0
    """Directions that have a bound."""


class Always(exact_pass.ExactPass):
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
        outcome = exact_pass.decompose(problem, factor)
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
    return kernel_for(rng, X, scale), X * scale


def random_composition(rng, X):
    """A sum of products of two or three of them."""
    scale = 10.0 ** rng.normal()
    parts = [kernel_for(rng, X, scale) for _ in range(rng.integers(2, 4))]
    kernel = parts[0]
    for part in parts[1:]:
        weighted = 10.0 ** rng.normal() * part
        kernel = kernel + weighted if rng.random() < 0.6 else kernel * weighted
    return kernel, X * scale


def kernel_for(rng, X, scale):
    """One whose width suits the points X times a scale."""
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
    return kernel


def near_ties(rng, n):
    """A matrix, every second one indefinite, of which neighbours are hardly apart."""
    values = np.sort(rng.normal(size=n) ** 2)[::-1]
    if rng.random() < 0.5:
        values[n // 2 :] *= -1
    for j in rng.integers(0, n - 1, size=n // 2):
        values[j + 1] = values[j] * (1 - 10.0 ** rng.uniform(-16, -2))
    Q = np.linalg.qr(rng.normal(size=(n, n)))[0]
    K = (Q * values) @ Q.T
    return (K + K.T) / 2


def random_case(seed, choose=random_kernel):
    """Solve one random problem; None if nobody could or would."""
    rng = np.random.default_rng(seed)
    X, kind = random_points(rng)
    kernel, X = choose(rng, X)
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
    if method == "near tie":
        problem = replace(problem, gram=MatrixGram(near_ties(rng, len(X))))
        where = f"case {seed}: near ties, {len(X)} rows, {k}"
    found, method = _solved(problem, method, rng)
    if found is None:
        return None
    K = problem.gram.matrix() if method == "near tie" else gram_matrix(kernel, X)
    truth = eigenvalues(K, center=center)
    largest = float(truth[0]) or 1.0
    # The reference rounds as well, in the distances more than anywhere else.
    entry = float(np.abs(K).max()) or 1.0
    own = 40 * np.finfo(np.float64).eps * entry * np.linalg.norm(K / entry)
    beyond = max(outside(found, truth) - own, 0.0)
    residual = _residual(found, K, center)
    angle, told = beyond_angles(found, K, center, own)
    return Case(where, method, found.error, beyond / largest, residual, angle, told)


def beyond_angles(found, K, center, own):
    """By how much directions and scores leave their bounds, and how many have one."""
    found = _oriented(found)
    A = K - K.mean(axis=0) if center else K
    A = A - A.mean(axis=1, keepdims=True) if center else A
    mu, U = np.linalg.eigh((A + A.T) / 2)
    mu, U = mu[::-1], U[:, ::-1]
    k, worst, told = len(found.eigenvalues), 0.0, 0
    scores, limits = training_scores(found), score_bounds(found)
    longest = float(np.sqrt(max(mu[0], 0.0))) or 1.0
    for j in range(k):
        gap = np.abs(np.delete(mu, j) - mu[j]).min()
        # The reference is as far from the truth as rounding turns it.
        turned = own / gap if gap > 2 * own else np.pi / 2
        u, z = U[:, j], scores[:, j].astype(np.float64)
        sign = 1.0 if u @ found.eigenvectors[:, j] >= 0 else -1.0
        if np.isfinite(limits[j]):
            away = np.linalg.norm(z - sign * np.sqrt(max(mu[j], 0.0)) * u)
            root = max(np.sqrt(max(mu[j], 0.0)), limits[j])
            slack = root * 2 * turned + np.sqrt(own) * (root < 10 * np.sqrt(own))
            slack += own / max(root, np.sqrt(own))
            worst = max(worst, float(away - limits[j] - slack) / longest)
        if not np.isfinite(found.angles[j]):
            continue
        told += 1
        v = found.eigenvectors[:, j].astype(np.float64)
        sine = np.linalg.norm(v - u * (u @ v)) / np.linalg.norm(v)
        angle = float(np.arcsin(min(sine, 1.0)))
        worst = max(worst, angle - found.angles[j] - 2 * turned - 1e-14)
    return worst, told


def _oriented(found):
    if found.is_oriented:
        return found
    pair = found.eigenvalues, found.bounds
    return found.oriented(canonical(found.eigenvectors, *pair))


def _solved(problem, method, rng):
    n = problem.gram.n
    if method == "near tie":
        return solve(problem, str(rng.choice(["dense", "krylov", "arpack"]))), method
    if method == "few rows":
        if 2 * (problem.k + few_rows.SPARE) > n:
            return None, method
        direct = int(rng.choice([0, few_rows.DIRECT_UP_TO]))
        with patch.object(few_rows, "DIRECT_UP_TO", direct):
            return few_rows.solve(problem, "at random"), method
    if method == "krylov" and 2 * problem.k <= n:
        if problem.gram.kernel.family.bilinear and rng.random() < 0.5:
            return _by_factor(problem, rng)
        return krylov.solve(problem, "at random"), method
    if method == "exact pass":
        if not exact_pass.may_pass(problem):
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
        loosened = replace(
            problem, certificate=grade, tol=0.03 if loose else problem.tol
        )
        # Samples so small that they miss what all rows have.
        with (
            patch.object(landmarks, "ROWS", int(rng.choice([20, 60, 9000]))),
            patch.object(landmarks, "HELD_OUT", 20),
            patch.object(landmark_growth, "FIRST_RANK", 8),
        ):
            found = onepass.solve(loosened, n)
        return found, f"one pass, {found.certificate}"
    if rng.random() < 0.6:
        return _by_leading_pairs(problem, rng)
    return lowrank.solve(problem, n, may_give_up=False), "lowrank"


def _by_leading_pairs(problem, rng):
    """Low rank from whatever the first features leave: the bounds must say so."""
    packed = []

    def leading(problem, factor, first):
        found = lowrank_pairs.leading_eigenpairs(problem, factor, first)
        if found is not None:
            total = float(factor.diagonal.sum())
            packed.append(lowrank._packed(problem, factor, total, found))
        return found

    with (
        patch.object(lowrank, "leading_eigenpairs", leading),
        patch.object(lowrank, "MORE", 1.0),
        patch.object(lowrank, "SMALLEST_BLOCK", 8),
        patch.object(lowrank_pairs, "FIRST_RESIDUAL", 10.0 ** rng.uniform(0, 3)),
    ):
        wanted = replace(problem, all_values=False)
        found = lowrank.solve(wanted, problem.gram.n, may_give_up=False)
    return (packed[0], "leading pairs") if packed else (found, "lowrank")


def _by_factor(problem, rng):
    kernel, points = problem.gram.kernel, problem.gram.points
    sparse = rng.random() < 0.5
    if sparse:
        X = points.X + points.shift if points.moved else points.X
        if kernel.family.lift:
            X = X[:, :-1]
        points = kernel.points(csr_array(X), center=problem.center)
    gram = PointsGram(points, kernel)
    with (
        patch.object(gram_module, "SPARSE_COST", 0),
        patch.object(gram_module, "DENSE_COST", 0),
    ):
        found = krylov.solve(replace(problem, gram=gram), "at random")
    if gram.factor is None:
        return found, "krylov"
    return found, "sparse krylov" if sparse else "krylov by a factor"


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
