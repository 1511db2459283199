"""Scores of a picture, what they are held against, and a meter in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from kpca_viewer.core.methods.quality import Quality, Scorer
from kpca_viewer.engine.sweep.measures import Measure, row_scores
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, never


@dataclass(frozen=True)
class Yardstick:
    """What the scores of a picture are held against, and what they are scores of."""

    axes: tuple[int, ...] = ()
    """The components that were scored."""
    rows: int = 0
    labelled: int = 0
    """How many rows the neighbourhoods and the classes were scored of."""
    chance: float | None = None
    """Accuracy of always guessing the largest class."""
    errors: Mapping[str, float] = field(default_factory=dict)
    """One standard error of a measure, by its key."""
    linear: Mapping[str, float | None] = field(default_factory=dict)
    """What linear PCA scores on as many components, by the keys of `MEASURES`."""

    def rows_of(self, measure: Measure) -> int | None:
        """Return how many rows a measure is of; None for one of the whole spectrum."""
        if not measure.of_rows:
            return None
        return self.labelled if measure.needs_classes else self.rows


ScoredRows = tuple[Array, Array]
"""The coordinates of the rows that are scored."""


class PictureScorer:
    """Scores every picture of a sweep: some measures at once, the slower ones later.

    ``original`` (n, d) are the points whose neighbourhoods should be kept, ``linear``
    (n, m) the scores of linear PCA on as many components as any picture is scored on.
    """

    def __init__(
        self, original: Array | None, labels: Array | None, linear: Array | None, n: int
    ) -> None:
        self._scorer = Scorer(n, labels, original)
        self._linear = None if linear is None else self._scorer.taken(linear)
        self._of_linear: dict[int, Quality] = {}
        self._lock = Lock()

    def take(self, coordinates: Array) -> ScoredRows:
        """Return of coordinates (n, m) what is needed for scoring them later."""
        return self._scorer.taken(coordinates)

    def quick(self, taken: ScoredRows) -> dict[str, float | None]:
        """Return the measures that take a millisecond or two, by key."""
        found = self._scorer.predict(taken[1])
        return {
            "linear_accuracy": None if found is None else float(found.right.mean()),
            "linear_agreement": self._agreement(taken),
        }

    def _agreement(self, taken: ScoredRows) -> float | None:
        # A plane is compared with a plane: any third axis makes the agreement larger.
        linear = None if self._linear is None else self._linear[0][:, :2]
        return agreement(taken[0][:, :2], linear)

    def score(
        self, taken: ScoredRows, axes: Sequence[int], should_stop: ShouldStop = never
    ) -> tuple[dict[str, float | None], Yardstick]:
        """Score a picture; measures that are not defined are None."""
        # First what all pictures share, by one of those who want it at once.
        with self._lock:
            linear = self._linear_quality(taken[0].shape[1], should_stop)
        quality = self._scorer.score_taken(*taken, should_stop)
        scores = row_scores()
        measures: dict[str, float | None] = {"linear_agreement": self._agreement(taken)}
        measures |= {key: getattr(quality, key) for key in scores}
        yardstick = Yardstick(
            tuple(axes),
            quality.rows,
            quality.labelled,
            quality.chance,
            quality.errors,
            {} if linear is None else {key: getattr(linear, key) for key in scores},
        )
        return measures, yardstick

    def _linear_quality(self, count: int, should_stop: ShouldStop) -> Quality | None:
        """Return what linear PCA scores on so many components."""
        if self._linear is None:
            return None
        if count not in self._of_linear:
            rows, of_classes = (Z[:, :count] for Z in self._linear)
            self._of_linear[count] = self._scorer.score_taken(
                rows, of_classes, should_stop
            )
        return self._of_linear[count]


def agreement(Z: Array, linear: Array | None) -> float | None:
    """Mean canonical correlation of pictures (n, 2): 1 if a linear map joins them."""
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


def meter(effective_rank: float, n: int, linear_agreement: float | None) -> str:
    """Return where a picture stands between linear PCA and isolated points.

    A kernel that is too wide repeats linear PCA: the agreement is near 1 and few
    directions count. One that is too narrow knows every point only itself: the
    effective rank approaches n.
    """
    like = 0.0 if linear_agreement is None else linear_agreement
    if n < 2 or effective_rank <= 0:
        return "almost linear"
    if effective_rank >= n / 4:
        return "every point for itself"
    if effective_rank >= n / 12 and effective_rank > 20:
        return "fine detail"
    if like >= 0.97:
        return "almost linear"
    return "a little bent" if like >= 0.85 else "structure"
