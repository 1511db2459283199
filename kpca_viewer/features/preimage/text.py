"""What is said about places of the embedding and walks."""

from typing import TYPE_CHECKING

import numpy as np

from kpca_viewer.engine.settings import HeldScores, PreImageMethod
from kpca_viewer.support.numerals import percent, readable

if TYPE_CHECKING:
    from kpca_viewer.features.preimage.compute import FoundPlace, Walk

# Controls

PROBE_TOOL = (
    "Probe",
    "Point at any place to see what would lie there: its pre-image; a click keeps the "
    "place  (X)",
)
MODES_NAME = "Pre-image"
MODES = {
    "place": ("Place", "What lies at the place that is pointed at"),
    "walk": ("Walk", "What lies along a component at the kept place"),
}
"""Title and tip of the parts of the page, by their keys."""

METHOD_HELP: dict[PreImageMethod, str] = {
    "auto": "What leaves the least noise for this kernel: from distances, by the fixed "
    "point where the kernel is too narrow for that, by ridge where it has neither.",
    "distances": "In closed form from the distances to ten neighbours (Kwok and "
    "Tsang).",
    "fixed_point": "By iteration to the point whose feature comes closest (Mika et "
    "al.); for the RBF and the linear kernel.",
    "ridge": "By regression of the columns on the scores; for every kernel.",
}

HELD_TITLES: dict[HeldScores, str] = {"row": "Rest: row", "mean": "Rest: mean"}
"""As what components are held that are not shown, on a control with little room."""

METHOD, METHOD_TIP = (
    "Method of the pre-image",
    "How values of the columns are found for a place.",
)
HELD = "Other components"
HELD_TIP = (
    "Where the place lies along components that are not on the axes: as the row that "
    "is nearest in the picture, or at their mean."
)
WALK_COMPONENT, WALK_COMPONENT_TIP = (
    "Component to walk along",
    "Along which component the walk through the kept place leads.",
)
WALK_STRIP = "What lies along the component"

# What to do, and what is on its way

TAKE_PROBE = "Take the probe (X), and point at any place of the embedding."
POINT = "Point at any place of the embedding. A click keeps it."
COMPUTING = "The way back from the embedding is computed …"
RESTING = "It follows as soon as the slider rests."
FLAT_ONLY = "Places are pointed at in two dimensions: choose 2D for the embedding."
KEEP_ONE = (
    "A walk leads through a place that is kept: take the probe (X), and click into the "
    "embedding."
)
WALK_COMPUTING = "The walk is computed …"

# Places

COLUMN, HERE, APART = "Column", "Here", "Apart (sd)"
VALUES_NAME = "Values at the place beside those of the nearest row"
VALUES_TIP = (
    "Values of the pre-image of the place, and of the row that is nearest in the "
    "picture; columns that differ most, in their standard deviations, come first."
)
KEPT_MARKER, FOUND_MARKER, NEAREST_MARKER = "here", "pre-image", "nearest found"
LIES_HERE = (
    "A row with these values lies here, within {off} of the picture's width; the "
    "nearest row, {row}, {row_off} away."
)
LIES_BESIDE = (
    "The values found do not lie here: they lie {off} of the picture's width away, the "
    "nearest row, {row}, {row_off}."
)
UNREACHABLE = (
    "No row can lie here: {left} is left in feature space, of the rows at most "
    "{farthest}. The values found lie {off} of the picture's width away, the nearest "
    "row, {row}, {row_off}."
)
LEFT = (
    "{left} of squared distance is left in feature space (of the rows at most "
    "{farthest})."
)
NO_COLUMNS = (
    "The data are a matrix of {what}: a place in the embedding has no columns that "
    "could have values; open the table that it was made of."
)
ONE_ROW = (
    "There is one row only, and every place in the embedding is that row; open two or "
    "more."
)

# Walks

COMPONENT, COMPONENT_VALUE = "PC {number}", "PC {number} = {value}"
WALK_ALL = (
    "PC {number} from {low} to {high}, all other components held: at all {count} "
    "places lies what is shown."
)
WALK_PART = (
    "PC {number} from {low} to {high}, all other components held: at {there} of "
    "{count} places lies what is shown; dashed are the nearest that were found."
)


def reach_words(place: "FoundPlace", row_name: str) -> str:
    template = LIES_HERE if place.lies_here else LIES_BESIDE
    return (template if place.reachable else UNREACHABLE).format(
        off=percent(place.astray),
        row=row_name,
        row_off=percent(place.row_away),
        left=readable(place.left, 3),
        farthest=readable(place.farthest, 3),
    )


def left_words(place: "FoundPlace") -> str:
    """Say what is left in feature space; empty where it has no distances."""
    if not np.isfinite(place.left) or not place.reachable:
        return ""
    return LEFT.format(
        left=readable(place.left, 3), farthest=readable(place.farthest, 3)
    )


def walk_words(walk: "Walk") -> str:
    there, count = sum(place.lies_here for place in walk.places), len(walk.places)
    return (WALK_ALL if there == count else WALK_PART).format(
        number=walk.component + 1,
        low=readable(float(walk.values[0]), 3),
        high=readable(float(walk.values[-1]), 3),
        there=there,
        count=count,
    )
