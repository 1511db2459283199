"""``kpca_viewer.choose``: the kernel, value and components that can be defended."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from kpca_viewer.core.methods.kernel_prediction import (
    FOLDS,
    ByPrediction,
    HeldOut,
    Learn,
    held_out_classes,
    held_out_target,
)
from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.core.methods.kernel_search import Publish, Search, Tries, unpublished
from kpca_viewer.core.methods.parallel_analysis import ByStructure, comparable
from kpca_viewer.core.methods.quality import MOST_ROWS, sample_rows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.frames import is_frame
from kpca_viewer.data.preparation import (
    ColumnScaling,
    ColumnScalings,
    Scaler,
    Scaling,
    suggested_scaling,
)
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.stages import find_dataset
from kpca_viewer.features.kernel_search import text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent

if TYPE_CHECKING:
    from kpca_viewer.data.scaling_step import ScalingStep

LARGEST = 1e100
"""Whose squares can be added up, many times over."""

COMPONENTS = 10
"""Tried at most by default."""

FEWEST_ROWS = 8

LEARNT: tuple[Scaling, ...] = ("standardise", "minmax")
"""Scalings that look at other rows than the one that is scaled."""


@dataclass(frozen=True, eq=False)
class FoldedRows:
    """Rows with folds, and what had to be left out for them."""

    rows: Array
    """Shape (m,). Which rows take part, ascending."""
    held_out: HeldOut | None
    """None where nothing can be predicted."""
    notes: tuple[str, ...] = ()
    """What could not be compared, a sentence each."""


def choose(
    X: ArrayLike | Dataset,
    y: ArrayLike | None = None,
    *,
    target: ArrayLike | None = None,
    scaling: Scaling | None = None,
    column_scaling: Mapping[str, ColumnScaling] | None = None,
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
    scaling : {"none", "standardise", "minmax", "unit"}, optional
        Learnt inside of every fold; by default what suits the columns of a data frame,
        as in `show`, and none for an array.
    column_scaling : mapping of str to str, optional
        Features of a data set that are scaled in another way: "none", "standardise",
        "minmax", "robust", "log" or "log1p".
    kernels : sequence of str, optional
        Names of families, as `KernelPCA` knows them; all of them by default.
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
        A sentence about what is wrong with the data or the options.
    KernelError, Cancelled

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from kpca_viewer import choose
    >>> X, y = load_iris(return_X_y=True)
    >>> found = choose(X, y, kernels=["rbf"], scaling="standardise")
    >>> found.pipeline().fit(X).transform(X).shape
    (150, 4)

    See Also
    --------
    KernelPCA : fits what was chosen.
    """
    points, y, target = _parts(X, y, target)
    _check(points)
    _check_numbers(components, folds, repeats, seed)
    if isinstance(kernels, str):
        kernels = (kernels,)
    if scaling is None:
        scaling = suggested_scaling(points) if is_frame(X) else "none"
    folded = FoldedRows(np.arange(len(points)), None)
    if target is not None:
        folded = fold_target(_one_each(target, points), folds, repeats, seed)
    elif y is not None:
        folded = fold_classes(_one_each(y, points), folds, repeats, seed)
    names = X.feature_names if isinstance(X, Dataset) else ()
    columns = tuple((column_scaling or {}).items())
    scale = partial(Scaler.learn, how=scaling, columns=columns, names=names)
    learns = scaling in LEARNT or bool(columns)
    tries = _tries(points, folded, scale, components, seed, learns=learns)
    families = kernels
    constant = int((points == points[0]).all(axis=0).sum())
    notes = [*folded.notes, *text.constant_columns(constant)]
    if folded.held_out is None and kernels is None:
        families, note = comparable()
        notes.append(note)
    search = Search(tries, families, notes)
    found = search.run(publish, should_stop, progress, threads)
    if scaling == "none" and not columns:
        return found
    step = partial(_scaling_step, scaling, columns, names if columns else ())
    return replace(found, make_scaling=step)


def _scaling_step(
    how: Scaling, columns: ColumnScalings, names: tuple[str, ...]
) -> "ScalingStep":
    # Imported here: scikit-learn takes a second.
    from kpca_viewer.data.scaling_step import ScalingStep

    return ScalingStep(how, columns, names)


def search(
    request: AnalysisRequest,
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
    publish: Callable[[Choice], None],
) -> Choice:
    """Compare all kernels on the data of a request; the same as in Python."""
    progress("Data", None)
    dataset = find_dataset(request, cache, should_stop)
    return choose(
        dataset,
        scaling=request.settings.data.scaling,
        column_scaling=dict(request.settings.data.column_scaling),
        publish=publish,
        should_stop=should_stop,
        progress=progress,
    )


def _parts(
    X: ArrayLike | Dataset, y: ArrayLike | None, target: ArrayLike | None
) -> tuple[Array, Array | None, Array | None]:
    """Return points, classes and target as arrays; a data set fills in its own."""
    if y is not None and target is not None:
        raise DataError(text.CLASSES_AND_TARGET)
    if isinstance(X, Dataset):
        if X.kind != "points":
            raise DataError(text.GIVEN_MATRIX)
        if y is None and target is None:
            y = _names_of(X)
            if y is None and X.scale:
                target = X.columns[X.scale].values
        X = X.points
    try:
        points = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(text.NO_NUMBERS) from None
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
        raise DataError(text.no_table(points.shape))
    if len(points) < FEWEST_ROWS:
        raise DataError(text.few_rows(len(points), FEWEST_ROWS))
    if not np.isfinite(points).all():
        raise DataError(text.NOT_FINITE)
    if (points == points[0]).all():
        raise DataError(text.EQUAL_ROWS)
    if np.abs(points).max() > LARGEST:
        raise DataError(text.large_values(LARGEST))


