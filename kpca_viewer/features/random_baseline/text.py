"""What is claimed of groups beside random data of both kinds, and what is said of gaps.

Permuted columns keep each column: two groups in one of them stay. A Gaussian keeps the
covariance: correlated columns stay. What is beyond both is in neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.methods.gaps import SEEN_ALONG, SEEN_BETWEEN, Gap, is_uncorrelated
from kpca_viewer.core.methods.random_baseline import LEVEL, Null, Reality
from kpca_viewer.data.dataset import Kind
from kpca_viewer.data.table import listed
from kpca_viewer.engine.claims import Claim
from kpca_viewer.support.numerals import counted, fixed, percent, readable


@dataclass(frozen=True, eq=False)
class FoundReality:
    """A comparison with random data, or why there is none."""

    compared: Reality | None
    refusal: str = ""
    """One sentence."""
    claims: tuple[Claim, ...] = ()
    """What is said of groups."""


SHRUNK = 0.6
"""Part of a gap that is left off the grid, at most, where the grid has made it."""

FEWER_PLACES = 0.75
"""Places per row up to which rows stand on top of each other."""

MOST_TIMES = 1000
"""Distances between neighbours above which no gap is stated more exactly."""

LEAST_P = 1e-4
"""Smaller ones are not told apart."""

NULL_SHARES: dict[Null, str] = {
    "permuted": "tables with permuted columns",
    "gaussian": "Gaussian tables",
}

NULL_KEEPS: dict[Null, str] = {
    "permuted": "tables with permuted columns, which keep each column and nothing "
    "between them,",
    "gaussian": "Gaussian tables, which keep mean and covariance and nothing else",
}

COUNTS = {2: "Two", 3: "Three", 4: "Four"}


def group_claims(found: Reality, names: Sequence[str]) -> tuple[Claim, ...]:
    """Return all that is claimed: one claim at least, of columns with these names."""
    beyond = beyond_chance(found)
    if beyond is not None:
        return (beyond,)
    of_columns = groups_in_columns(found, names), groups_of_grid(found, names)
    claims = tuple(claim for claim in of_columns if claim is not None)
    return claims or (_about_gap(found),)


def beyond_chance(found: Reality) -> Claim | None:
    """Claim what neither the columns nor their covariance explain."""
    *gaps, middle = found.is_beyond
    words = [
        f"the gap {gap_place(gap)} ({gap_width(gap)})"
        for gap, is_beyond in zip(found.gaps, gaps, strict=True)
        if is_beyond
    ]
    words += ["the emptiness of the middle of the data"] if middle else []
    if not words:
        return None
    verb = "is" if len(words) == 1 else "are"
    draws = " and ".join(
        f"all {len(against.measures)} {NULL_SHARES[against.null]}"
        for against in found.against
    )
    return Claim(
        "beyond chance",
        f"Beyond chance: {' and '.join(words)} {verb} larger than in {draws}.",
    )


def groups_in_columns(found: Reality, names: Sequence[str]) -> Claim | None:
    """Claim groups that single columns have on their own."""
    columns = found.columns
    have = np.flatnonzero(columns.groups > 1).tolist()
    if not have:
        return None
    where, p = listed(names[j] for j in have), p_words(float(columns.p[have].max()))
    if len(have) > 1:
        text = f"Groups in the columns {where} (dip test, {p})"
    else:
        count = COUNTS.get(int(columns.groups[have[0]]), "Several")
        alone = " alone" if len(names) > 1 else ""
        text = f"{count} groups, in column {where}{alone} (dip test, {p})"
    beyond = "; no gap is larger than in all random data of both kinds"
    return Claim("column", f"{text}{beyond if len(names) > 1 else ''}.")


def groups_of_grid(found: Reality, names: Sequence[str]) -> Claim | None:
    """Claim groups that are there because columns have few values."""
    values, gap = found.columns.values, found.gap
    grid, m = np.flatnonzero(values).tolist(), len(found.rows)
    if not grid or (found.columns.groups > 1).any():
        return None
    is_gap = gap.is_seen and found.off_grid[found.place].width <= SHRUNK * gap.width
    if not is_gap and found.columns.places > FEWER_PLACES * m:
        return None
    few = sorted({int(values[j]) for j in grid})
    count = str(few[0]) if len(few) == 1 else f"{few[0]} to {few[-1]}"
    verb = "has" if len(grid) == 1 else "have"
    where = listed(names[j] for j in grid)
    text = f"The grid of values makes the groups: {where} {verb} {count} values"
    if len(grid) == len(values):
        text += (
            f", and {counted(m)} rows stand at {counted(found.columns.places)} places"
        )
    return Claim("grid", f"{text}.")


def chance_gap(found: Reality) -> Claim | None:
    """Claim that the gap to see is one that all random data have."""
    if not found.gap.is_seen:
        return None
    if not all(against.makes_such_gaps for against in found.against):
        return None
    return Claim("chance", f"{gap_words(found)}; chance makes such groups.")


def _about_gap(found: Reality) -> Claim:
    """Say what was measured of the gap to look at, with a verdict if there is one."""
    chance = chance_gap(found)
    if chance is not None:
        return chance
    makes = {against.makes_such_gaps for against in found.against}
    if not found.gap.is_seen:
        return Claim("nothing", _about_narrow(found, is_rare=True not in makes))
    if len(makes) == 1:
        return Claim("undecided", f"{gap_words(found)}: no verdict.")
    shown = " and ".join(
        f"in {percent(float(against.shares[found.place]), 0)} of "
        f"{NULL_KEEPS[against.null]}"
        for against in found.against
    )
    return Claim(
        "disagreement",
        f"Random data disagree: the widest gap {gap_place(found.gap)} "
        f"({gap_width(found.gap)}) is as wide {shown}{_as_rare(found)}.",
    )


def _about_narrow(found: Reality, *, is_rare: bool) -> str:
    """Say why a gap that is not seen makes no groups: its width, or chance."""
    gap, shares = found.gap, _share_words(found)
    if not gap.width:
        return f"No groups are claimed: {_without_gap(gap)}."
    rare = "rarer than by chance, " if is_rare else ""
    text = (
        f"No groups are claimed: the widest gap {gap_place(gap)} ({gap_width(gap)}) is "
        f"{rare}as wide {shares}"
    )
    if not is_rare:
        several = len(found.against) > 1
        if _as_rare(found):
            of = " of either kind" if several else ""
            return f"{text}; a claim of groups needs less than {percent(LEVEL, 0)}{of}."
        both = " of both kinds" if several else ""
        return f"{text}; a claim of groups needs one that is rare in random data{both}."
    least = f"{readable(SEEN_ALONG)} standard deviations"
    if gap.component is None:
        least = (
            f"{readable(SEEN_BETWEEN)} times that distance and a quarter of the spread "
            "of the picture"
        )
    return f"{text}, but too narrow to be seen, which takes {least}."


def gap_words(found: Reality) -> str:
    """Say how wide the gap to look at is, and how often random data have it."""
    return (
        f"The widest gap {gap_place(found.gap)} is {gap_width(found.gap)}: as wide "
        f"{_share_words(found)}"
    )


def _share_words(found: Reality) -> str:
    shares = " and ".join(
        f"in {percent(float(against.shares[found.place]), 0)} of "
        f"{NULL_SHARES[against.null]}"
        for against in found.against
    )
    return f"{shares}{_as_rare(found)}"


def gap_width(gap: Gap) -> str:
    """Return the width of a gap in its unit."""
    # Rows in a few places have no neighbours but at distance 0.
    few = gap.width > MOST_TIMES
    width = f"more than {counted(MOST_TIMES)}" if few else readable(gap.width, 2)
    if gap.component is None:
        return f"{width} times the distance between neighbours"
    return f"{width} standard deviations"


def gap_place(gap: Gap) -> str:
    """Return where a gap lies."""
    return (
        "of the picture" if gap.component is None else f"along PC {gap.component + 1}"
    )


def _without_gap(gap: Gap) -> str:
    return f"no gap {gap_place(gap)} has a tenth of the rows on either side"


def p_words(p: float) -> str:
    """Return a p-value as it is written."""
    return f"p < {LEAST_P:.4f}" if p < LEAST_P else f"p = {p:.1g}"


def _as_rare(found: Reality) -> str:
    """Say which random data have some other gap as rare, where that makes it chance."""
    told = [
        f"{percent(against.as_rare, 0)} of {NULL_SHARES[against.null]}"
        for against in found.against
        if against.makes_such_gaps and against.shares[found.place] <= LEVEL
    ]
    return f", but {' and '.join(told)} have some gap as rare" if told else ""


NULL_SHORT: dict[Null, str] = {"permuted": "Permuted", "gaussian": "Gaussian"}
"""Above small pictures."""

NULL_WORDS: dict[Null, str] = {
    "permuted": "columns permuted independently of each other",
    "gaussian": "a Gaussian with the mean and covariance of the data",
}


DOUBTS = "chance", "grid"
"""Claims that the embedding makes as well: what is seen there is no structure."""


def no_columns(kind: Kind) -> str:
    """Say why a given matrix is compared with nothing."""
    what = "distances" if kind == "distances" else "kernel values"
    return (
        f"A matrix of {what} has no columns, from which random data could be drawn; "
        "open the table it was made of."
    )


def headline(found: FoundReality) -> str:
    return " ".join(claim.text for claim in found.claims)


LEAST_GROUP = "Groups of less than a tenth of the rows are not looked for."


def summary(found: FoundReality, wanted: Null, n: int) -> str:
    """Return the same with what was compared, where that is not what was asked for."""
    words, compared = headline(found), found.compared
    if compared is None:
        return words
    if compared.by(wanted).null != wanted:
        words += " One column permuted is the same column: a Gaussian is drawn."
    if len(compared.rows) < n:
        words += f" Of {counted(len(compared.rows))} of {counted(n)} rows."
    return words


def warning(found: FoundReality | None) -> str:
    """Return what the embedding says of groups that are none, or nothing."""
    claims = () if found is None else found.claims
    return " ".join(claim.text for claim in claims if claim.key in DOUBTS)


def explanation(found: Reality) -> str:
    """Return every measure, and what it was compared with, a line each; plain text."""
    lines = [
        f"The widest gap {gap_place(gap)} is {gap_width(gap)}{_as_wide(found, j)}."
        if gap.width
        else f"{_without_gap(gap).capitalize()}."
        for j, gap in enumerate(found.gaps)
    ]
    alone = is_uncorrelated(len(found.rows), len(found.columns.groups))
    lines.append(
        "The twentieth of the rows nearest to the mean is "
        f"{fixed(float(found.against[0].own[-1]), 2)} of the spread away from it"
        f"{', with columns made uncorrelated' if alone else ''}"
        f"{_as_wide(found, len(found.gaps))}."
    )
    lines.append(
        f"Random data: {len(found.against[0].measures)} draws each of "
        f"{' and of '.join(NULL_WORDS[against.null] for against in found.against)}, "
        f"by the same kernel with the same values, of {counted(len(found.rows))} rows. "
        + LEAST_GROUP
    )
    return "\n".join(lines)


def guess_words(guess: int, place: int) -> str:
    """Say whether a picture was that of the data, which stands at a place, from 0."""
    if guess == place:
        return f"Yes, picture {guess + 1} is the data."
    return f"No, picture {guess + 1} is random; picture {place + 1} is the data."


def _as_wide(found: Reality, place: int) -> str:
    """Say how often random data have a measure as large."""
    shares = (
        f"in {percent(float(against.shares[place]), 0)} of {NULL_SHARES[against.null]}"
        for against in found.against
    )
    return f", as much {' and '.join(shares)}"
