"""How good an embedding is: separability of the classes, kept neighbourhoods.

The same call serves raw data, linear PCA and kernel PCA coordinates, so that the three
can be compared fairly.

Classes that were predicted for held-out rows, beside the true ones.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from kpca_viewer.core.methods.neighbourhoods import (
    KeptNeighbours,
    Nearest,
    silhouettes,
    voted,
)
from kpca_viewer.core.methods.predictions import (
    RIDGE,
    Predictions,
    predict_repeatedly,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check, never

MOST_ROWS = 2000
"""Above this many rows a fixed sample is scored; all scores are then quick."""

NEIGHBOURS = 10
"""Whose neighbourhood is kept."""

VOTERS = 5
"""Nearest training points that vote on a class."""

FOLDS = 5

DEALINGS = 10
"""Of the rows into folds, for balanced accuracies: two pictures that one dealing tells
apart, the next may not."""

NOTHING = 0.2
"""Part of the way from guessing to always right below which a line does little more
than guessing."""

GUESSING_ERRORS = 3
"""Standard errors by which an accuracy must exceed guessing. Permuted labels spread
up to 1.4 times as far as the binomial law says, because the folds share rows."""


@dataclass(frozen=True)
class Quality:
    """Scores of one embedding; None where a score is not defined."""

    linear_accuracy: float | None
    knn_accuracy: float | None
    """Accuracy of linear discriminants and of the nearest neighbours, cross-validated
    on scores that were computed from all rows."""
    silhouette: float | None
    """Separation of the classes, −1 … 1."""
    trustworthiness: float | None
    continuity: float | None
    """Whether neighbours in the picture are neighbours in the data, and vice versa."""
    chance: float | None
    """Accuracy of always guessing the largest class."""
    rows: int
    """How many rows the neighbourhoods were compared of."""
    labelled: int = 0
    """How many rows the scores of the classes are of."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """One standard error of every score that is defined, by its name."""
    trusted: Array | None = field(default=None, repr=False, compare=False)
    """Shape (rows,). The trustworthiness of every row."""
    predictions: Predictions | None = field(default=None, repr=False, compare=False)
    """Of linear discriminants for which all classes are as probable, in `DEALINGS` of
    the rows, where `linear_accuracy` is defined: what balanced accuracy is of."""


def sample_rows(n: int, most: int = MOST_ROWS, seed: int = 0) -> Array:
    """Return sorted row numbers: all of them, or a fixed sample of ``most``."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


