"""What the choices of a pre-image are called, wherever they are named."""

from kpca_viewer.engine.settings import HeldScores, PreImageMethod

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
