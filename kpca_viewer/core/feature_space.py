"""Where the model lies in feature space: enough to measure distances to it exactly.

The components span a plane through the mean ``φ̄``. Both are sums over carriers, the
training points or the landmarks of a low-rank model, so that every length and distance
is a sum of kernel values.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.gram import row_blocks
from kpca_viewer.core.projection import Cross, positive_part, score_weights
from kpca_viewer.core.solvers.problem import Decomposition
from kpca_viewer.support.numerals import percent
from kpca_viewer.support.progress import ShouldStop, check, never

Array = NDArray[Any]

LEAST_NEGATIVE = 1e-9
"""Part of the largest eigenvalue below which a negative one is rounding."""


@dataclass(frozen=True, eq=False)
class FeatureSpace:
    """Mean and components as sums over the features of the carriers."""

    rows: Array | None
    """Shape (a,). Training rows that carry the model; None for all of them."""
    weights: Array
    """Shape (a, k). ``u_j = Σ_i weights_ij φ(x_i)``, unit vectors; a component without
    variance is all zeros."""
    offset: Array
    """Shape (k,). ``u_jᵀφ̄``."""
    mean: Array
    """Shape (a,). ``φ̄ = Σ_i mean_i φ(x_i)``; zeros without centring."""
    mean_length: float
    """``‖φ̄‖²``."""
    mean_error: float
    """Bound on the distance between ``φ̄`` and the mean of all training features: 0
    unless landmarks carry the model."""
    variances: Array
    """Shape (k,). ``λ_j = μ_j / n``, exactly 0 where there is only rounding."""

    @classmethod
    def of(cls, found: Decomposition) -> "FeatureSpace":
        """Return the space of a decomposition."""
        rows, weights, offset = score_weights(found)
        n, map_ = found.n, found.landmark_map
        if map_ is None:
            centred = bool(found.row_means.any())
            mean = np.full(n, 1 / n if centred else 0.0)
            length = float(found.row_means.mean()) if centred else 0.0
            error = 0.0
        else:
            mean = map_.solved(map_.mean)
            length = float(map_.mean @ map_.mean)
            # What the landmarks leave of all features is no shorter than its mean.
            left = max(found.trace - float(found.spectrum.sum()), 0.0)
            error = (left / n) ** 0.5 if map_.mean.any() else 0.0
        return cls(
            rows,
            # By components, as few rows at a time are multiplied fastest.
            np.asfortranarray(weights, dtype=np.float64),
            np.asarray(offset, dtype=np.float64),
            mean,
            length,
            error,
            positive_part(found) / n,
        )

    def coefficients(self, Z: Array) -> Array:
        """Return c (m, a) with ``φ̄ + Σ_j z_j u_j = Σ_i c_i φ(x_i)``."""
        return np.asarray(Z @ self.weights.T + self.mean)

    def squared_lengths(self, Z: Array) -> Array:
        """``‖φ̄ + Σ_j z_j u_j‖²`` for scores Z (m, k), shape (m,)."""
        live = np.where(self.variances > 0, Z, 0.0)
        own = np.einsum("ij,ij->i", live, live)
        return np.asarray(own + 2 * (live @ self.offset) + self.mean_length)

    def placed(
        self, cross: Cross, diagonal: Array, should_stop: ShouldStop = never
    ) -> tuple[Array, Array]:
        """Scores (m, k) of points, and ``‖φ(x) − φ̄‖²`` (m,), in one pass.

        Parameters
        ----------
        cross : callable
            As `kpca_viewer.core.projection.project` takes it.
        diagonal : ndarray of shape (m,)
            ``k(x, x)``.
        """
        m = len(diagonal)
        joint = np.column_stack((self.weights, self.mean))
        found = np.empty((m, joint.shape[1]))
        for rows in row_blocks(m, 8 * len(joint)):
            check(should_stop)
            found[rows] = cross(rows, self.rows) @ joint
        lengths = diagonal - 2 * found[:, -1] + self.mean_length
        return found[:, :-1] - self.offset, np.maximum(lengths, 0.0)


def training_lengths(
    found: Decomposition,
    diagonal: Array,
    cross: Cross | None = None,
    should_stop: ShouldStop = never,
) -> Array:
    """``‖φ(x_i) − φ̄‖²`` of the training points, shape (n,).

    Without landmarks the row means say it, and ``cross`` is not needed.
    """
    if found.landmark_map is not None:
        assert cross is not None
        return FeatureSpace.of(found).placed(cross, diagonal, should_stop)[1]
    if not found.row_means.any():
        return np.maximum(diagonal, 0.0)
    lengths = diagonal - 2 * found.row_means + found.row_means.mean()
    return np.maximum(lengths, 0.0)


def no_lengths(found: Decomposition) -> str:
    """Say why features have no lengths; empty if they have."""
    largest = float(np.abs(found.eigenvalues).max(initial=0.0))
    if found.psd or found.smallest >= -LEAST_NEGATIVE * largest:
        return ""
    share = found.mass.share
    held = f" ({percent(share)} of the spectrum is)" if share > 0 else ""
    return (
        f"The kernel has negative eigenvalues{held}, so that rows have no length in "
        "its feature space: there is no cos² and no distance to the model; choose a "
        "definite kernel."
    )
