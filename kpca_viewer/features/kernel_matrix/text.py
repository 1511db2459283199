"""What the picture of the kernel matrix says."""

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.numerals import ungrouped

NO_MATRIX = "No kernel matrix yet"
FUNCTION, FUNCTION_TIP = (
    "k(x, ·)",
    "Colour plane and points by the kernel with the row that is pointed at  (H); H "
    "again holds it, Escape ends it.",
)


def caption(result: AnalysisResult, *, centred: bool) -> str:
    """Say what is shown: "centred kernel matrix · 400 of 20,000 points"."""
    distances = result.dataset.kind == "distances" and not centred
    what = "distances" if distances else "kernel matrix"
    text = f"centred {what}" if centred else what
    rows = result.picture.rows
    if not result.picture.sampled:
        return text
    return f"{text} · {len(rows):,} of {result.dataset.n:,} points"


def pair_text(
    dataset: Dataset, pair: tuple[int, int], value: float, *, centred: bool
) -> str:
    """Say what the cell of two rows holds, and their classes."""
    symbol = "d" if dataset.kind == "distances" else "k"
    if centred:
        symbol = "centred k"
    first, second = (dataset.row_text(row) for row in pair)
    text = f"{symbol}({first}, {second}) = {ungrouped(value, 4)}"
    if dataset.labels is None:
        return text
    return f"{text}\n{', '.join(dataset.class_text(row) for row in pair)}"
