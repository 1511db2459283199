"""What is said about places of the embedding, from their numbers alone."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.engine.settings import HeldScores, PreImageMethod
from kpca_viewer.features.preimage.compute import FoundPlace, PlaceFinder
from kpca_viewer.support.numerals import percent, readable

METHOD_TITLES: dict[PreImageMethod, str] = {
    "auto": "Best method",
    "distances": "Distances",
    "fixed_point": "Fixed point",
    "ridge": "Ridge",
}

METHOD_HELP: dict[PreImageMethod, str] = {
    "auto": "What leaves the least noise for this kernel: from distances, by the fixed "
    "point where the kernel is too narrow for that, by ridge where it has neither.",
    "distances": "In closed form from the distances to ten neighbours (Kwok and "
    "Tsang).",
    "fixed_point": "By iteration to the point whose feature comes closest (Mika et "
    "al.); for the RBF and the linear kernel.",
    "ridge": "By regression of the columns on the scores; for every kernel.",
}

HELD_WORDS: dict[HeldScores, str] = {"row": "nearest row", "mean": "their mean"}
"""As what components are held that are not shown."""

HELD_TITLES: dict[HeldScores, str] = {"row": "Rest: row", "mean": "Rest: mean"}
"""The same on a control, which has little room."""


MOST_COLUMNS = 12
"""Columns that are compared with those of a row: where they differ most."""


@dataclass(frozen=True)
class ComparedColumn:
    """One column at a place and at a row."""

    column: int
    name: str
    here: float
    there: float
    apart: float
    """Difference in standard deviations of the column; 0 for a constant one."""


def compared_columns(place: FoundPlace, finder: PlaceFinder) -> list[ComparedColumn]:
    """Return the columns in which a place differs most from the row nearest to it."""
    dataset = finder.result.dataset
    there = dataset.points[place.row]
    apart = finder.in_spreads(place.values - there)
    order = np.argsort(-np.abs(apart), kind="stable")[:MOST_COLUMNS]
    return [
        ComparedColumn(
            int(j),
            dataset.feature_names[j],
            float(place.values[j]),
            float(there[j]),
            float(apart[j]),
        )
        for j in order
    ]


def reach_words(place: FoundPlace, row_name: str) -> str:
    """Say what lies at a place and how far off, beside the nearest row.

    Parameters
    ----------
    row_name : str
        What that row is called.
    """
    off = f"{percent(place.astray)} of the picture's width"
    row = f"the nearest row, {row_name}, {percent(place.row_away)}"
    if not place.reachable:
        return (
            f"No row can lie here: {readable(place.left, 3)} is left in feature space, "
            f"of the rows at most {readable(place.farthest, 3)}. The values found lie "
            f"{off} away, {row}."
        )
    if not place.lies_here:
        return f"The values found do not lie here: they lie {off} away, {row}."
    return f"A row with these values lies here, within {off}; {row} away."


def left_words(place: FoundPlace) -> str:
    """Say what is left in feature space; empty where it has no distances."""
    if not np.isfinite(place.left) or not place.reachable:
        return ""
    return (
        f"{readable(place.left, 3)} of squared distance is left in feature space (of "
        f"the rows at most {readable(place.farthest, 3)})."
    )
