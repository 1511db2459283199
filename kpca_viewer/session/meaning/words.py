"""Sentences about the influence of columns: each from numbers of the list beside it."""

from collections.abc import Iterator

from kpca_viewer.core.null_influence import DRAWS
from kpca_viewer.session.meaning.columns import ColumnInfluence, RankedColumns
from kpca_viewer.support.numerals import counted, small_percent, whole_percent

STEADY = 0.8
"""Share of the rows from which a direction is worth a word."""

NAMED = 3
"""Columns that a sentence names."""

MANY = 0.25
"""Part of the columns beyond the band from which on chance is worth a word."""

SAID_OF = 0.02
"""Share below which a column is not named."""


def what_moves(ranked: RankedColumns) -> str:
    """Say which columns move a component most, and which way."""
    what = component_words(ranked.components)
    if not ranked.moves:
        verb = "has" if len(ranked.components) == 1 else "have"
        return f"{what} {verb} no variance: no column moves it."
    strongest = [c for c in ranked.columns[:NAMED] if c.stands_out is not False]
    if not strongest:
        if ranked.null_rows < ranked.all_rows:
            few = counted(ranked.null_rows)
            return f"{what}: {few} of the rows tell no column from noise."
        return f"{what}: no column has more influence than noise would have."
    named = [column for column in strongest if column.share >= SAID_OF]
    verb = "is" if len(ranked.components) == 1 else "are"
    if not named:
        first = strongest[0]
        return (
            f"{what} {verb} moved by many columns a little: “{first.name}” most, with "
            f"{small_percent(first.share)} of the influence."
        )
    parts = [f"“{c.name}” ({small_percent(c.share)}{_direction(c)})" for c in named]
    return f"{what} {verb} moved most by {_listed(parts)}."


def direction_words(column: ColumnInfluence) -> str:
    """Say which way a component goes with a column, with how many rows agree."""
    if column.direction == 0:
        return "no direction"
    verb = "grows" if column.direction > 0 else "falls"
    return f"{verb} with it in {whole_percent(column.agreement)} of the rows"


def caveats(ranked: RankedColumns) -> tuple[str, ...]:
    """Return what has to be known to read the numbers, a sentence each."""
    return tuple(_caveats(ranked))


def in_short(ranked: RankedColumns, is_complete: bool = True) -> str:
    """Return the caveats in as few words as the line below a plot has room for."""
    parts = []
    if ranked.is_sampled:
        parts.append(f"measured at {counted(ranked.rows)} rows")
    if ranked.has_kinks:
        parts.append("an edge at every row, where slopes are means")
    if 0 < ranked.null_rows < ranked.all_rows:
        parts.append(f"band approximate, from {counted(ranked.null_rows)} rows")
    if 0 < ranked.compared < ranked.varying:
        so_far = "" if is_complete else " so far"
        parts.append(f"{_strongest(ranked)} compared with noise{so_far}")
    by_chance = _by_chance(ranked) if is_complete else 0
    if by_chance > MANY * sum(bool(column.stands_out) for column in ranked.columns):
        parts.append(
            f"about {counted(by_chance)} columns would be beyond noise by chance"
        )
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def compared_words(ranked: RankedColumns, is_complete: bool) -> str:
    """Say how many columns were compared with noise, where it is not all of them."""
    if ranked.compared == ranked.varying or not ranked.moves:
        return ""
    if not ranked.compared:
        return "Not compared with noise." if is_complete else ""
    return (
        f"{_strongest(ranked).capitalize()} were compared with noise, which takes up "
        f"to {DRAWS} fits for each; bars in outline were not."
    )


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
    by_chance = _by_chance(ranked)
    if by_chance:
        yield (
            f"Of {counted(ranked.varying)} columns of noise about {counted(by_chance)} "
            "would lie beyond the band by chance."
        )
    if 0 < ranked.null_rows < ranked.all_rows:
        yield (
            f"Compared with noise on a sample of {counted(ranked.null_rows)} rows: the "
            "grey band is approximate, and columns inside of it may still matter."
        )


def _by_chance(ranked: RankedColumns) -> int:
    """How many columns would lie beyond the band if all of them were noise.

    Of all columns, not of those compared: the strongest ones are where chance went.
    """
    return ranked.varying // (DRAWS + 1) if ranked.compared else 0


def _strongest(ranked: RankedColumns) -> str:
    return (
        f"the {counted(ranked.compared)} strongest of {counted(ranked.varying)} columns"
    )


def _direction(column: ColumnInfluence) -> str:
    if column.direction == 0 or column.agreement < STEADY:
        return ""
    return ", grows with it" if column.direction > 0 else ", falls with it"


def _listed(parts: list[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"
