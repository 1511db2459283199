"""What is said about gaps and moves: every sentence from what was measured."""

from kpca_viewer.core.methods.random_baseline import Null, Reality
from kpca_viewer.data.dataset import Kind
from kpca_viewer.features.random_baseline.claims import (
    NULL_SHARES,
    gap_place,
    gap_width,
)
from kpca_viewer.features.random_baseline.round import Round
from kpca_viewer.features.random_baseline.values import FoundReality
from kpca_viewer.support.numerals import counted, fixed, percent

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
    told, compared = headline(found), found.compared
    if compared is None:
        return told
    told = f"{told} {LEAST_GROUP}"
    if compared.by(wanted).null != wanted:
        told += " One column permuted is the same column: a Gaussian is drawn."
    if len(compared.rows) < n:
        told += f" Of {counted(len(compared.rows))} of {counted(n)} rows."
    return told


def warning(found: FoundReality | None) -> str:
    """Return what the embedding says of groups that are none, or nothing."""
    claims = () if found is None else found.claims
    return " ".join(claim.text for claim in claims if claim.key in DOUBTS)


def explanation(found: Reality) -> str:
    """Return every measure, and what it was compared with, a line each; plain text."""
    lines = [
        f"The widest gap {gap_place(gap)} is {gap_width(gap)}{_as_wide(found, j)}."
        for j, gap in enumerate(found.gaps)
    ]
    lines.append(
        f"The twentieth of the rows nearest to the mean is "
        f"{fixed(float(found.against[0].own[-1]), 2)} of the spread away from it"
        f"{_as_wide(found, len(found.gaps))}."
    )
    lines.append(
        f"Random data: {len(found.against[0].measures)} draws each of "
        f"{' and of '.join(NULL_WORDS[against.null] for against in found.against)}, "
        f"by the same kernel with the same values, of {counted(len(found.rows))} rows."
    )
    return "\n".join(lines)


def guess_words(guess: int, dealt: Round) -> str:
    """Say whether a picture, counted from 0, was that of the data."""
    if guess == dealt.place:
        return f"Yes, picture {guess + 1} is the data."
    return f"No, picture {guess + 1} is random; picture {dealt.place + 1} is the data."


def _as_wide(found: Reality, place: int) -> str:
    """Say how often random data have a measure as large."""
    shares = (
        f"in {percent(float(against.shares[place]), 0)} of {NULL_SHARES[against.null]}"
        for against in found.against
    )
    return f", as much {' and '.join(shares)}"
