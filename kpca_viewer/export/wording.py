"""What stands under a picture and at the head of a script."""

from kpca_viewer.engine.pitfalls import forgotten
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.row_set import left_out_words
from kpca_viewer.support.numerals import readable


def kernel_words(result: AnalysisResult) -> str:
    """Return the kernel with its values: "RBF γ = 2"."""
    if result.kernel is None:
        return "given kernel" if result.dataset.kind == "kernel" else "given distances"
    family = result.kernel.family
    symbols = {p.name: p.symbol for p in family.parameters}
    values = " ".join(
        f"{symbols[name]} = {readable(value)}"
        for name, value in result.kernel.values.items()
    )
    return f"{family.title.partition(' (')[0]} {values}".strip()


def caption(result: AnalysisResult) -> str:
    """Return the settings in one line.

    "RBF γ = 2 · 400 × 2 · eigenvalues exact to 1·10⁻⁷"
    """
    dataset = result.dataset
    parts = [kernel_words(result), f"{dataset.n:,} × {dataset.d:,}"]
    if result.full_fit is not None:
        parts[-1] = f"{result.full_fit.words} × {dataset.d:,}"
    elif dataset.sampled_from is not None:
        parts.append(f"drawn at random from {dataset.sampled_from:,} rows")
    if dataset.excluded:
        parts.append(left_out_words(dataset.excluded))
    if dataset.kind == "points" and result.scaler.how != "none":
        parts.append(
            {
                "standardise": "standardised",
                "minmax": "scaled to 0 … 1",
                "unit": "unit rows",
            }[result.scaler.how]
        )
    parts += forgotten(result)
    parts.append(result.certificate)
    return " · ".join(parts)


def one_line(text: str, most: int = 200) -> str:
    """Return a text from a file as one line that can stand in a comment."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
