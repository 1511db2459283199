"""``kpca_viewer.choose``: the kernel, value and components that can be defended."""

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kpca_viewer.core.methods.kernel_prediction import FOLDS, ByPrediction, Learn
from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.core.methods.kernel_search import Publish, Search, Tries, unpublished
from kpca_viewer.core.methods.parallel_analysis import ByStructure, comparable
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.preparation import Scaler, Scaling
from kpca_viewer.features.kernel_search.outcome import (
    LARGEST,
    Outcome,
    of_classes,
    of_target,
)
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import counted
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

Array = NDArray[Any]

COMPONENTS = 10
"""Tried at most, if nobody says."""

FEWEST_ROWS = 8

LEARNT: tuple[Scaling, ...] = ("standardise", "minmax")
"""Scalings that look at other rows than the one that is scaled."""


def choose(
    X: ArrayLike | Dataset,
    y: ArrayLike | None = None,
    *,
    target: ArrayLike | None = None,
    scaling: Scaling = "none",
    kernels: Sequence[str] | str | None = None,
    components: int = COMPONENTS,
    folds: int = FOLDS,
    repeats: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    publish: Publish = unpublished,
    should_stop: ShouldStop = never,
    progress: Progress = silent,
) -> Choice:
    """Compare kernels, their values and numbers of components.

    With classes, by the held-out balanced accuracy of linear discriminants on the
    scores; with a numeric target, by held-out R² of least squares; with neither, by
    what stands out from independent columns. Taken is the simplest setting within one
    standard error of the best, and linear PCA is always a candidate.

    Parameters
    ----------
    X : array-like of shape (n, d), or Dataset
        A data set brings its classes along.
    y : array-like of shape (n,), optional
        Classes; negative numbers, NaN, None and "" stand for none.
    target : array-like of shape (n,), optional
        A quantity to predict, in the place of classes.
    scaling : {"none", "standardise", "minmax", "unit"}
        Learnt inside of every fold.
    kernels : sequence of str, optional
        Names of families, as `KernelPCA` knows them; all of them if nobody says.
    components : int
        How many are tried at most.
    repeats : int, optional
        How often rows are dealt into folds; up to five times where they are few.
    threads : int, optional
        No digit depends on it.
    publish : callable
        Given what is known after every setting.

    Returns
    -------
    Choice

    Raises
    ------
    DataError
        A sentence about what is wrong with the data or with what is asked.
    KernelError, Cancelled

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from kpca_viewer import KernelPCA, choose
    >>> X, y = load_iris(return_X_y=True)
    >>> row = choose(X, y, kernels=["rbf"]).chosen
    >>> row.line.family, row.components
    ('linear', 3)
    >>> KernelPCA(row.components, kernel=row.line.family, **row.kernel.values).fit(X)
    KernelPCA(n_components=3)
    """
    points, y, target = _parts(X, y, target)
    _check(points)
    _check_numbers(components, folds, repeats, seed)
    if isinstance(kernels, str):
        kernels = (kernels,)
    outcome = Outcome(np.arange(len(points)), None)
    if target is not None:
        outcome = of_target(_one_each(target, points), folds, repeats, seed)
    elif y is not None:
        outcome = of_classes(_one_each(y, points), folds, repeats, seed)
    tries = _tries(points, outcome, scaling, components, seed)
    families = kernels
    notes = [*outcome.notes, *_constant(points)]
    if outcome.held_out is None and kernels is None:
        families, note = comparable()
        notes.append(note)
    search = Search(tries, families, notes)
    return search.run(publish, should_stop, progress, threads)


def _parts(
    X: ArrayLike | Dataset, y: ArrayLike | None, target: ArrayLike | None
) -> tuple[Array, Array | None, Array | None]:
    """Return points, classes and target as arrays; a data set fills in its own."""
    if y is not None and target is not None:
        raise DataError("Give classes or a target, not both.")
    if isinstance(X, Dataset):
        if X.kind != "points":
            raise DataError(
                "A given matrix has neither columns that could be scaled or permuted "
                "nor a kernel to choose; what is left is the number of components, "
                "which a sweep compares."
            )
        if y is None and target is None:
            y = _names_of(X)
            if y is None and X.scale:
                target = X.columns[X.scale].values
        X = X.points
    try:
        points = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("The points hold more than numbers; give a table.") from None
    return (
        points,
        None if y is None else np.asarray(y),
        None if target is None else np.asarray(target),
    )


def _names_of(dataset: Dataset) -> Array | None:
    """Return the class of every row by its name, "" where it has none."""
    if dataset.labels is None:
        return None
    return np.array([*dataset.label_names, ""])[dataset.labels]


def _check(points: Array) -> None:
    if points.ndim != 2:
        raise DataError(
            f"The points have the shape {points.shape}; a table with one row per point "
            "is needed."
        )
    if len(points) < FEWEST_ROWS:
        raise DataError(
            f"{len(points)} rows are too few to compare kernels by; give "
            f"{FEWEST_ROWS} or more."
        )
    if not np.isfinite(points).all():
        raise DataError(
            "The points contain NaN or infinite values; fill or drop them first."
        )
    if (points == points[0]).all():
        raise DataError("All rows are equal: there is nothing to choose a kernel for.")
    if np.abs(points).max() > LARGEST:
        raise DataError(
            f"The values are too large, beyond {LARGEST:.0e}: their squares overflow; "
            "divide them by a power of ten."
        )


def _check_numbers(components: int, folds: int, repeats: int | None, seed: int) -> None:
    for name, value, least in (
        ("components", components, 1),
        ("folds", folds, 2),
        ("repeats", 1 if repeats is None else repeats, 1),
        ("seed", seed, 0),
    ):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or value < least:
            raise DataError(
                f"{name} is {value!r:.40}; it must be a whole number, {least} or more."
            )


def _one_each(values: Array, points: Array) -> Array:
    values = values.reshape(-1)
    if len(values) != len(points):
        raise DataError(
            f"There are {counted(len(points))} rows, but {counted(len(values))} "
            "classes or targets; give one for every row."
        )
    return values


def _tries(
    points: Array, outcome: Outcome, scaling: Scaling, components: int, seed: int
) -> Tries:
    X = points[outcome.rows]
    scaled = Scaler.learn(X, scaling).apply(X)
    if outcome.held_out is None:
        return ByStructure(scaled, min(components, len(X) - 1), seed)
    k = min(components, outcome.held_out.smallest - 1)
    if scaling not in LEARNT:
        return ByPrediction(scaled, outcome.held_out, k)

    def learn(rows: Array) -> Any:
        return Scaler.learn(rows, scaling).apply

    learning: Learn = learn
    return ByPrediction(X, outcome.held_out, k, learning)


def _constant(points: Array) -> list[str]:
    """Say how many columns are the same in all rows."""
    count = int((points == points[0]).all(axis=0).sum())
    if not count:
        return []
    if count == 1:
        return ["One column is constant and tells nothing."]
    return [f"{counted(count)} columns are constant and tell nothing."]
