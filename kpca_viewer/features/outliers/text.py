"""What is said about odd rows: every sentence from their numbers."""

from collections.abc import Collection

from kpca_viewer.engine.row_numbers import NUMERALS
from kpca_viewer.features.outliers.compute import (
    LISTED,
    TRIED,
    Cause,
    OddList,
    OddRows,
)
from kpca_viewer.support.numerals import (
    counted,
    data_value,
    fixed,
    percent,
    ungrouped,
    upper_bound,
)

KEYS = tuple(numeral.key for numeral in NUMERALS)

ONE_ROW = "One row alone is not odd; add another to compare it with"


def oddness_text(odd: OddRows, row: int, keys: Collection[str] = KEYS) -> str:
    """Return numbers of a row: "cos² = 0.83 · T² = 3.1 · SPE = 0.12"."""
    words = (
        f"{numeral.symbol} = {ungrouped(float(values[row]), 3)}"
        for numeral, values in odd.known()
        if numeral.key in keys
    )
    return " · ".join(words)


def cause_text(cause: Cause, longest: int | None = None) -> str:
    """Return a column that makes a row odd: "ash +3.7 sd (−62 %)".

    Parameters
    ----------
    longest : int, optional
        Characters of its name, which is cut in its middle beyond.
    """
    sign, name = "+" if cause.spreads > 0 else "", cause.name
    if longest is not None and len(name) > longest:
        half = (longest - 1) // 2
        name = f"{name[:half]}…{name[-half:]}"
    fall = percent(min(cause.fall, 1.0), 0)
    return f"{name} {sign}{fixed(cause.spreads, 1)} sd (−{fall})"


def cause_sentence(cause: Cause) -> str:
    """Say what was measured of a column."""
    value, typical = data_value(cause.value), data_value(cause.typical)
    return (
        f"{cause.name} = {value}; with {typical} instead, as rows like it have, the "
        f"row would be {percent(min(cause.fall, 1.0), 0)} less odd."
    )


def summary(odd: OddRows) -> str:
    """Return how many rows lie beyond a limit, and new rows, in one sentence.

    These are the rows of the list, and those that have more than 1 times their limit.
    """
    fitted, new = odd.oddness[: odd.fitted], odd.oddness[odd.fitted :]
    which = "T²" if odd.numbers.spe is None else "T² or SPE"
    found = int((fitted > 1).sum())
    verb = "lies" if found == 1 else "lie"
    level = percent(odd.t2_limit.level, 0)
    words = (
        f"{counted(found)} of {counted(len(fitted))} rows {verb} beyond the {level} "
        f"quantile of {which}, as one row of twenty does for each"
    )
    if len(new):
        rows = "1 new row" if len(new) == 1 else f"{counted(len(new))} new rows"
        words += f"; of {rows} {counted(int((new > 1).sum()))}"
    words += _hidden(odd)
    if odd.numbers.spe is None:
        words += "; T² only, because the kernel has negative eigenvalues"
    elif odd.mean_error > 0:
        words += f"; distances may be wrong by up to {upper_bound(odd.mean_error)}"
    return f"{words}."


def _hidden(odd: OddRows) -> str:
    """Return how many rows are far odder by all components than by these."""
    times = odd.hidden()
    if not times.size:
        return ""
    most = ungrouped(float(times.max()), 2)
    if times.size == 1:
        return f"; by all components 1 more row has {most} times its limit"
    rows = f"{counted(times.size)} more rows have"
    return f"; by all components {rows} up to {most} times their limit"


def explanation(odd: OddRows, listed: OddList | None, most: int = LISTED) -> str:
    """Return how limits, bound and columns were found, a line each; plain text.

    Parameters
    ----------
    most : int
        Rows that are shown of the list.
    """
    lines = [odd.numbers.why_not]
    pairs = [("T²", odd.t2_limit), ("SPE", odd.spe_limit)]
    if listed is not None and listed.shuffled is not None:
        pairs += zip(("T²", "SPE"), listed.shuffled, strict=True)
    lines += [f"{name}: {limit.sentence}." for name, limit in pairs if limit]
    if odd.mean_error > 0:
        lines.append(
            "Landmarks carry the model: the mean, from which distances in feature "
            f"space are measured, may be wrong by up to {upper_bound(odd.mean_error)}."
        )
    beyond = int((odd.oddness > 1).sum())
    few = f"the {most} oddest of {counted(beyond)}" if beyond > most else "the"
    lines.append(
        f"The list has {few} rows beyond a limit, sorted by T² or SPE divided by it, "
        "whichever is more; new rows are listed in any case."
    )
    if listed is not None:
        lines.append(
            listed.why_no_columns
            or f"Up to {TRIED} columns of each row listed were given the nearest value "
            "that rows like it by the other columns have, one at a time; named is what "
            "made the row less odd, by how many standard deviations it differs from "
            "them, and by how much less odd the row was."
        )
    return "\n".join(filter(None, lines))


def as_table(listed: OddList, names: dict[int, str]) -> str:
    """Return the list as text with tabs, as spreadsheets paste it.

    Parameters
    ----------
    names : dict of int to str
        What the rows of the list are called.
    """
    known = listed.of.known()
    titles = ["row", "times its limit", *(n.symbol for n, _ in known), "columns"]
    lines = ["\t".join(titles)]
    for each in listed.rows:
        numbers = [each.oddness, *(float(values[each.row]) for _, values in known)]
        causes = "; ".join(map(cause_text, each.causes))
        cells = (names[each.row], *(f"{number:.6g}" for number in numbers), causes)
        # A name must not break the table in which it stands.
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "\n".join(lines) + "\n"
