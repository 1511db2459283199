"""Columns of ``kpca-viewer embed`` that say how odd a row is."""

import argparse
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from kpca_viewer.console.output import Report

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA

Array = NDArray[Any]
Columns = tuple[tuple[str, Array], ...]


def row_columns(
    options: argparse.Namespace, model: "KernelPCA", points: Array | None
) -> Columns:
    """Return cos2, t2 and spe of rows; none unless they are asked for.

    Parameters
    ----------
    points : ndarray of shape (m, d) or None
        New rows as the model takes them; None for its training rows.
    """
    if not options.diagnostics:
        return ()
    found = model.diagnostics(points)
    if found.cos2 is None or found.spe is None:
        return (("t2", found.t2),)
    return (("cos2", found.cos2), ("t2", found.t2), ("spe", found.spe))


def describe_columns(report: Report, columns: Columns, model: "KernelPCA") -> None:
    """Say why columns are missing that were asked for."""
    from kpca_viewer.core.projection import no_lengths

    if len(columns) == 1:
        report.say(f"  only t2 is written: {no_lengths(model._decomposition)}")
