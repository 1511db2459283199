"""What is said about gaps and moves: every sentence from what was measured."""

from kpca_viewer.core.reality.bootstrap import Bootstrap
from kpca_viewer.core.reality.comparing import LEVEL, Reality
from kpca_viewer.core.reality.gaps import Gap
from kpca_viewer.core.reality.nulls import Null
from kpca_viewer.data.dataset import Kind
from kpca_viewer.session.reality.round import Round
from kpca_viewer.session.reality.values import FoundReality
from kpca_viewer.support.numerals import counted, fixed, percent

NULL_TITLES: dict[Null, str] = {
    "permuted": "Permuted columns",
    "gaussian": "Gaussian",
}
"""As the control calls them."""

NULL_SHORT: dict[Null, str] = {"permuted": "Permuted", "gaussian": "Gaussian"}
"""Above small pictures."""

NULL_WORDS: dict[Null, str] = {
    "permuted": "columns permuted independently of each other",
    "gaussian": "a Gaussian with the mean and covariance of the data",
}


def no_columns(kind: Kind) -> str:
    """Say why a given matrix is compared with nothing."""
    what = "distances" if kind == "distances" else "kernel values"
    return (
        f"A matrix of {what} has no columns, from which random data could be drawn; "
        "open the table it was made of."
    )


def headline(found: Reality) -> str:
    """Return what was measured about the gap to look at, in one or two sentences."""
    told = f"{_gap_words(found.gap)}: {_as_wide(found)}"
    if not found.gap.is_seen:
        return f"No gap can be seen. {told}."
    return f"{told}." if found.doubted is None else f"{told}; chance makes such groups."


def summary(found: Reality, wanted: Null, n: int) -> str:
    """Return the same with what was compared, where that is not what was asked for."""
    told = headline(found)
    if found.null != wanted:
        told += " One column permuted is the same column: a Gaussian is drawn."
    if len(found.rows) < n:
        told += f" Of {counted(len(found.rows))} of {counted(n)} rows."
    return told


def warning(found: FoundReality | None) -> str:
    """Return what the embedding says of groups that chance makes too, or nothing."""
    compared = None if found is None else found.compared
    gap = None if compared is None else compared.doubted
    if compared is None or gap is None:
        return ""
    return f"The gap {_where(gap)} is {_as_wide(compared)}."


def explanation(found: Reality) -> str:
    """Return all gaps, and what they were compared with, a line each; plain text."""
    lines = [f"{_gap_words(gap)}." for gap in found.gaps]
    lines.append(
        f"Random data: {len(found.drawn)} draws of {NULL_WORDS[found.null]}, by the "
        f"same kernel with the same values, of {counted(len(found.rows))} rows. "
        f"{percent(found.as_rare, 0)} of them have some gap as rare as the rarest here."
    )
    return "\n".join(lines)


def guess_words(guess: int, dealt: Round) -> str:
    """Say whether a picture, counted from 0, was that of the data."""
    if guess == dealt.place:
        return f"Yes, picture {guess + 1} is the data."
    return f"No, picture {guess + 1} is random; picture {dealt.place + 1} is the data."


def moves_words(found: Bootstrap, n: int) -> str:
    """Say what ellipses are, in one line."""
    told = f"95 % between {found.draws} pairs of halves of the rows"
    if len(found.rows) < n:
        told += f", {counted(len(found.rows))} of {counted(n)} rows"
    faint = int(found.is_faint.sum())
    if faint:
        told += f" · {counted(faint)} faint"
    return told


def _gap_words(gap: Gap) -> str:
    width = fixed(gap.width, 1)
    if gap.component is None:
        told = f"{width} times the distance between neighbours"
    else:
        told = f"{width} standard deviations"
    return f"The widest gap {_where(gap)} is {told}"


def _where(gap: Gap) -> str:
    if gap.component is None:
        return "of the picture"
    return f"along PC {gap.component + 1}"


def _as_wide(found: Reality) -> str:
    """Say how often random data have that gap, and how often any as rare."""
    draws, share = len(found.widths), found.as_wide
    told = f"as wide in {percent(share, 0)} of random data"
    if share == 0:
        told = f"as wide in none of {draws} draws of random data"
    if found.is_chance and share <= LEVEL:
        told += f", and some gap is as rare in {percent(found.as_rare, 0)}"
    return told
