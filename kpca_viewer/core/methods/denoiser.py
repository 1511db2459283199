"""Noisy rows as the first components see them, as far as that is likely to help.

How much noise a table holds, without knowing what it would be without.
"""

from collections.abc import Callable
from functools import cached_property

import numpy as np

from kpca_viewer.core.kernels.bases import Points, is_sparse
from kpca_viewer.core.methods.preimage import PreImages
from kpca_viewer.support.arrays import Array

NOISY_ROWS, TRIED_ROWS = 500, 150
"""Training rows to which noise is added, and on which it is tried whether shrinking
helps."""

LEAST_COLUMNS = 16
"""From which on scores are shrunk: few columns tell too little of the noise."""

HELD_OUT_UP_TO = 1000
"""Rows of a model up to which the gain is estimated on rows that another model has not
seen; one of more rows knows each of them little better than new ones."""

HELD_OUT = 5
"""One row in so many is held out for that."""

NEARLY_ALL = 0.9
"""Weight from which on all of the change is made: the noise is not known better."""

OTHERS = 8
"""Directions for which the changes of other rows count beside those of the row itself.
Chosen among 2, 4 and 8 on noisy digits, breast cancer and wine."""

NORMAL_QUARTILE = 0.6745
"""Half of a standard normal distribution is within."""

STEP = 0.1
"""Of a difference quotient, in standard deviations of the noise."""

LEAST_STEP = 1e-4
"""The same in spreads of the rows, where there is no noise."""


