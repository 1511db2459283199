"""Which columns move a component, or the picture, and how that is to be read.

Every component is judged alone (`core/methods/null_influence.py`): by the influence of
a column on it and by the correlation with it. A component in which no column is told
from itself in random order is left out of what the picture ranks columns by.
"""

from collections.abc import Iterator, Sequence

from kpca_viewer.core.methods.null_influence import DRAWS, least_deviations
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.text.describe import and_words, component_words
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.support.errors import shorten
from kpca_viewer.support.numerals import counted, fixed, small_percent, whole_percent

TOLD, NOT_COMPARED = "told from noise", "not compared"

MORE = "clearly more influence or correlation than in random order"

NAMED = 3
"""Columns that a sentence names."""


def what_moves(ranked: RankedColumns) -> Claim:
    """Say which column has the longest bar, and which have more than by chance."""
    if not ranked.moves:
        have = "has" if len(ranked.components) == 1 else "have"
        what = component_words(ranked.components)
        return Claim("no variance", f"{what} {have} no variance: no column moves it.")
    more = [column for column in ranked.judged if column.stands_out]
    key = TOLD if more else "none" if ranked.compared else NOT_COMPARED
    words = [_largest(ranked), _more(ranked, more), _doubtful(ranked)]
    words += (
        f"{component_words((j,))}: the largest correlation is that of {_quoted(name)} "
        f"(r = {fixed(r, 2)})."
        for j, name, r in ranked.left_out
    )
    return Claim(key, " ".join(filter(None, words)))


def _largest(ranked: RankedColumns) -> str:
    """Name the longest bar, those it is not told from, and the largest correlation."""
    first, nearest = ranked.columns[0], ranked.nearest
    what = component_words(ranked.components)
    text = f"{what}: the largest influence is that of {_column(first, ranked)}"
    if others := ranked.columns[1 : ranked.equal]:
        named = f"the next {counted(len(others))} columns"
        if len(others) < NAMED:
            named = _listed(others)
        that = "that" if len(others) == 1 else "those"
        text += f", in these rows not clearly more than {that} of {named}"
    if nearest is not first:
        text += f"; the largest correlation is that of {_column(nearest, ranked)}"
    return f"{text}."


def _more(ranked: RankedColumns, more: Sequence[ColumnInfluence]) -> str:
    """Say which columns have clearly more, and where that is undecided.

    Nothing where none has among related columns: that tells nothing.
    """
    where = ""
    if ranked.null_rows < ranked.all_rows:
        where = f", in {counted(ranked.null_rows)} of the rows"
    all_of = f"{counted(ranked.varying)} columns"
    if ranked.compared < ranked.varying:
        all_of = strongest(ranked)
    if more:
        names = f"{counted(len(more))} of {all_of}"
        if len(more) == ranked.varying:
            names = f"All {all_of}"
        if len(more) <= NAMED:
            names = _listed(more)
        have = "has" if len(more) == 1 else "have"
        text = f"{names} {have} {MORE}{where}"
        open_ = [c for c in ranked.judged if ranked.is_related(c) and c not in more]
        if open_:
            which = f"{counted(len(open_))} more"
            which = _listed(open_) if len(open_) <= NAMED else which
            text += f"; of {which} that is undecided"
        return f"{text}."
    if not ranked.compared or ranked.are_related:
        return ""
    none = "No column" if ranked.compared == ranked.varying else f"None of {all_of}"
    return f"{none} has {MORE}{where}{_r_in_random_order(ranked)}."


def _r_in_random_order(ranked: RankedColumns) -> str:
    """Say how large a correlation is by chance, beside the one that is named."""
    nearest = ranked.nearest
    if not nearest.random_correlations:
        return ""
    sizes = [abs(r) for r in nearest.correlations]
    r = nearest.random_correlations[sizes.index(max(sizes))]
    return f", in which |r| of {_quoted(nearest.name)} is up to {fixed(r, 2)}"


def _listed(columns: Sequence[ColumnInfluence]) -> str:
    return and_words([_quoted(column.name) for column in columns])


def _quoted(name: str) -> str:
    """Return a name for a sentence, which has to leave room for the bars."""
    return f"“{shorten(name, 36)}”"


