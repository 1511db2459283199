"""What a sweep measures of every picture, which value is best, and a meter in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.quality import NEIGHBOURS, sample_rows

Array = NDArray[Any]
Better = Literal["high", "low", "neither"]

SCORED_ROWS = 300
"""Rows that are scored of every picture: all measures then take a few milliseconds."""

FOLDS = 5


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
            return f"{value:.0e}".replace("-", "−")
        return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


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
    known = np.empty(0) if labels is None else np.unique(labels[labels >= 0])
    if len(known) < 2:
        why = "there is one class only" if len(known) else "the data have no classes"
        keys = [key for key, measure in MEASURES.items() if measure.needs_classes]
        reasons |= dict.fromkeys(keys, f"Not defined: {why}.")
    if kind != "points":
        why = "a given matrix has no points to compare the picture with"
        keys = ["trustworthiness", "continuity", "linear_agreement"]
        reasons |= dict.fromkeys(keys, f"Not defined: {why}.")
    return reasons


class Scorer:
    """Scores pictures of the same rows by the definitions of `core.quality`.

    What only the data decide (folds, ranks of neighbours) is computed once, and all
    scores of a picture share one matrix of distances: a sweep scores every value.

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
        self.rows = sample_rows(n, SCORED_ROWS)
        self._original = None if original is None else np.asarray(original)[self.rows]
        self._linear = None if linear is None else linear[self.rows, :2]
        self._member: Array | None = None
        if labels is not None:
            classes = np.unique(labels[self.rows])
            if len(classes) > 1 or (classes >= 0).all():
                member = labels[self.rows, None] == classes
                self._member = member.astype(np.float64)

    def score(self, coordinates: Array) -> dict[str, float | None]:
        """Score the shown coordinates (n, 2).

        Returns
        -------
        dict
            Measures by key; None where one is not defined.
        """
        from scipy.spatial.distance import cdist

        Z = np.asarray(coordinates, dtype=np.float64)[self.rows]
        # No measure depends on the unit; very large ones would overflow in squares.
        Z = Z / max(float(np.abs(Z).max(initial=0.0)), 1e-300)
        D = cdist(Z, Z, "sqeuclidean").astype(np.float32)
        trust, kept = self._neighbourhoods(D)
        return {
            "linear_accuracy": self._linear_accuracy(Z),
            "knn_accuracy": self._knn_accuracy(D),
            "silhouette": self._silhouette(D),
            "trustworthiness": trust,
            "continuity": kept,
            "linear_agreement": agreement(Z, self._linear),
        }

    @cached_property
    def _folds(self) -> Array | None:
        """Fold of every row (m,), dealt out within the classes; None if too few."""
        if self._member is None:
            return None
        counts = self._member.sum(axis=0)
        if len(counts) < 2 or counts.min() < 2:
            return None
        codes = self._member.argmax(axis=1)
        order = np.random.default_rng(0).permutation(len(codes))
        by_class = order[np.argsort(codes[order], kind="stable")]
        folds = np.empty(len(codes), dtype=int)
        folds[by_class] = np.arange(len(codes)) % min(FOLDS, int(counts.min()))
        return folds

    def _linear_accuracy(self, Z: Array) -> float | None:
        """Held-out accuracy of least squares to ±1 targets.

        The sums over all folds but one are those over all rows without that one; least
        squares with a constant do not mind that the scale is that of all rows.
        """
        folds = self._folds
        if folds is None or self._member is None:
            return None
        spread = Z.std(axis=0)
        A = np.column_stack(
            ((Z - Z.mean(axis=0)) / np.where(spread > 0, spread, 1), np.ones(len(Z)))
        )
        T = 2 * self._member - 1
        G, R = A.T @ A, A.T @ T
        ridge = 1e-9 * len(A) * np.eye(A.shape[1])
        right = 0
        for f in range(int(folds.max()) + 1):
            test = folds == f
            B = A[test]
            W = np.linalg.solve(G - B.T @ B + ridge, R - B.T @ T[test])
            guess = np.argmax(B @ W, axis=1)
            right += int(self._member[test, guess].sum())
        return right / len(A)

    @cached_property
    def _same_fold(self) -> Array:
        assert self._folds is not None
        return self._folds[:, None] == self._folds

    def _knn_accuracy(self, D: Array, neighbours: int = 5) -> float | None:
        """Held-out accuracy of a vote among the nearest rows of other folds."""
        if self._folds is None or self._member is None:
            return None
        others = np.where(self._same_fold, np.float32(np.inf), D)
        k = min(neighbours, len(D) - 1)
        near = np.argpartition(others, k - 1, axis=1)[:, :k]
        votes = self._member[near].sum(axis=1)
        return float(self._member[np.arange(len(D)), votes.argmax(axis=1)].mean())

    def _silhouette(self, D: Array) -> float | None:
        """Mean silhouette of the classes."""
        member = self._member
        if member is None or not 2 <= member.shape[1] < len(member):
            return None
        counts = member.sum(axis=0)
        sums = np.sqrt(D).astype(np.float64) @ member
        own = member.astype(bool)
        mine = counts[member.argmax(axis=1)]
        inner = sums[own] / np.maximum(mine - 1, 1)
        outer = np.where(own, np.inf, sums / counts).min(axis=1)
        widest = np.maximum(inner, outer)
        score = np.where((mine == 1) | (widest == 0), 0, outer - inner)
        return float((score / np.where(widest == 0, 1, widest)).mean())

    @cached_property
    def _known(self) -> tuple[Array, Array]:
        """Ranks of all rows by distance in the data (m, m), and the k nearest."""
        from scipy.spatial.distance import cdist

        assert self._original is not None
        D = cdist(self._original, self._original, "sqeuclidean")
        np.fill_diagonal(D, -1)
        order = np.argsort(D, axis=1, kind="stable")
        ranks = np.empty(order.shape, dtype=np.int32)
        np.put_along_axis(
            ranks, order, np.arange(len(D), dtype=np.int32)[None, :], axis=1
        )
        return ranks, order[:, 1 : self._neighbours + 1]

    @property
    def _neighbours(self) -> int:
        return min(NEIGHBOURS, (len(self.rows) - 1) // 2)

    def _neighbourhoods(self, D: Array) -> tuple[float | None, float | None]:
        """Trustworthiness and continuity.

        Only ranks of neighbours are looked at, so that nothing has to be sorted: a
        rank in the picture is a count of the rows that are nearer.
        """
        n, k = len(D), self._neighbours
        if self._original is None or k < 1 or n < 4:
            return None, None
        ranks, near = self._known
        # Each row is its own nearest, with rank 0 in the data: it costs nothing.
        shown = np.argpartition(D, k, axis=1)[:, : k + 1]
        intruders = np.take_along_axis(ranks, shown, axis=1) - k
        reach = np.take_along_axis(D, near, axis=1)
        missing = np.empty((n, k))
        for j in range(k):
            nearer = reach[:, j : j + 1] > D
            missing[:, j] = np.count_nonzero(nearer, axis=1) - k
        scale = 2 / (n * k * (2 * n - 3 * k - 1))
        return (
            1 - scale * float(np.maximum(intruders, 0).sum()),
            1 - scale * float(np.maximum(missing, 0).sum()),
        )


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
