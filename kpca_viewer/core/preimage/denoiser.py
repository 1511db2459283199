"""Noisy rows as the first components see them, less the noise in their scores."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.preimage.noise import noise_level
from kpca_viewer.core.preimage.prepared import PreImages

Array = NDArray[Any]

NOISY_ROWS, TRIED_ROWS = 500, 150
"""Training rows to which noise is added, and on which it is tried whether shrinking
helps."""

STEP = 0.1
"""Of a difference quotient, in standard deviations of the noise."""


class Denoiser:
    """Pre-images of noisy rows from some of the components.

    Components hold noise, too. Of every score the part is kept that comes back if
    noise as strong as that of the table is added to rows (a Wiener filter). A narrow
    kernel needs none of it, for the iteration averages over rows by itself: Stein's
    estimate of the error that is left, from training rows alone, says whether scores
    are shrunk at all.

    Parameters
    ----------
    images : PreImages
        Only those of a centred RBF kernel by no certain method shrink.
    components : ndarray of shape (k,)
        Which components of the model count, as booleans.
    """

    def __init__(self, images: PreImages, components: Array) -> None:
        self._images = images
        self.factors = components.astype(np.float64)
        """Shape (k,). What every score is multiplied by."""
        # Without centring zero is not the middle of the scores, to shrink towards.
        looks = images.mixed and images.centred
        self.noise = noise_level(images.points) if looks else 0.0
        """Variance of the noise of the table; 0 where nobody looked, or none is
        known."""
        self.shrinks = False
        """Whether scores are shrunk, by the factors."""
        if self.noise > 0:
            self._choose()

    def __call__(self, Z: Array, start: Array) -> Array:
        """Points (m, d) for scores Z (m, k) of all components of the noisy rows."""
        wanted = Z * self.factors
        if self.shrinks:
            return self._images.iterated(wanted, start)
        return self._images(wanted, start=start).points

    def _choose(self) -> None:
        random, images = np.random.default_rng(0), self._images
        x, scale = _spread_rows(images.points, NOISY_ROWS), self.noise**0.5
        first, second = (
            images.scores(x + random.normal(scale=scale, size=x.shape))
            for _ in range(2)
        )
        shrunk = self.factors * _kept_parts(first, second)
        x = _spread_rows(images.points, TRIED_ROWS)
        direction = random.normal(size=x.shape)

        def error(factors: Array) -> float:
            def clean(rows: Array) -> Array:
                return images.iterated(images.scores(rows) * factors, rows)

            return _stein(clean, x, direction, self.noise)

        if error(shrunk) < error(self.factors):
            self.factors, self.shrinks = shrunk, True


def _spread_rows(points: Points, most: int) -> Array:
    """Return rows that are evenly spread over the table."""
    index = np.unique(np.linspace(0, len(points) - 1, most).astype(int))
    return np.asarray(points.X[index], dtype=np.float64)


def _kept_parts(first: Array, second: Array) -> Array:
    """Return the part of every score that is no noise, 0 … 1, shape (k,).

    Parameters
    ----------
    first, second : ndarray of shape (m, k)
        Scores of the same rows with noise that was drawn twice. What both share is what
        the rows have without the added noise, but for a factor; as much noise as was
        added is in that, too.
    """
    a, b = first - first.mean(axis=0), second - second.mean(axis=0)
    shared = (a * b).sum(axis=0)
    noise = np.square(a - b).sum(axis=0) / 2
    ratio = np.ones_like(shared)
    np.divide(noise, shared, out=ratio, where=shared > noise)
    return 1 - ratio


def _stein(
    clean: Callable[[Array], Array], x: Array, direction: Array, noise: float
) -> float:
    """Estimate the squared error that is left in a cell, less the noise itself.

    ``‖f(x) − x‖² + 2σ² div f``, the divergence along one random direction.
    """
    step = STEP * noise**0.5
    found = clean(x)
    slope = (direction * (clean(x + step * direction) - found)).mean() / step
    return float(np.square(found - x).mean() + 2 * noise * slope)
