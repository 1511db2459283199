"""How well one threshold on a line tells classes apart."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.support.arrays import Array


@dataclass(frozen=True)
class Threshold:
    """The best place to cut a line in two."""

    place: float
    accuracy: float
    """Share of rows that are of the most frequent class of their side."""


def best_threshold(values: Array, codes: Array) -> Threshold:
    """Return the threshold between values (n,) that tells classes (n,) apart best.

    Either side stands for its most frequent class. Rows are not held out: this is the
    best that any threshold can do for these rows. Equal values are never divided;
    where nothing is gained by a cut, it lies beyond all of them.
    """
    order = np.argsort(values, kind="stable")
    values, codes = values[order], codes[order]
    left = (codes[:, None] == np.arange(codes.max() + 1)).cumsum(axis=0)
    right = left[-1] - left
    correct = left.max(axis=1) + right.max(axis=1)
    divided = np.append(values[1:] > values[:-1], True)
    at = int(np.where(divided, correct, -1).argmax())
    last = at == len(values) - 1 or correct[at] == correct[-1]
    place = float(values[-1] if last else (values[at] + values[at + 1]) / 2)
    return Threshold(place, float(correct[at]) / len(values))
