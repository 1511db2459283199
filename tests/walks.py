"""Random walks through the settings of the window, each step against plain numpy.

A walk stays with its data and its cache, as the window does: every step starts from
what the one before has left. `tools/walks.py` takes thousands of them.
"""

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.engine.stages import prepare
from kpca_viewer.engine.sweep.point_maker import solve_point
from kpca_viewer.support.errors import Cancelled, KpcaError
from tests.core.reference import gram_matrix

SIZES = (40, 150, 320, 620, 1010, 1060)
"""Rows: on both sides of every size at which the solvers change hands."""

SOLVERS = ("auto", "auto", "auto", "krylov", "krylov", "lowrank")

WAYS = ("drag", "drag", "drag", "jump", "kernel", "centre", "count", "solver")
"""What a step changes."""


@dataclass(frozen=True)
class Step:
    """One picture of a walk.

    Attributes
    ----------
    where : str
        The settings, for whoever wants to come back.
    solver : str
    claimed : float
        The error that is said, relative to the largest eigenvalue.
    ratio : float
        The largest error of an eigenvalue as a part of the width of its bound.
    wrong : str
        What is wrong; nothing if nothing is.
    """

    where: str
    solver: str
    claimed: float
    ratio: float
    wrong: str


def cloud(rng, sizes):
    """Points with and without multiple, clustered and nearly equal eigenvalues."""
    n, d = int(rng.choice(sizes)), int(rng.integers(1, 9))
    kind = str(
        rng.choice(["cloud", "copies", "clusters", "twins", "grid", "ring", "one-hot"])
    )
    X = rng.normal(size=(n, d))
    match kind:
        case "copies":
            X = X[rng.integers(0, max(2, n // 8), n)]
        case "clusters":
            centres = X[rng.integers(0, max(2, n // 12), n)]
            X = centres + 10.0 ** rng.uniform(-8, -2) * rng.normal(size=(n, d))
        case "twins":
            X = np.repeat(X[: max(1, n // 3)], 3, axis=0)
            X = X + 1e-6 * rng.normal(size=X.shape)
        case "grid":
            side = int(np.sqrt(n))
            X = np.argwhere(np.ones((side, side))).astype(float)
        case "ring":
            t = np.linspace(0, 2 * np.pi, n, endpoint=False)
            X = np.column_stack((np.cos(t), np.sin(t)))
        case "one-hot":
            m = max(2, n // 9)
            X = np.repeat(np.eye(m), rng.poisson(8, m) + 1, axis=0)
    return Dataset(X * 10.0 ** rng.uniform(-1, 1), name=kind)


class Walk:
    """A walk from one setting to the next, with the memory that the window has."""

    def __init__(self, seed, sizes=SIZES):
        self.rng = np.random.default_rng(seed)
        self.dataset = cloud(self.rng, sizes)
        self.cache = StageCache()
        self.settings = SessionSettings(
            DataSettings(self.dataset.name, scaling="none"),
            KernelSettings(str(self.rng.choice(["rbf", "laplacian"]))),
            AnalysisSettings(
                int(self.rng.integers(1, 14)), solver=str(self.rng.choice(SOLVERS))
            ),
        )
        self.seed, self.count = seed, 0

    def steps(self, count):
        """Yield so many steps; settings that are refused in a sentence are left out."""
        for _ in range(count):
            self.count += 1
            with suppress(KpcaError):
                yield self._step()
            self.settings = self._moved()

    def _moved(self):
        """Drag a slider, jump, or choose something else."""
        rng, settings = self.rng, self.settings
        kernel, analysis = settings.kernel, settings.analysis
        match str(rng.choice(WAYS)):
            case "solver":
                analysis = replace(analysis, solver=str(rng.choice(SOLVERS)))
            case "kernel":
                kernel = KernelSettings(str(rng.choice(list(FAMILIES))))
            case "centre":
                analysis = replace(analysis, center=not analysis.center)
            case "count":
                analysis = replace(analysis, components=int(rng.integers(1, 14)))
            case how:
                found = prepare(self.dataset, settings, self.cache).kernel
                names = {"gamma", "length_scale"} & set(found.values)
                reach = 0.05 if how == "drag" else 2.0
                for name in names:
                    value = found.values[name] * 10.0 ** rng.normal(0, reach)
                    value = float(np.clip(value, 1e-6, 1e6))
                    kernel = kernel.with_value(name, value)
        return replace(settings, kernel=kernel, analysis=analysis)

    def _step(self):
        prepared = prepare(self.dataset, self.settings, self.cache)
        if self.rng.random() < 0.25:
            # A thumbnail of a sweep: float32 and few digits.
            found, shares = solve_point(prepared, self.settings, self.cache), None
        else:
            result = self._looked_at(moving=bool(self.rng.random() < 0.5))
            found, shares = result.decomposition, result.shares
        kernel, center = prepared.kernel, self.settings.analysis.center
        K = gram_matrix(kernel, self.dataset.points)
        truth = np.linalg.eigvalsh(_centred(K) if center else K)[::-1]
        where = (
            f"walk {self.seed}, step {self.count}: {self.dataset.name}, "
            f"{len(K)} rows, {kernel.family.name} {dict(kernel.values)}, "
            f"{'centred' if center else 'not centred'}, {len(found.eigenvalues)} "
            f"components, {self.settings.analysis.solver}"
            f"{'' if shares is not None else ', thumbnail'}"
        )
        # The reference rounds as well.
        own = 40 * np.finfo(np.float64).eps * np.linalg.norm(K)
        low, high = found.bounds.T
        known = truth[: len(low)]
        outside = max(float((low - known).max()), float((known - high).max()))
        error = np.abs(found.eigenvalues - known)
        ratio = float((error / (np.maximum(high - low, own) + own)).max())
        wrong = []
        if outside > own:
            wrong.append(f"{outside / abs(truth[0]):.1e} beyond a bound")
        wrong += _wrong_mass(found, truth, shares)
        wrong += _wrong_vectors(found, K, center, own)
        return Step(where, found.solver, found.error, ratio, "; ".join(wrong))

    def _looked_at(self, *, moving):
        """Return what the window shows first, before it has scored the picture."""
        shown = []
        request = AnalysisRequest(
            self.settings, {self.dataset.name: self.dataset}, moving=moving
        )
        try:
            return run(request, self.cache, lambda: bool(shown), publish=shown.append)
        except Cancelled:
            return shown[0]


def _centred(K):
    """``H K H`` entry by entry: two products less than `reference.centred`."""
    means = K.mean(axis=0)
    return K - means - means[:, None] + means.mean()


def _wrong_mass(found, truth, shares):
    mass, total = found.mass, np.abs(truth).sum()
    noise = 1e-9 * total
    true = -truth[truth < -noise].sum() / total
    wrong = []
    if found.solver != "lowrank" and not mass.low - 1e-6 <= true <= mass.high + 1e-6:
        wrong.append(f"negative mass {true:.4f} not in {mass.low:.4f}…{mass.high:.4f}")
    if shares is not None:
        slack = 0.05 if not mass.exact else 1e-4
        off = np.abs(shares - truth[: len(shares)] / total).max()
        if off > slack:
            wrong.append(f"a share is off by {off:.1e}")
    return wrong


def _wrong_vectors(found, K, center, own):
    """Vectors are those of their eigenvalues, as well as is claimed."""
    V = found.eigenvectors.astype(np.float64)
    live = found.eigenvalues > 1e-7 * found.eigenvalues.max(initial=0.0)
    V, values = V[:, live], found.eigenvalues[live]
    if not V.shape[1]:
        return []
    image = (_centred(K) if center else K) @ V
    residual = np.linalg.norm(image - V * values, axis=0).max()
    width = (found.bounds[:, 1] - found.bounds[:, 0]).max()
    # An error ε of an eigenvalue leaves one of √ε in its vector where K̂ is a part of K.
    allowed = 2 * width + 2 * np.sqrt(width * values[0]) + 10 * own
    if residual > allowed:
        return [f"a residual of {residual / values[0]:.1e}"]
    return []
