"""Sentences about the influence of columns: each from numbers of the list beside it."""

from collections.abc import Iterator

from kpca_viewer.session.meaning.columns import ColumnInfluence, RankedColumns
from kpca_viewer.support.numerals import counted, percent

STEADY = 0.8
"""Share of the rows from which a direction is worth a word."""

NAMED = 3
"""Columns that a sentence names."""

SAID_OF = 0.02
"""Share below which a column is not named."""


def what_moves(ranked: RankedColumns) -> str:
    """Say which columns move a component most, and which way."""
    what = component_words(ranked.components)
    if not ranked.moves:
        verb = "has" if len(ranked.components) == 1 else "have"
        return f"{what} {verb} no variance: no column moves it."
    named = [
        column
        for column in ranked.columns[:NAMED]
        if column.share >= SAID_OF and column.stands_out is not False
    ]
    if not named:
        return f"{what}: no column has more influence than noise would have."
    parts = [f"“{c.name}” ({percent(c.share, 0)}{_direction(c)})" for c in named]
    verb = "is" if len(ranked.components) == 1 else "are"
    return f"{what} {verb} moved most by {_listed(parts)}."


def direction_words(column: ColumnInfluence) -> str:
    """Say which way a component goes with a column, with how many rows agree."""
    if column.direction == 0:
        return "no direction"
    verb = "grows" if column.direction > 0 else "falls"
    return f"{verb} with it in {percent(column.agreement, 0)} of the rows"


def caveats(ranked: RankedColumns) -> tuple[str, ...]:
    """Return what has to be known to read the numbers, a sentence each."""
    return tuple(_caveats(ranked))


def compared_words(ranked: RankedColumns, is_complete: bool) -> str:
    """Say how many columns were compared with noise, where it is not all of them."""
    count = sum(column.noise is not None for column in ranked.columns)
    varying = sum(not column.constant for column in ranked.columns)
    if count == varying or not ranked.moves:
        return ""
    if not count:
        return "Not compared with noise." if is_complete else ""
    return f"{counted(count)} of {counted(varying)} columns are compared with noise."


def component_words(components: tuple[int, ...]) -> str:
    """Return "PC 1", or "PC 1 and PC 2" for a picture."""
    return _listed([f"PC {component + 1}" for component in components])


def _caveats(ranked: RankedColumns) -> Iterator[str]:
    if ranked.is_sampled:
        yield (
            f"Measured at {counted(ranked.rows)} of {counted(ranked.all_rows)} rows, "
            "a fixed sample."
        )
    if ranked.has_kinks:
        yield (
            "This kernel has an edge at every row; the mean of both sides stands for "
            "the slope there."
        )
    constant = [column.name for column in ranked.columns if column.constant]
    if len(constant) == 1:
        yield f"“{constant[0]}” is constant: nothing in these rows comes from it."
    elif constant:
        yield (
            f"{counted(len(constant))} columns are constant: nothing in these rows "
            "comes from them."
        )
    if 0 < ranked.null_rows < ranked.all_rows:
        yield (
            f"Compared with noise on a sample of {counted(ranked.null_rows)} rows: the "
            "grey band is approximate."
        )


def _direction(column: ColumnInfluence) -> str:
    if column.direction == 0 or column.agreement < STEADY:
        return ""
    return f", {direction_words(column)}"


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
