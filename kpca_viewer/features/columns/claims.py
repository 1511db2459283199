"""Which columns move a component, or the picture: by evidence beside noise.

Every component is judged alone (`core/null_influence.py`): by the influence of a column
on it and by the correlation with it. A picture is noise only if all of its components
are; one that is noise is left out of what the picture ranks columns by.
"""

from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.text.describe import and_words, component_words
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.features.columns.text import correlation_words, strongest
from kpca_viewer.support.numerals import counted, small_percent

NAMED = 3
"""Columns that a sentence names."""

SAID_OF = 0.02
"""Share below which a column is not named, where many move a component a little."""


def what_moves(ranked: RankedColumns) -> Claim:
    """Say which columns move a component most; the first named has the longest bar."""
    claim = _of_ranked(ranked)
    told = [claim.text]
    if claim.key in ("more than noise", "not compared"):
        told += filter(None, (_equal(ranked), _doubtful(ranked)))
    if ranked.left_out:
        told.append(_noise(ranked, ranked.left_out))
    return Claim(claim.key, " ".join(told))


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