class Denoiser:
    """Pre-images of noisy rows from some of the components.

    Components hold noise, too. Of every score the part is kept that comes back if
    noise as strong as that of the table is added to rows (a Wiener filter). A narrow
    kernel needs none of it, for the iteration averages over rows by itself: Stein's
    estimate of the error that is left, from training rows alone, says whether scores
    are shrunk at all.

    Not all that components leave out is noise. Of the change g from a row to its
    pre-image a part w is made: ``x + w g(x)`` has the least expected squared error at
    ``w = −σ² div g / ‖g‖²`` (Stein). Rows that were held out tell the divergence; the
    square is that of the row, drawn towards the mean of theirs.

    ``images``: only those of a centred RBF kernel by no certain method shrink. Those by
    a certain method, and of the linear kernel, make all of the change; ``components``
    (k,): which components of the model count, as booleans; ``noise``: standard
    deviation of the noise in the rows; by default the table tells.
    """

    def __init__(
        self, images: PreImages, components: Array, noise: float | None = None
    ) -> None:
        self._images = images
        self.factors = components.astype(np.float64)
        """Shape (k,). What every score is multiplied by."""
        self.noise: float | None = None
        """Variance of the noise; None where it was not estimated, or cannot be."""
        self._given = noise is not None
        if images.by_default and images.sees_values and not images.is_exact:
            self.noise = noise_level(images.points) if noise is None else noise**2
        self.shrinks = False
        """Whether scores are shrunk, by the factors."""
        # Without centring zero is not the middle of the scores, to shrink towards.
        looks = images.mixed and images.centred and images.points.d >= LEAST_COLUMNS
        if looks and self.noise:
            self._choose(self.noise)

    def __call__(self, Z: Array, start: Array) -> tuple[Array, Array]:
        """Make as much of the change as is likely to be a gain.

        ``Z`` (m, k): scores of the noisy rows, of all components; ``start`` (m, d): the
        noisy rows; Returns: shape (m, d), and the part of the change that was made, 0 …
        1, shape (m,).
        """
        change = self.rebuilt(Z, start) - start
        weights = self.weights(start, change)
        return start + weights[:, None] * change, weights

    def weights(self, start: Array, change: Array) -> Array:
        """Return what part (m,) of a change (m, d) of noisy rows is likely a gain."""
        if self.noise is None:
            return np.ones(len(start))
        noise = np.full(len(start), self.noise)
        if not self._given:
            # Rows noisier than all of the model's, which may be clean, tell themselves.
            mean, directions, most = self._narrow
            own = np.square((start - mean) @ directions).mean(axis=1)
            # Noise is in every column; a row that is odd in one or two has none.
            usual = np.median(np.abs(change), axis=1) / NORMAL_QUARTILE
            own = np.where(own > most, np.minimum(own, usual**2), 0.0)
            noise = np.maximum(own, noise)
        slope, of_others = self._gain
        count = max(slope, 0.0) * start.shape[1]
        squares = count * np.square(change).mean(axis=1) + OTHERS * of_others
        gains = slope * noise * (count + OTHERS)
        parts = np.ones(len(start))
        np.divide(gains, squares, out=parts, where=squares > 0)
        enough = NEARLY_ALL
        if count > 0 and slope * self.noise >= NEARLY_ALL * of_others:
            # On the whole the change is noise; of one row its square varies so much.
            enough = 1 / (1 + 2 * (2 / count) ** 0.5)
        return np.where(parts > enough, 1.0, np.maximum(parts, 0.0))

    def rebuilt(self, Z: Array, start: Array) -> Array:
        return self._found(self._images, Z * self.factors, start)

    @cached_property
    def _gain(self) -> tuple[float, float]:
        """Measure ``−div g`` and ``‖g‖²`` of the change g of a row, both by cells."""
        images, n = self._images, len(self._images.points)
        if n > HELD_OUT_UP_TO:
            x = _spread_rows(images, TRIED_ROWS)
        else:
            held = np.flatnonzero(
                np.random.default_rng(2).permutation(n) % HELD_OUT == 0
            )
            x, images = images.rows(held), images.without(held)
        k = len(images.scores(x[:1])[0])

        def change(rows: Array) -> Array:
            wanted = images.scores(rows) * self.factors[:k]
            return self._found(images, wanted, rows) - rows

        direction = np.random.default_rng(1).normal(size=x.shape)
        spread = float(np.sqrt(x.var(axis=0).mean()))
        step = max(STEP * (self.noise or 0.0) ** 0.5, LEAST_STEP * spread)
        found = change(x)
        square = float(np.square(found).mean())
        if not step > 0:
            return 0.0, square
        slope = (direction * (found - change(x + step * direction))).mean() / step
        return float(slope), square

    @cached_property
    def _narrow(self) -> tuple[Array, Array, float]:
        """Mean (d,), narrow directions (d, c), and the most that a row has there."""
        X = _spread_rows(self._images, HELD_OUT_UP_TO)
        mean = X.mean(axis=0)
        directions = narrow_directions(X - mean)
        along = np.square((X - mean) @ directions).mean(axis=1)
        return mean, directions, float(along.max())

    def _found(self, images: PreImages, wanted: Array, start: Array) -> Array:
        if self.shrinks:
            return images.iterated(wanted, start)
        return images(wanted, start=start).points

    def _choose(self, noise: float) -> None:
        random, images = np.random.default_rng(0), self._images
        x, scale = _spread_rows(images, NOISY_ROWS), noise**0.5
        first, second = (
            images.scores(x + random.normal(scale=scale, size=x.shape))
            for _ in range(2)
        )
        shrunk = self.factors * _kept_parts(first, second)
        x = _spread_rows(images, TRIED_ROWS)
        direction = random.normal(size=x.shape)

        def error(factors: Array) -> float:
            def clean(rows: Array) -> Array:
                return images.iterated(images.scores(rows) * factors, rows)

            return _stein(clean, x, direction, noise)

        if error(shrunk) < error(self.factors):
            self.factors, self.shrinks = shrunk, True


def _spread_rows(images: PreImages, most: int) -> Array:
    return images.rows(
        np.unique(np.linspace(0, len(images.points) - 1, most).astype(int))
    )


