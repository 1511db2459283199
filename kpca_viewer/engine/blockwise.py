"""Kernel PCA of a table in parts: looks, preparation, fit; who works is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.estimator.keywords import as_keywords
from kpca_viewer.core.estimator.streams import Stream, fit_seen, refuse_unfit
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.methods.kernel_suggestion import suggested
from kpca_viewer.core.solvers.blocks import Each, Look, look
from kpca_viewer.data.parts import Layout, decided, learnt, sampled_labels, surveyed
from kpca_viewer.data.preparation import Scaling
from kpca_viewer.engine.accuracy import LARGE_FROM, tolerance
from kpca_viewer.engine.settings import SessionSettings


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
        **_suggested_values(parts, settings, each),
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


def _suggested_values(
    parts: SeenParts, settings: SessionSettings, each: Each
) -> Mapping[str, float]:
    """Suggest values by the rows of the sample, as for a file that has no others."""
    kernel, seen = settings.kernel, parts.seen
    known = dict(kernel.values)
    parameters = FAMILIES[kernel.family].parameters
    if all(p.name in known or p.follows is None for p in parameters):
        return {}
    order = seen.in_order
    labels, target = sampled_labels(parts.layout, seen.places[order], each)
    return suggested(kernel.family, seen.sample[order], labels, target).values