def _check_numbers(components: int, folds: int, repeats: int | None, seed: int) -> None:
    for name, value, least in (
        ("components", components, 1),
        ("folds", folds, 2),
        ("repeats", 1 if repeats is None else repeats, 1),
        ("seed", seed, 0),
    ):
        whole = isinstance(value, Integral) and not isinstance(value, bool)
        if not whole or value < least:
            raise DataError(text.no_count(name, value, least))


def _one_each(values: Array, points: Array) -> Array:
    values = values.reshape(-1)
    if len(values) != len(points):
        raise DataError(text.other_length(len(points), len(values)))
    return values


def _tries(
    points: Array,
    folded: FoldedRows,
    scale: Callable[[Array], Scaler],
    components: int,
    seed: int,
    *,
    learns: bool,
) -> Tries:
    X = points[folded.rows]
    scaled = scale(X).apply(X)
    if folded.held_out is None:
        return ByStructure(scaled, min(components, len(X) - 1), seed)
    k = min(components, folded.held_out.smallest - 1)
    if not learns:
        return ByPrediction(scaled, folded.held_out, k)

    learn: Learn = lambda rows: scale(rows).apply  # noqa: E731
    return ByPrediction(X, folded.held_out, k, learn)


def fold_classes(y: Array, folds: int, repeats: int | None, seed: int) -> FoldedRows:
    """Return the folds of classes (n,), of which some rows may have none.

    Classes of one row are left out, and small ones make fewer folds. Where less than
    two classes are left, there is nothing to tell apart.
    """
    all_rows = np.arange(len(y))
    rows = np.flatnonzero(_is_known(y))
    if y.dtype.kind == "O":
        # Numbers beside words have no order.
        y = np.array([str(one) for one in y])
    if not len(rows):
        return FoldedRows(all_rows, None, (text.NO_CLASS,))
    names, codes, counts = _classes(y[rows])
    notes: list[str] = []
    alone = counts < 2
    if len(names) > 1 and alone.all():
        return FoldedRows(all_rows, None, (text.OWN_CLASSES,))
    if len(names) > 1 and alone.any():
        notes.append(text.single_rows(names[alone].tolist()))
        rows = rows[~alone[codes]]
        names, codes, counts = _classes(y[rows])
    if len(names) < 2:
        return FoldedRows(all_rows, None, (*notes, text.ONE_CLASS))
    smallest = int(counts.min())
    if smallest < folds:
        notes.append(text.small_class(names[counts.argmin()], smallest, folds))
    if 2 * len(names) > MOST_ROWS:
        raise DataError(text.many_classes(len(names), MOST_ROWS))
    taken = _sample_classes(codes, counts, seed)
    notes += text.sampled_rows(len(taken), len(codes))
    rows, codes = rows[taken], codes[taken]
    smallest = int(np.bincount(codes).min())
    held_out = held_out_classes(codes, min(folds, smallest), repeats, seed)
    return FoldedRows(rows, held_out, tuple(notes))


def fold_target(y: Array, folds: int, repeats: int | None, seed: int) -> FoldedRows:
    """Return the folds of a quantity (n,), which some rows may not have."""
    try:
        y = np.asarray(y, dtype=np.float64)
    except ValueError:
        raise DataError(text.WORDS_AS_TARGET) from None
    rows = np.flatnonzero(np.isfinite(y))
    if not len(rows):
        raise DataError(text.NO_TARGET)
    if np.abs(y[rows]).max() > LARGEST:
        raise DataError(text.large_target(LARGEST))
    notes = text.sampled_rows(min(len(rows), MOST_ROWS), len(rows))
    rows = rows[sample_rows(len(rows), MOST_ROWS, seed)]
    most = len(rows) // 2
    if 2 <= most < folds:
        notes.append(text.few_folds(len(rows), most, folds))
    held_out = held_out_target(y[rows], min(folds, max(most, 2)), repeats, seed)
    return FoldedRows(rows, held_out, tuple(notes))


def _classes(y: Array) -> tuple[Array, Array, Array]:
    """Return the classes (c,), the code of every row and the rows of every class.

    In the order in which they come: whatever they are called, folds are the same.
    """
    names, first, codes, counts = np.unique(
        y, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    return names[order], np.argsort(order)[codes], counts[order]


def _sample_classes(codes: Array, counts: Array, seed: int) -> Array:
    """Return a sample in which every class has its part, and two rows at least."""
    n = len(codes)
    if n <= MOST_ROWS:
        return np.arange(n)
    parts = np.clip(np.round(MOST_ROWS * counts / n), 2, counts)
    order = np.random.default_rng(seed).permutation(n)
    by_class = order[np.argsort(codes[order], kind="stable")]
    # How many of its class come before a row.
    first = np.cumsum(counts) - counts
    place = np.empty(n, dtype=np.int64)
    place[by_class] = np.arange(n) - first[codes[by_class]]
    return np.flatnonzero(place < parts[codes])


def _is_known(y: Array) -> Array:
    """Whether a row has a class: codes below 0, NaN, None and "" stand for none."""
    if y.dtype.kind in "iu":
        return y >= 0
    if y.dtype.kind == "f":
        return np.isfinite(y)
    return np.array([_is_name(one) for one in y], dtype=bool)


def _is_name(one: object) -> bool:
    try:
        return one is not None and bool(one == one) and one != ""
    except TypeError:
        # What pandas has in the place of a missing word is neither equal nor unequal.
        return False
