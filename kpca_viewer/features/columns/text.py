"""What has to be known to read the influence of columns, and how it is written."""

from collections.abc import Iterator

from kpca_viewer.core.methods.null_influence import DRAWS, least_deviations
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.support.numerals import counted, fixed, whole_percent


def noise_words(column: ColumnInfluence, ranked: RankedColumns) -> str:
    """Return whether a column is more than noise, as a cell of a table."""
    if column.constant:
        return "constant"
    if ranked.is_doubtful(column):
        return f"{component_words(column.beyond)} alone: filled cells?"
    return {True: "yes", False: "no", None: "not compared"}[column.stands_out]


def rule_words(ranked: RankedColumns) -> str:
    """Say what the numbers of a table of columns are, and which limits they have."""
    least = fixed(least_deviations(ranked.varying), 1)
    error = "; ± is one standard error, by halves of the rows" * any(
        column.error is not None for column in ranked.columns
    )
    return (
        "Strength is the root mean square of how far a row moves in the picture per "
        f"standard deviation of the column{error}. The share is of the squares of all "
        "columns. A column is more than noise if its strength in one of the "
        "components, or its correlation r with it, is larger than in all of "
        f"{DRAWS} columns of noise of its kind in its place, and at least {least} of "
        "their standard deviations above their mean; the larger of both numbers of "
        f"deviations is shown. So in a table of {counted(ranked.varying)} columns of "
        "noise any is called more than that once in twenty tables at most."
    )


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
        parts.append(f"{strongest(ranked)} compared with noise{so_far}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def compared_words(ranked: RankedColumns, is_complete: bool) -> str:
    """Say how many columns were compared with noise, where it is not all of them."""
    if ranked.compared == ranked.varying or not ranked.moves:
        return ""
    if not ranked.compared:
        return "Not compared with noise." if is_complete else ""
    return (
        f"{strongest(ranked).capitalize()} were compared with noise, which takes up "
        f"to {DRAWS} fits for each; bars in outline were not."
    )


def correlation_words(column: ColumnInfluence, components: tuple[int, ...]) -> str:
    """Return "r = −0.87", of several components with the one that it is about."""
    place = max(range(len(components)), key=lambda j: abs(column.correlations[j]))
    text = f"r = {fixed(column.correlations[place], 2)}"
    return text if len(components) == 1 else f"{text} with PC {components[place] + 1}"


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
            "grey band is approximate, and columns inside of it may still matter."
        )


def strongest(ranked: RankedColumns) -> str:
    """Say which columns were compared with noise."""
    return (
        f"the {counted(ranked.compared)} strongest of {counted(ranked.varying)} columns"
    )