def _doubtful(ranked: RankedColumns) -> str:
    """Say that a component tells filled rows, and which columns are of it alone."""
    if ranked.filled is None:
        return ""
    doubtful = [c for c in ranked.columns if ranked.is_doubtful(c)]
    if not doubtful:
        return ranked.filled.text
    names = [_quoted(c.name) for c in doubtful]
    more = len(names) - NAMED
    shown = names[:NAMED] + ([f"{counted(more)} more"] if more > 0 else [])
    verb = "has" if len(names) == 1 else "have"
    where = "" if len(ranked.components) == 1 else " alone"
    of = component_words((ranked.filled.component or 0,))
    return (
        f"{ranked.filled.text} {and_words(shown)} {verb} {MORE} in {of}{where}: that "
        "may be the filled cells."
    )


def _column(column: ColumnInfluence, ranked: RankedColumns) -> str:
    related = correlation_words(column, ranked.components)
    return f"{_quoted(column.name)} ({small_percent(column.share)}, {related})"


def noise_words(column: ColumnInfluence, ranked: RankedColumns) -> str:
    """Return whether a column has clearly more, as a cell of a table."""
    if column.constant:
        return "constant"
    if ranked.is_doubtful(column):
        return f"{component_words(column.beyond)} alone: filled cells?"
    if column.stands_out is None:
        return "not compared"
    if column.stands_out:
        return "yes"
    return "undecided" if ranked.is_related(column) else "no"


def rule_words(ranked: RankedColumns) -> str:
    """Say what the numbers of a table of columns are, and which limits they have."""
    least = fixed(least_deviations(ranked.varying), 1)
    error = "; ± is one standard error, by halves of the rows" * any(
        column.error is not None for column in ranked.columns
    )
    return (
        "Strength is the root mean square of how far a row moves along "
        f"{component_words(ranked.components)} per standard deviation of the "
        f"column{error}. The share is of the squares of all columns. A column has "
        f"{MORE} if its strength in one of the components, or its correlation r with "
        f"it, is larger than in all of {DRAWS} fits with the same column in random "
        f"order, and at least {least} of their standard deviations above their mean; "
        "the larger of both numbers of deviations is shown. So in a table of "
        f"{counted(ranked.varying)} columns that have nothing to do with each other, "
        "any has clearly more once in twenty tables at most. Not clearly more does not "
        "mean noise: among related columns, one in random order is a component of its "
        "own, with a large r. So where some column has clearly more, any other with "
        "a large r with the same component is called undecided."
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
        parts.append("this kernel has an edge at every row")
    if 0 < ranked.null_rows < ranked.all_rows:
        parts.append(f"random orders of {counted(ranked.null_rows)} rows")
    if 0 < ranked.compared < ranked.varying:
        so_far = "" if is_complete else " so far"
        parts.append(f"{strongest(ranked)} compared with random order{so_far}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def compared_words(ranked: RankedColumns, is_complete: bool) -> str:
    """Say how many columns were compared, where it is not all of them."""
    if ranked.compared == ranked.varying or not ranked.moves:
        return ""
    if not ranked.compared:
        return "Not compared with random order." if is_complete else ""
    return (
        f"{strongest(ranked).capitalize()} were compared with random order, which "
        f"takes up to {DRAWS} fits for each; bars in outline were not."
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
        name = _quoted(constant[0])
        yield f"{name} is constant: nothing in these rows comes from it."
    elif constant:
        yield (
            f"{counted(len(constant))} columns are constant: nothing in these rows "
            "comes from them."
        )
    if 0 < ranked.null_rows < ranked.all_rows:
        yield (
            f"Random orders are those of a sample of {counted(ranked.null_rows)} rows: "
            "what columns have in them is approximate."
        )


def strongest(ranked: RankedColumns) -> str:
    """Say which columns were compared with random order."""
    return (
        f"the {counted(ranked.compared)} strongest of {counted(ranked.varying)} columns"
    )


TITLES = "column", "influence", "share"
WAY = "direction", "agreement", "steadiness"
BEYOND = "strength or r clearly more than in random order"

NOISE = "in random order up to", BEYOND


def influence_table(ranked: RankedColumns) -> str:
    """Return all columns, the strongest first; empty cells are not known."""
    single = len(ranked.components) == 1
    related = [f"r with PC {component + 1}" for component in ranked.components]
    lines = ["\t".join((*TITLES, *related, *WAY, *NOISE))]
    for c in ranked.columns:
        # A name must not break the table in which it stands.
        cells = [" ".join(c.name.split()), f"{c.strength:.6g}", f"{c.share:.6g}"]
        cells += [f"{r:.6g}" for r in c.correlations]
        way = [str(c.direction), f"{c.agreement:.6g}", f"{c.steadiness:.6g}"]
        cells += way if single else [""] * 3
        cells.append("" if c.noise is None else f"{c.noise:.6g}")
        cells.append("" if c.stands_out is None else noise_words(c, ranked))
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"
