"""What can be said of so few points that a picture of them is no picture yet."""

from kpca_viewer.core.spectrum import EQUAL_TO_THE_KERNEL, ROUNDING_ALONE
from kpca_viewer.engine.comparison import LinearPCA
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred

ONE_ROW = "No variance: there is one row"
EQUAL_ROWS = "No variance: all rows are equal"


def about_few(result: AnalysisResult) -> str:
    """Say why there is little to see: one point, two, or all of them at one place.

    Nothing for more points, for a given matrix, and where the mean counts as variance.
    """
    dataset = result.dataset
    if dataset.kind != "points" or not centred(dataset, result.settings):
        return ""
    if dataset.n == 1:
        return "One point has no variance; add a second."
    if not dataset.extents.any():
        count = "Both" if dataset.n == 2 else f"All {dataset.n:,}"
        return f"{count} points are at one place: there is no variance; move one."
    if dataset.n == 2:
        return "Two points have one component at most."
    return ""


def about_equal(result: AnalysisResult) -> str:
    """Say that kernel PCA has nothing to show; nothing where there is any variance."""
    dataset, found = result.dataset, result.decomposition
    if found.has_variance:
        return ""
    if not centred(dataset, result.settings) or found.trace != 0:
        return ROUNDING_ALONE
    if dataset.n == 1:
        return ONE_ROW
    differ = dataset.kind == "points" and dataset.extents.any()
    return EQUAL_TO_THE_KERNEL if differ else EQUAL_ROWS


def about_equal_linear(linear: LinearPCA) -> str:
    """Say the same of linear PCA."""
    if linear.shares.any():
        return ""
    return ONE_ROW if len(linear.scores) == 1 else EQUAL_ROWS