def _kept_parts(first: Array, second: Array) -> Array:
    """Return the part of every score that is no noise, 0 … 1, shape (k,).

    ``first``, ``second`` (m, k): scores of the same rows with noise that was drawn
    twice. What both share is what the rows have without the added noise, but for a
    factor; as much noise as was added is in that, too.
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


MOST_ROWS = 1000
"""From which the noise is read."""

LEAST_ROWS = 17
"""Fewer do not tell of noise."""

FLOOR = 0.1
"""Part of the directions, at least one, that is taken to hold nothing but noise."""

QUIET = 0.25
"""Part of the columns that are taken to be alike in most pairs of similar rows."""


def noise_level(points: Points) -> float | None:
    """Variance of noise that is alike in all columns and independent between them.

    Three numbers that noise raises, and structure as well, so that none is too small
    but by chance; the smallest one is taken. One is the variance along the narrowest
    directions of the table. The others take for every row the one that is nearest by
    every second column, and compare both by the other columns, whose noise had no say
    in the choice: by the mean square over all columns, and by the median of those
    columns that differ least. Constant columns do not count.

    Returns: σ², at most by chance less than the noise has; None where it cannot be
    told: in sparse tables, and in those of fewer than 17 rows.
    """
    if is_sparse(points.X) or len(points) < LEAST_ROWS:
        return None
    index = np.unique(np.linspace(0, len(points) - 1, MOST_ROWS).astype(int))
    X = np.asarray(points.X[index], dtype=np.float64)
    X = X[:, np.ptp(X, axis=0) > 0] if len(X) else X
    if not X.shape[1]:
        return 0.0
    X = X - X.mean(axis=0)
    found = [_floor(X)]
    if X.shape[1] > 1:
        found += _between_nearest(X)
    return min(found)


def narrow_directions(X: Array) -> Array:
    """Return the directions (d, c) in which centred rows (n, d) spread least."""
    count = max(int(FLOOR * X.shape[1]), 1)
    return np.asarray(np.linalg.eigh(X.T @ X)[1][:, :count])


def _floor(X: Array) -> float:
    """Return the variance along the narrowest directions of centred rows (n, d)."""
    n, d = len(X) - 1, X.shape[1]
    few, many = min(n, d), max(n, d)
    squares = X.T @ X if d <= n else X @ X.T
    # Ascending; of rows as many as there are directions, the mean is a zero more.
    values = np.linalg.eigvalsh(squares)[-few:] / many
    count = max(int(FLOOR * few), 1)
    lowest = max(float(values[:count].mean()), 0.0)
    return lowest / _lowest_of_noise(few / many, count / few)


def _lowest_of_noise(ratio: float, part: float) -> float:
    """Mean of the lowest part of the eigenvalues of pure noise of variance 1.

    They spread around 1 as Marchenko and Pastur say, for a table with that ratio of its
    sides.
    """
    root = ratio**0.5
    edges = np.linspace((1 - root) ** 2, (1 + root) ** 2, 4001)
    t = (edges[1:] + edges[:-1]) / 2
    density = np.sqrt((edges[-1] - t) * (t - edges[0])) / t
    below = np.cumsum(density) <= part * density.sum()
    return float(np.average(t[below], weights=density[below]))


def _between_nearest(X: Array) -> tuple[float, float]:
    """Half the squared difference of rows that are alike in every second column.

    Returns: over all columns; and by the median over rows, of the columns that differ
    least. Columns that rarely leave one value have no narrow direction, but their noise
    is seen wherever they do not.
    """
    halves = X[:, ::2], X[:, 1::2]
    squares, medians = [], []
    for seen, compared in (halves, halves[::-1]):
        lengths = np.square(seen).sum(axis=1)
        apart = lengths - 2 * (seen @ seen.T)
        np.fill_diagonal(apart, np.inf)
        away = np.abs(compared - compared[np.argmin(apart, axis=1)])
        squares.append(np.square(away).mean() / 2)
        medians.append(np.median(away, axis=0))
    # The same of noise of variance 1, for a median of few rows is off by chance.
    noise = np.random.default_rng(0).normal(scale=2**0.5, size=X.shape)
    least, usual = (
        np.quantile(of_columns, QUIET)
        for of_columns in (np.concatenate(medians), np.median(np.abs(noise), axis=0))
    )
    return float(np.mean(squares)), float(least / usual) ** 2
