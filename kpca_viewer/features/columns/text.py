"""Which columns move a component, or the picture, and how that is to be read.

Every component is judged alone (`core/methods/null_influence.py`): by the influence of
a column on it and by the correlation with it. A picture is noise only if all of its
components are; one that is noise is left out of what the picture ranks columns by.
"""

from collections.abc import Iterator

from kpca_viewer.core.methods.null_influence import DRAWS, least_deviations
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.text.describe import and_words, component_words
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.support.numerals import counted, fixed, small_percent, whole_percent

NAMED = 3
"""Columns that a sentence names."""

SAID_OF = 0.02
"""Share below which a column is not named, where many move a component a little."""


def what_moves(ranked: RankedColumns) -> Claim:
    """Say which columns move a component most; the first named has the longest bar."""
    claim = _of_ranked(ranked)
    words = [claim.text]
    if claim.key in ("more than noise", "not compared"):
        words += filter(None, (_equal(ranked), _doubtful(ranked)))
    if ranked.left_out:
        words.append(_noise(ranked, ranked.left_out))
    return Claim(claim.key, " ".join(words))


def _equal(ranked: RankedColumns) -> str:
    """Say which bars are as long as the first, for all that these rows tell."""
    if ranked.equal < 2:
        return ""
    names = [f"“{c.name}”" for c in ranked.columns[: ranked.equal]]
    if len(names) > NAMED:
        return f"The {counted(len(names))} longest bars are about equal."
    return f"{and_words(names)} are about equal."


def _doubtful(ranked: RankedColumns) -> str:
    """Say that a component tells filled rows, and which columns are of it alone."""
    if ranked.filled is None:
        return ""
    names = [f"“{c.name}”" for c in ranked.columns if ranked.is_doubtful(c)]
    if not names:
        return ranked.filled.text
    more = len(names) - NAMED
    shown = names[:NAMED] + ([f"{counted(more)} more"] if more > 0 else [])
    verb = "is" if len(names) == 1 else "are"
    where = "" if len(ranked.components) == 1 else " alone"
    of = component_words((ranked.filled.component or 0,))
    return (
        f"{ranked.filled.text} {and_words(shown)} {verb} more than noise in "
        f"{of}{where}: that may be the filled cells."
    )


def _of_ranked(ranked: RankedColumns) -> Claim:
    what = component_words(ranked.components)
    if not ranked.moves:
        verb = "has" if len(ranked.components) == 1 else "have"
        return Claim("no variance", f"{what} {verb} no variance: no column moves it.")
    first = ranked.columns[0]
    if first.stands_out is not False:
        return _moved_most(ranked)
    beyond = [column for column in ranked.columns if column.stands_out]
    if not beyond:
        return Claim("only noise", _noise(ranked, ranked.components))
    verb = "is" if len(beyond) == 1 else "are"
    named = and_words([_column(c, ranked) for c in beyond[:NAMED]])
    if len(beyond) > NAMED:
        named = f"{counted(len(beyond))} columns, first {named}"
    return Claim(
        "more than noise",
        f"{what}: “{first.name}” has the longest bar, as noise may have; more than "
        f"noise {verb} {named}.",
    )


def _moved_most(ranked: RankedColumns) -> Claim:
    what = component_words(ranked.components)
    verb = "is" if len(ranked.components) == 1 else "are"
    first, *_ = known = [c for c in ranked.columns[:NAMED] if c.stands_out is not False]
    key = "more than noise" if first.stands_out else "not compared"
    named = [column for column in known if column.share >= SAID_OF]
    if not named:
        return Claim(
            key,
            f"{what} {verb} moved by many columns a little: “{first.name}” most, with "
            f"{small_percent(first.share)} of the influence.",
        )
    parts = [_column(column, ranked) for column in named]
    return Claim(key, f"{what} {verb} moved most by {and_words(parts)}.")


def _noise(ranked: RankedColumns, components: tuple[int, ...]) -> str:
    what = component_words(components)
    if ranked.null_rows < ranked.all_rows:
        few = counted(ranked.null_rows)
        return f"{what}: {few} of the rows tell no column from noise."
    of = "no single column"
    if ranked.compared < ranked.varying:
        of = f"none of {strongest(ranked)}"
    return f"{what}: {of} has more influence or correlation than noise in its place."


def _column(column: ColumnInfluence, ranked: RankedColumns) -> str:
    related = correlation_words(column, ranked.components)
    return f"“{column.name}” ({small_percent(column.share)}, {related})"


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
        "noise that are about as wide as each other, any is called more than that once "
        "in twenty tables at most; a column much wider than the others can be called "
        "so for its width alone."
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


TITLES = "column", "influence", "share"
WAY = "direction", "agreement", "steadiness"
NOISE = "noise up to", "beyond noise"


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
