"""Captions of pictures, and values as Python writes them."""

from dataclasses import dataclass
from typing import Any

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.row_set import left_out_words
from kpca_viewer.engine.text import describe
from kpca_viewer.engine.text.remarks import forgotten


def kernel_words(result: AnalysisResult) -> str:
    """Return the kernel with its values: "RBF γ = 2"."""
    return describe.kernel_words(
        result, title=lambda family: family.title.partition(" (")[0]
    )


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
                "columns": "scaled column by column",
            }[result.scaler.how]
        )
    parts += forgotten(result)
    parts.append(result.certificate)
    return " · ".join(parts)


def one_line(text: str, most: int = 200) -> str:
    """Return a text from a file as one line that can stand in a comment."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


WIDTH = 88


@dataclass(frozen=True)
class Snippet:
    """Lines of Python."""

    body: str
    imports: tuple[str, ...] = ()
    """What the lines need."""
    has_position: bool = False
    """Whether ``position`` (n,) is there after them."""


def quoted(value: Any) -> str:
    """Return a value as Python writes it, texts in double quotes where they can be."""
    if isinstance(value, tuple | list):
        inner = ", ".join(map(quoted, value))
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    simple = isinstance(value, str) and value.isprintable()
    if simple and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return repr(value)


def literal(value: Any, taken: int = 0, indent: int = 0) -> str:
    """Return a value on one line, or on as many as it needs.

    ``taken``: what stands before the value on its first line; ``indent``: of that line.
    """
    if isinstance(value, dict):
        pairs = [f"{quoted(key)}: {quoted(item)}" for key, item in value.items()]
        flat = f"{{{', '.join(pairs)}}}"
    else:
        pairs, flat = [], quoted(value)
    sequence = isinstance(value, tuple | list)
    fits = indent + taken + len(flat) < WIDTH
    if fits or not (sequence or pairs):
        return flat
    space = " " * (indent + 4)
    if pairs or any(isinstance(item, tuple | list) for item in value):
        lines = [f"{space}{text}," for text in pairs or map(quoted, value)]
    else:
        lines = _filled([f"{quoted(item)}," for item in value], space)
    return "\n".join([flat[0], *lines, " " * indent + flat[-1]])


def _filled(items: list[str], space: str) -> list[str]:
    """Return lines of as many items as there is room for."""
    lines = [space + items[0]]
    for item in items[1:]:
        if len(lines[-1]) + 1 + len(item) <= WIDTH:
            lines[-1] += f" {item}"
        else:
            lines.append(space + item)
    return lines