class Scorer:
    """Scores pictures of the same rows.

    What only the data decide (folds, ranks of neighbours) is computed once: a
    drag or a sweep scores many pictures.

    ``n``: rows of every picture; ``labels`` (n,): classes; without them the class
    scores are None. Rows with a code below 0 have no class: only their neighbourhoods
    count; ``original`` (n, d): the points whose neighbourhoods should be kept; without
    them, with fewer than four rows or with rows that are all equal, trustworthiness and
    continuity are None; ``rows`` (m,): whose neighbourhoods are compared: all, or a
    sample of `MOST_ROWS`; ``labelled`` (l,): whose classes are guessed: all that have
    one, or a sample of `MOST_ROWS`.
    """

    def __init__(
        self,
        n: int,
        labels: Array | None = None,
        original: Array | None = None,
        neighbours: int = NEIGHBOURS,
    ) -> None:
        self.rows = sample_rows(n)
        self.labelled = np.empty(0, dtype=np.int64)
        self._codes: Array = self.labelled
        self._classes: Array = self.labelled
        count = min(neighbours, (len(self.rows) - 1) // 2)
        self._kept: KeptNeighbours | None = None
        if original is not None and count >= 1 and len(self.rows) >= 4:
            points = np.asarray(original)[self.rows]
            # In one place, no row is nearer than another.
            if (points != points[0]).any():
                self._kept = KeptNeighbours(points, count)
        if labels is not None:
            self._take_labels(np.asarray(labels))

    def _take_labels(self, labels: Array) -> None:
        # Names serve as classes too, and are always there.
        has_label = labels >= 0 if labels.dtype.kind in "iuf" else labels == labels
        labelled = np.flatnonzero(has_label)
        self.labelled = labelled[sample_rows(len(labelled))]
        self._classes, self._codes = np.unique(
            labels[self.labelled], return_inverse=True
        )

    def score(self, coordinates: Array, should_stop: ShouldStop = never) -> Quality:
        rows, of_classes = self.taken(coordinates)
        return self.score_taken(rows, of_classes, should_stop)

    def taken(self, coordinates: Array) -> tuple[Array, Array]:
        """Return the coordinates (m, k) and (l, k) that a score of (n, k) looks at."""
        Z = np.asarray(coordinates, dtype=np.float64)
        # No measure depends on the unit; very large ones would overflow in squares.
        Z = Z / max(float(np.abs(Z).max(initial=0.0)), 1e-300)
        return Z[self.rows], Z[self.labelled]

    def score_taken(
        self, rows: Array, of_classes: Array, should_stop: ShouldStop = never
    ) -> Quality:
        """Score what `taken` has returned, perhaps some time ago."""
        predictions = self.predict(of_classes)
        found: dict[str, Array | None] = {
            "linear_accuracy": None if predictions is None else predictions.right,
            "knn_accuracy": None,
            "silhouette": None,
            "trustworthiness": None,
            "continuity": None,
        }
        check(should_stop)
        nearest = Nearest(rows)
        if self._folds is not None:
            same = np.array_equal(self.rows, self.labelled)
            found["knn_accuracy"] = voted(
                nearest if same else Nearest(of_classes),
                self._codes,
                self._folds,
                VOTERS,
                should_stop,
            )
        classes = int(self._codes.max(initial=-1)) + 1
        if 2 <= classes < len(self._codes):
            found["silhouette"] = silhouettes(of_classes, self._codes, should_stop)
        if self._kept is not None:
            kept = self._kept.compare(nearest, should_stop)
            kept[0].flags.writeable = False
            found["trustworthiness"], found["continuity"] = kept
        return Quality(
            **{key: None if v is None else float(v.mean()) for key, v in found.items()},
            chance=self.chance,
            rows=len(self.rows),
            labelled=len(self.labelled),
            errors={
                key: standard_error(v, in_pairs=key in IN_PAIRS)
                for key, v in found.items()
                if v is not None
            },
            trusted=found["trustworthiness"],
            predictions=self._predict_repeatedly(of_classes),
        )

    def predict(self, of_classes: Array) -> Predictions | None:
        found = linear_predictions(of_classes, self._codes, self._folds)
        return None if found is None else replace(found, labels=self._classes)

    def _predict_repeatedly(self, of_classes: Array) -> Predictions | None:
        folds = self._dealings
        if folds is None:
            return None
        found = predict_repeatedly(of_classes, self._codes, folds)
        return replace(found, labels=self._classes)

    @cached_property
    def chance(self) -> float | None:
        """Accuracy of always guessing the largest class."""
        if not len(self._codes):
            return None
        counts = np.bincount(self._codes)
        return float(counts.max() / counts.sum())

    @cached_property
    def _folds(self) -> Array | None:
        return deal(self._codes)

    @cached_property
    def _dealings(self) -> Array | None:
        first = self._folds
        if first is None:
            return None
        count = int(first.max()) + 1
        others = (dealt(self._codes, count, seed) for seed in range(1, DEALINGS))
        return np.stack((first, *others))


IN_PAIRS = ("trustworthiness", "continuity")
"""Scores in which every row counts twice: with its neighbours, and as one of theirs."""


def standard_error(values: Array, *, in_pairs: bool = False) -> float:
    """Return by how much a mean over so many rows is off typically.

    Where all of a few rows were right, the next one need not be: two rows of either
    kind are added to what is counted (Agresti and Coull, 1998). A mean over pairs is a
    U-statistic, whose error is twice that of its rows (Hoeffding, 1948).
    """
    m = len(values)
    if values.dtype == bool:
        p = (values.sum() + 2) / (m + 4)
        return float(np.sqrt(p * (1 - p) / (m + 4)))
    times = 2 if in_pairs else 1
    return float(times * values.std(ddof=1) / np.sqrt(m)) if m > 1 else 0.0


def fold_errors(judged: Array, folds: int, sizes: Array | None = None) -> Array:
    """Return one standard error of the means (k,) of scores of folds (m, k).

    Training sets overlap, so that scores of folds depend on each other: the variance
    is that of Nadeau and Bengio (2003). Folds in which every row was right do not
    differ, and the next row may be wrong: a balanced accuracy has at least the error
    that so many rows of its classes allow, two rows of either kind being added
    (Agresti and Coull, 1998).

    ``sizes`` (classes,): held-out rows of each class, where the scores are balanced
    accuracies.
    """
    share = 1 / len(judged) + 1 / (folds - 1)
    spread = judged.std(axis=0, ddof=1) if len(judged) > 1 else 0 * judged[0]
    errors: Array = spread * np.sqrt(share)
    if sizes is None:
        return errors
    return np.maximum(errors, balanced_errors(judged.mean(axis=0), sizes))


def balanced_errors(accuracies: Array, sizes: Array) -> Array:
    """Return the least standard error of balanced accuracies (k,) of classes (C,).

    Classes of unequal sizes count as so many rows in classes of one size.
    """
    m = len(sizes) ** 2 / float((1 / np.asarray(sizes)).sum()) + 4
    p = (np.clip(accuracies, 0, 1) * (m - 4) + 2) / m
    errors: Array = np.sqrt(p * (1 - p) / m)
    return errors


def linear_accuracy(Z: Array, y: Array | None) -> float | None:
    """Held-out accuracy of linear discriminants, (n, k) and (n,)."""
    if y is None:
        return None
    codes = np.unique(y, return_inverse=True)[1]
    found = linear_predictions(Z, codes, deal(codes))
    return None if found is None else float(found.right.mean())


def linear_predictions(
    Z: Array, codes: Array, folds: Array | None, *, balanced: bool = False
) -> Predictions | None:
    """Predict the classes of held-out rows (n, k); None without folds."""
    if folds is None:
        return None
    found = predict_repeatedly(Z, codes, folds[None], balanced=balanced)
    return Predictions(codes, found.predicted[0])


def discriminated(Z: Array, y: Array, new: Array, *, balanced: bool = False) -> Array:
    """Return the classes that linear discriminants give to new rows, (m,).

    ``Z`` (n, k); ``y`` (n,): of two classes at least; ``new`` (m, k); ``balanced``: as
    for `predict_repeatedly`.
    """
    classes, codes = np.unique(y, return_inverse=True)
    known, new = standardised(Z, new)
    of = (codes[:, None] == np.arange(len(classes))).astype(np.float64)
    counts = of.sum(axis=0)
    means = of.T @ known / counts[:, None]
    within = known - means[codes]
    # Components with zero scores, or classes that are one point each, would make the
    # scatter singular.
    scatter = within.T @ within / len(known) + RIDGE * np.eye(known.shape[1])
    W = np.linalg.solve(scatter, means.T)
    offsets = -(means * W.T).sum(axis=1) / 2
    if not balanced:
        offsets += np.log(counts / len(known))
    return classes[np.argmax(new @ W + offsets, axis=1)]


def standardised(known: Array, new: Array) -> tuple[Array, Array]:
    """Return both around the mean of the known rows, in their spreads."""
    middle, spread = known.mean(axis=0), known.std(axis=0)
    spread = np.where(spread > 0, spread, 1)
    return (known - middle) / spread, (new - middle) / spread


def deal(codes: Array) -> Array | None:
    """Return a fold for every row, or None where a class is too small to split.

    Dealt out like cards within every class, in a fixed order.
    """
    counts = np.bincount(codes)
    if len(counts) < 2 or counts.min() < 2:
        return None
    return dealt(codes, min(FOLDS, int(counts.min())))


def dealt(codes: Array, folds: int, seed: int | tuple[int, ...] = 0) -> Array:
    """Return a fold for every row, dealt out like cards within every class, (n,)."""
    order = np.random.default_rng(seed).permutation(len(codes))
    by_class = order[np.argsort(codes[order], kind="stable")]
    hand = np.empty(len(codes), dtype=int)
    hand[by_class] = np.arange(len(codes)) % folds
    return hand
