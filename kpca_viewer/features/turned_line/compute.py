"""What lies along a line through the mean of plane data, whichever way it is turned."""

from dataclasses import dataclass
from math import atan2, degrees

import numpy as np

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.core.methods.threshold import Threshold, best_threshold
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.arrays import Array

MOST_ROWS = 2_000
"""Rows that are projected while the line turns; of more, a fixed sample."""

DIRECTIONS = 180
"""That are tried for the best one: a degree each."""

HALF_TURN = 180.0


@dataclass(frozen=True, eq=False)
class PlaneRows:
    """Rows around their mean, as the kernel sees them: scaled."""

    places: Array
    """Shape (m, 2). From the mean of all rows."""
    codes: Array | None
    """Shape (m,). Classes from 0; None where there are no two of them."""
    class_names: tuple[str, ...]
    axis_names: tuple[str, str]
    total: int
    """Rows of the data."""
    pca_angle: float
    """Of the first component of linear PCA, from 0 to 180 degrees."""

    def along(self, angle: float) -> Array:
        """Return where the rows lie along a line, (m,)."""
        return np.asarray(self.places @ direction(angle))

    def share(self, angle: float) -> float:
        """Return the share of the variance that lies along a line."""
        total = float(np.square(self.places).sum())
        return float(np.square(self.along(angle)).sum()) / total if total > 0 else 0.0

    def threshold(self, angle: float) -> Threshold | None:
        """Return the best threshold on a line; None without classes."""
        if self.codes is None:
            return None
        return best_threshold(self.along(angle), self.codes)

    def best(self) -> float:
        """Return the highest accuracy among all directions."""
        found = [self.threshold(float(angle)) for angle in range(DIRECTIONS)]
        return max((one.accuracy for one in found if one is not None), default=0.0)

    @property
    def largest(self) -> float:
        """Share of the most frequent class."""
        return 0.0 if self.codes is None else np.bincount(self.codes).max() / self.n

    @property
    def n(self) -> int:
        return len(self.places)


def direction(angle: float) -> Array:
    """Return the unit vector (2,) of an angle in degrees."""
    return np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])


def is_plane(result: AnalysisResult) -> bool:
    return result.dataset.kind == "points" and result.dataset.d == 2


def plane_rows(result: AnalysisResult) -> PlaneRows:
    """Return the rows of plane data; those without a class have none to tell."""
    dataset, linear = result.dataset, result.linear
    assert linear is not None
    rows, labels = sample_rows(dataset.n, MOST_ROWS), dataset.labels
    codes, names = None, dataset.label_names
    if labels is not None:
        known = rows[labels[rows] >= 0]
        present, found = np.unique(labels[known], return_inverse=True)
        if len(present) > 1:
            rows, codes = known, found
            names = tuple(dataset.label_names[code] for code in present)
    seen = np.asarray(result.points.take(rows).dense(), dtype=np.float64)
    x, y = linear.directions[:, 0].tolist()
    first, second = dataset.feature_names[:2]
    return PlaneRows(
        places=seen - linear.mean,
        codes=codes,
        class_names=names if codes is not None else (),
        axis_names=(first, second),
        total=dataset.n,
        pca_angle=degrees(atan2(y, x)) % HALF_TURN,
    )
