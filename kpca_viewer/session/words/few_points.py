"""What can be said of so few points that a picture of them is no picture yet."""

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.stages import centred


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
