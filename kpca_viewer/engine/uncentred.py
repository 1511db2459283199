"""What forgetting to centre does: how near the first component is to the mean."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.methods.quality import deal, linear_predictions, sample_rows
from kpca_viewer.engine.stages import Prepared, rows_matrix
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import fixed, readable

MOST = 1000
"""Rows of the kernel matrix that are looked at: some ten milliseconds."""

NEARLY, HARDLY = 0.9, 0.5
"""Cosines from which the first component is nearly the mean, and below which it is
something else."""

TELLING = 0.9
"""Balanced accuracy from which the first component alone tells the classes apart."""


@dataclass(frozen=True)
class MeanDirection:
    """The first component of an uncentred kernel beside the mean of the points."""

    cosine: float | None
    """``|u₁ · φ̄| / ‖φ̄‖``, in feature space; None where φ̄ is zero."""
    alike: tuple[tuple[str, float], ...] = ()
    """The classes that are least and most like all points, with their
    mean kernel value; empty unless that is how the first component tells classes
    apart."""

    @property
    def sentence(self) -> str:
        """What follows from the numbers, and no more."""
        if self.cosine is None:
            return "Not centred, but the mean in feature space is 0: nothing changes."
        how = "PC 1 is not the mean of the points"
        if self.cosine >= NEARLY:
            how = "PC 1 is nearly the mean of the points"
        elif self.cosine >= HARDLY:
            how = "PC 1 leans towards the mean of the points"
        text = f"Not centred: {how} (cosine {fixed(self.cosine, 2)} in feature space)."
        if not self.alike:
            return text
        values = ", ".join(
            f"{readable(value, 2)} for {name}" for name, value in self.alike
        )
        return (
            f"{text} So it mostly measures how alike a point is to all points, and "
            f"that differs between the classes: {values} on average."
        )


def mean_direction(prepared: Prepared, scores: Array) -> MeanDirection | None:
    """Measure the first of the uncentred scores (n, k) against the mean φ̄.

    ``u₁ · φ̄`` is the mean of the first scores and ``‖φ̄‖²`` that of all entries of K, of
    which a sample is enough where there are many. None where an indefinite kernel
    leaves no length to measure.
    """
    dataset, n = prepared.dataset, prepared.dataset.n
    rows = sample_rows(n, MOST)
    K = rows_matrix(prepared, rows, center=False)
    m, trace = len(rows), float(np.trace(K))
    between = (float(K.sum()) - trace) / max(m * (m - 1), 1)
    # Each point meets itself once in n times, also where only some rows are looked at.
    square = between * (1 - 1 / n) + trace / m / n
    if abs(square) <= 1e-12 * abs(trace) / m:
        return MeanDirection(None)
    if square < 0:
        return None
    first = scores[:, 0]
    cosine = min(abs(float(first.mean())) / square**0.5, 1.0)
    labels = None if dataset.labels is None else dataset.labels[rows]
    if cosine < HARDLY or labels is None:
        return MeanDirection(cosine)
    known = labels >= 0
    codes = np.unique(labels[known], return_inverse=True)[1]
    found = linear_predictions(
        first[rows][known, None], codes, deal(codes), balanced=True
    )
    if found is None or found.balanced_accuracy < TELLING:
        return MeanDirection(cosine)
    alike = K.mean(axis=1)
    means = sorted(
        (float(alike[labels == code].mean()), dataset.label_names[code])
        for code in np.unique(labels[known])
    )
    return MeanDirection(
        cosine, tuple((name, value) for value, name in (means[-1], means[0]))
    )
