"""Where nothing can be said about columns, and the one sentence that says so."""

from kpca_viewer.core.kernels.gradients import require_gradient
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.errors import DataError, KernelError


def refuse_without_columns(result: AnalysisResult) -> Kernel:
    """Return the kernel of a result whose components can be told by columns.

    Raises
    ------
    DataError
        For a matrix that is given, and where nothing varies.
    KernelError
        For a kernel without gradient.
    """
    if result.kernel is None:
        what = "distances" if result.dataset.kind == "distances" else "kernel values"
        raise DataError(
            f"The data are a matrix of {what}, which has no columns that could move a "
            "component; open the table that it was made of."
        )
    if result.dataset.n == 1:
        raise DataError(
            "There is one row only, and with it no component that a column could move; "
            "open two or more."
        )
    require_gradient(result.kernel)
    return result.kernel


def why_no_columns(result: AnalysisResult) -> str:
    """Return the sentence why nothing is said about columns; empty if something is."""
    try:
        refuse_without_columns(result)
    except (DataError, KernelError) as error:
        return str(error)
    return ""
