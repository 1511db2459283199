"""What the window says about selected rows."""

from collections.abc import Callable, Sequence

from kpca_viewer.engine.messages import Message
from kpca_viewer.features.selection.compute import SelectionSummary
from kpca_viewer.support.numerals import percent, readable


def too_few_left(count: int) -> Message:
    """Say that rows cannot be left out."""
    left = "Only one row" if count else "No row"
    return Message(
        "warning",
        f"{left} would be left, and kernel PCA compares rows; leave at least two.",
    )


NO_GROUPS = Message(
    "info",
    "There are no two groups in these components; other values of the kernel, or more "
    "components, may show some.",
)


def too_many_rows(most: int) -> Message:
    return Message(
        "warning",
        f"Groups are found among at most {most:,} rows; select some of them and take "
        "only these, or split by k-means.",
    )


Shorten = Callable[[Sequence[str]], Sequence[str]]

CLASSES = 3
"""Classes that are named; the rest is counted."""


def title(found: SelectionSummary) -> str:
    if found.count == found.n:
        return f"All {found.n:,} rows"
    rows = "row" if found.count == 1 else "rows"
    return f"{found.count:,} {rows} ({percent(found.count / found.n, 0)})"


def lines(found: SelectionSummary, shorten: Shorten = tuple) -> list[str]:
    """Return classes, the columns that differ most, and enriched categories.

    Names are shortened together, so that they stay different.
    """
    classes = found.classes[:CLASSES]
    names = shorten([each.name for each in classes])
    said = [
        f"{name}: {percent(each.share, 0)}"
        for name, each in zip(names, classes, strict=True)
    ]
    if len(found.classes) > CLASSES:
        said.append(f"{len(found.classes) - CLASSES} more classes")
    names = shorten([column.name for column in found.columns])
    for name, column in zip(names, found.columns, strict=True):
        sign = "+" if column.effect > 0 else "−"
        said.append(f"{name} {sign}{readable(abs(column.effect), 2)} sd")
    for each in found.categories:
        share, others = percent(each.share, 0), percent(each.others, 0)
        said.append(f"{each.column} = {each.value}: {share}, others {others}")
    return said


ABOUT = (
    "Columns: mean of the selected rows minus that of all others, in pooled standard "
    "deviations; the three that differ most, from 0.2. Categories: those that chance "
    "alone makes so frequent in fewer than 1 of 100 selections."
)
