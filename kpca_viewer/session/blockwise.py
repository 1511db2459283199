"""Kernel PCA of a table in parts: looks, preparation, fit; who works is given."""

from dataclasses import dataclass
from typing import Any

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.estimator.streams import Stream, fit_seen, refuse_unfit
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.core.streaming import Each, Look, look
from kpca_viewer.data.parts import Layout, decided, learnt, surveyed
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.session.accuracy import LARGE_FROM, tolerance
from kpca_viewer.session.settings import SessionSettings


@dataclass(frozen=True, eq=False)
class SeenParts:
    """Parts after the first look at all their rows."""

    layout: Layout
    seen: Look
    """Its sample is scaled."""


@dataclass(frozen=True, eq=False)
class FittedParts:
    """A model of parts."""

    model: KernelPCA
    passes: int
    """Over all rows, after the first look."""


def look_at(layout: Layout, scaling: Scaling | None, each: Each) -> SeenParts:
    """Look at all rows, and learn how they are scaled.

    Raises
    ------
    KpcaError
        With the part and the row that cannot be used.
    """
    layout = surveyed(decided(layout, each), each)
    seen = look(layout.blocks, each=each)
    return SeenParts(*learnt(layout, seen, scaling))


def fit_parts(parts: SeenParts, settings: SessionSettings, each: Each) -> FittedParts:
    """Fit the model that the settings ask for, without holding all rows.

    Raises
    ------
    KpcaError
    """
    n, analysis, kernel = parts.seen.n, settings.analysis, settings.kernel
    values: dict[str, Any] = {
        **suggested_values(kernel.family, parts.seen.sample),
        **dict(kernel.values),
    }
    model = KernelPCA(
        min(analysis.components, n),
        kernel=kernel.family,
        eigen_solver=analysis.solver,
        tol=tolerance(n) if n >= LARGE_FROM else 0,
        center=analysis.center,
        **as_keywords(values),
    )
    refuse_unfit(model)
    stream = Stream(parts.layout.blocks, each)
    return FittedParts(model, fit_seen(model, stream, parts.seen))
