"""What a sweep measures of every picture, which value is best, and a meter in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.numerals import readable
from kpca_viewer.core.quality import Scorer

Array = NDArray[Any]
Better = Literal["high", "low", "neither"]

SCORED_ROWS = 300
"""Rows that are compared in every picture: that takes a few milliseconds then."""


@dataclass(frozen=True)
class Measure:
    """One number about a picture.

    Attributes
    ----------
    key : str
    title : str
    better : {"high", "low", "neither"}
        Which end is the better one; effective rank has none.
    form : {"percent", "score", "number", "power"}
        How it is written.
    needs_classes : bool
    """

    key: str
    title: str
    better: Better = "high"
    form: Literal["percent", "score", "number", "power"] = "percent"
    needs_classes: bool = False

    def text(self, value: float | None) -> str:
        """Return a value as a person reads it."""
        if value is None or not np.isfinite(value):
            return "–"
        if self.form == "percent":
            return f"{100 * value:.1f} %"
        if self.form == "score":
            return f"{value:.3f}".replace("-", "−")
        if self.form == "power":
            return readable(value, 1)
        return readable(value, 3)


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        row.key: row
        for row in (
            Measure("linear_accuracy", "Held-out accuracy", needs_classes=True),
            Measure("knn_accuracy", "k-NN accuracy", needs_classes=True),
            Measure("silhouette", "Silhouette", form="score", needs_classes=True),
            Measure("trustworthiness", "Trustworthiness", form="score"),
            Measure("continuity", "Continuity", form="score"),
            Measure("share_2", "Share of the first two"),
            Measure("share_3", "Share of the first three"),
            Measure("effective_rank", "Effective rank", "neither", "number"),
            Measure("certificate", "Error bound", "low", "power"),
            Measure("linear_agreement", "Agreement with linear PCA", "neither"),
        )
    }
)
"""Every measure by its key, in the order in which menus list them."""

ALIASES = MappingProxyType(
    {"linear": "linear_accuracy", "knn": "knn_accuracy", "accuracy": "linear_accuracy"}
)
"""Short names that the command line takes as well."""


def missing_measures(labels: Array | None, kind: str = "points") -> dict[str, str]:
    """Return why measures are not defined for some data, by their keys.

    Parameters
    ----------
    labels : ndarray of shape (n,) or None
    kind : {"points", "kernel", "distances"}
    """
    reasons: dict[str, str] = {}
    # Asked by the window: to sort a million labels would be felt.
    highest = -1 if labels is None else int(labels.max(initial=-1))
    several = labels is not None and bool(((labels >= 0) & (labels != highest)).any())
    if not several:
        why = "there is one class only" if highest >= 0 else "the data have no classes"
        keys = [key for key, measure in MEASURES.items() if measure.needs_classes]
        reasons |= dict.fromkeys(keys, f"Not defined: {why}.")
    if kind != "points":
        why = "a given matrix has no points to compare the picture with"
        keys = ["trustworthiness", "continuity", "linear_agreement"]
        reasons |= dict.fromkeys(keys, f"Not defined: {why}.")
    return reasons


class PictureScorer:
    """Scores every picture of a sweep.

    Parameters
    ----------
    original : ndarray of shape (n, d) or None
        The points whose neighbourhoods should be kept.
    labels : ndarray of shape (n,) or None
    linear : ndarray of shape (n, m) or None
        Scores of linear PCA.
    n : int
    """

    def __init__(
        self, original: Array | None, labels: Array | None, linear: Array | None, n: int
    ) -> None:
        self._scorer = Scorer(n, labels, original, SCORED_ROWS)
        self._linear = None if linear is None else linear[self._scorer.rows, :2]

    def score(self, coordinates: Array) -> dict[str, float | None]:
        """Score the shown coordinates (n, m), on a line, in a plane or in space.

        Returns
        -------
        dict
            Measures by key; None where one is not defined.
        """
        quality = self._scorer.score(coordinates)
        scores = {
            key: value for key, value in asdict(quality).items() if key in MEASURES
        }
        # A plane is compared with a plane: any third axis makes the agreement larger.
        shown = coordinates[self._scorer.rows, :2]
        return scores | {"linear_agreement": agreement(shown, self._linear)}


def agreement(Z: Array, linear: Array | None) -> float | None:
    """Mean canonical correlation of two pictures (n, 2): 1 where one is the other.

    It does not mind rotated, mirrored or stretched axes; a picture that is linear PCA
    after such a map scores 1.
    """
    if linear is None or len(Z) < 3:
        return None
    bases = []
    for picture in (Z, np.asarray(linear, dtype=np.float64)):
        centred = picture - picture.mean(axis=0)
        U, s, _ = np.linalg.svd(centred, full_matrices=False)
        bases.append(U[:, s > 1e-9 * max(float(s.max(initial=0.0)), 1e-300)])
    A, B = bases
    m = min(A.shape[1], B.shape[1])
    if m == 0:
        return None
    correlations = np.linalg.svd(A.T @ B, compute_uv=False)[:m]
    return float(np.clip(correlations, 0, 1).mean())


def best_index(
    values: Sequence[float | None], better: Better, *, in_line: bool = True
) -> int | None:
    """Return the position of the best value; of a plateau, its middle.

    Accuracies of a few hundred rows are often equal over a range. Its middle is the
    choice that a slightly different sample would not overturn. Values that are not
    ``in_line`` (those of a grid) have no plateau; the first of the best is taken.
    """
    known = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    if better == "neither" or not np.isfinite(known).any():
        return None
    if better == "low":
        known = -known
    top = float(np.nanmax(known))
    if not in_line:
        return int(np.nanargmax(known))
    alike = np.isfinite(known) & (known >= top - 1e-3 * max(abs(top), 1e-300))
    best, length = int(np.nanargmax(known)), 0
    start = 0
    for stop in range(len(alike) + 1):
        if stop < len(alike) and alike[stop]:
            continue
        run = known[start:stop]
        if len(run) > length and run.max() >= top:
            best, length = (start + stop - 1) // 2, len(run)
        start = stop + 1
    return best


WORDS = (
    "almost linear",
    "a little bent",
    "structure",
    "fine detail",
    "every point for itself",
)


def meter(
    effective_rank: float, n: int, linear_agreement: float | None
) -> tuple[float, str]:
    """Say how far a picture is between linear PCA and isolated points.

    A kernel that is too wide repeats linear PCA: the agreement is near 1 and few
    directions count. One that is too narrow knows every point only itself: the
    effective rank approaches n.

    Returns
    -------
    tuple of (position, words)
        From 0, almost linear, to 1, every point for itself.
    """
    if n < 2 or effective_rank <= 0:
        return 0.0, WORDS[0]
    spread = float(np.clip(np.log(max(effective_rank, 1.0)) / np.log(n), 0, 1))
    like = 0.0 if linear_agreement is None else linear_agreement
    # On a scale of orders of magnitude: the square root of n is half-way.
    bent = float(np.clip((1 - like) / 0.35, 0, 1))
    position = float(np.clip(max(spread, 0.3 * bent + 0.2 * spread), 0, 1))
    if effective_rank >= n / 4:
        return max(position, 0.8), WORDS[4]
    if effective_rank >= n / 12 and effective_rank > 20:
        return float(np.clip(position, 0.6, 0.8)), WORDS[3]
    if like >= 0.97:
        return min(position, 0.2), WORDS[0]
    if like >= 0.85:
        return float(np.clip(position, 0.2, 0.4)), WORDS[1]
    return float(np.clip(position, 0.4, 0.6)), WORDS[2]
