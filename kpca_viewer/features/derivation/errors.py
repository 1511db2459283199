"""By how much the numbers of a derivation may be wrong: rounding and bounds of μ."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.orientation import equal_groups
from kpca_viewer.core.projection import positive_part
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.derivation.kernel_rows import KernelRows

Array = NDArray[Any]

EPS = float(np.finfo(np.float64).eps)

EQUAL = 1e-9
"""Eigenvalues that differ by less than this part of the largest are one."""


@dataclass(frozen=True, eq=False)
class Errors:
    """Bounds on the error of every number of a step."""

    kernel: float
    """Of an entry of K."""
    means: float
    """Of a row mean, and of the grand mean."""
    centred: float
    eigenvalues: Array
    spreads: Array
    """Shape (k,). How far the farthest eigenvalue lies that counts as the same one.
    Inside such a group the rule of orientation chooses the basis: the vectors that are
    shown are combinations of eigenvectors, with ``K̃u = μu`` to this."""
    vectors: Array
    coefficients: Array
    scores: Array
    """Shape (k,). Of every entry of a component. Inside a group of equal eigenvalues
    any basis is a right one: the error is that of the nearest of them."""


def errors_of(result: AnalysisResult, known: KernelRows, factors: Array) -> Errors:
    """Bound the errors of a derivation.

    Parameters
    ----------
    factors : ndarray of shape (k,)
        By which eigenvectors become coefficients.
    """
    found = result.decomposition
    entry = _entry_error(result, known)
    largest = float(np.abs(known.block).max(initial=0.0))
    mean = entry + 4 * EPS * largest
    values = np.asarray(found.eigenvalues, dtype=np.float64)
    of_values = np.abs(found.bounds - values[:, None]).max(axis=1, initial=0.0)
    spreads = _spreads(values, found)
    of_vectors = _vector_errors(values, of_values, spreads, found)
    eps = float(np.finfo(found.eigenvectors.dtype).eps)
    of_vectors = of_vectors + 4 * eps
    live = positive_part(found)
    with np.errstate(divide="ignore", invalid="ignore"):
        relative = np.where(live > 0, (of_values + spreads) / (2 * live), 0.0)
    # An entry of a unit vector is at most 1: z = √μ u is off by √μ δu + u δ√μ.
    lengths = factors * live
    with np.errstate(invalid="ignore"):
        of_scores = np.where(live > 0, lengths * (of_vectors + 2 * relative), 0.0)
        of_coefficients = np.where(live > 0, factors * (of_vectors + relative), 0.0)
    return Errors(
        kernel=entry,
        means=mean,
        centred=4 * mean,
        eigenvalues=of_values,
        spreads=spreads,
        vectors=of_vectors,
        coefficients=of_coefficients,
        scores=of_scores,
    )


def _entry_error(result: AnalysisResult, known: KernelRows) -> float:
    """Bound the rounding of an entry of K among the rows that are written out."""
    norm = float(np.linalg.norm(known.block))
    if result.kernel is None or known.seen is None:
        # As it was given; distances are squared.
        return EPS * float(np.abs(known.block).max(initial=0.0))
    some = known.seen.take(known.rows)
    return float(result.kernel.rounding(some, norm)) + EPS * norm


def _spreads(values: Array, found: Decomposition) -> Array:
    """How far eigenvalues lie from the farthest that orientation takes for the same."""
    # A low rank knows fewer than are shown, and the others as 0.
    known = np.concatenate((values, found.spectrum[len(values) :]))
    bounds = np.column_stack((known, known))
    bounds[: len(values)] = found.bounds
    spreads = np.zeros(len(known))
    for group in equal_groups(known, bounds):
        same = known[group]
        spreads[group] = np.maximum(same[0] - same, same - same[-1])
    return spreads[: len(values)]


def _vector_errors(
    values: Array, errors: Array, spreads: Array, found: Decomposition
) -> Array:
    """Bound the angle of every eigenvector by the error of μ over its gap.

    The gap is that to the nearest eigenvalue which is certainly another one; infinite
    where none is known.
    """
    spectrum = np.asarray(found.spectrum, dtype=np.float64)
    equal = np.maximum(EQUAL * float(np.abs(spectrum).max(initial=0.0)), spreads)
    bounds = np.full(len(values), np.inf)
    for j, (value, error) in enumerate(zip(values, errors, strict=True)):
        away = np.abs(spectrum - value)
        others = away[away > equal[j]]
        gap = float(others.min()) if others.size else abs(float(value))
        # What follows the last one that is known may be next to it.
        certain = found.complete or value - equal[j] > spectrum[-1]
        if certain and gap > 4 * error:
            bounds[j] = 2 * error / gap
    return bounds
