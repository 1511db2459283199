"""New rows beside those of the data: rows like them, that took no part in the fit."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kpca_viewer.core.methods.quality import discriminated
from kpca_viewer.data.dataset import UNLABELLED, Dataset, row_numbers
from kpca_viewer.data.metadata import MISSING, MetaColumn
from kpca_viewer.data.table import number_text
from kpca_viewer.engine.result import AnalysisResult, NewAccuracy
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.progress import never


def with_points(
    result: AnalysisResult, places: Sequence[tuple[float, float]]
) -> AnalysisResult:
    """Return a result in which points that were dropped into the data are new rows.

    They come last. Where the model takes no points of the plane, nothing is changed.
    """
    if not places or result.kernel is None or result.dataset.d != 2:
        return result
    new = Dataset(np.array(places), feature_names=result.dataset.feature_names)
    shown = result.all_rows
    data = joined_data(shown.dataset, new)
    everything = joined(shown, new, result.projected(new.points), data)
    if bool(result.takes(new.points).all()):
        for extra, value in shown.extras.items():
            if extra.extend is not None:
                extended = extra.extend(value, result, new.points, never)
                everything = everything.with_extra(extra, extended)
    return replace(result, joined=everything)


def refuse_untaken(result: AnalysisResult, new: Dataset) -> None:
    """Say which new row the kernel has no values for, or which column no logarithm."""
    if new.n:
        result.scaler.refuse_outside(new.points.min(axis=0))
    untaken = np.flatnonzero(~result.takes(new.points))
    if untaken.size and result.kernel is not None:
        raise KernelError(
            f"The {result.kernel.family.title.lower()} kernel is not defined for row "
            f"{new.row_number(int(untaken[0]))} of the new rows, which is all zeros; "
            "leave it out or choose another kernel."
        )


def joined_data(dataset: Dataset, new: Dataset) -> Dataset:
    """Return data with new rows (m, d) at the end; what is not known is missing."""
    labels, names = dataset.labels, dataset.label_names
    if labels is not None:
        added = np.full(new.n, UNLABELLED)
        if new.labels is not None:
            # The classes of the data come first among those of new rows.
            added, names = new.labels, new.label_names
        labels = np.concatenate((labels, added))
    return replace(
        dataset,
        points=np.concatenate((dataset.points, new.points)),
        labels=labels,
        label_names=names,
        row_names=_names(dataset, new),
        columns={
            name: _column(column, new.columns.get(name), new.n)
            for name, column in dataset.columns.items()
        },
        numbers=None,
        file_numbers=_numbers(dataset, new),
    )


def _numbers(dataset: Dataset, new: Dataset) -> Array | None:
    """Return the numbers of rows, which they keep; those of new ones go on from them.

    None where both were read whole, and rows are counted one by one.
    """
    parts = dataset.numbers, dataset.file_numbers, new.numbers, new.file_numbers
    if all(part is None for part in parts):
        return None
    known = row_numbers(dataset)
    return np.concatenate((known, known[-1] + row_numbers(new)))


def joined(
    result: AnalysisResult, new: Dataset, scores: Array, data: Dataset
) -> AnalysisResult:
    """Return a result whose rows are followed by new ones, with their scores (m, k).

    The data are what `joined_data` makes of both.
    """
    linear, beside = result.linear, result.project_linearly(new.points)
    if linear is not None and beside is not None:
        linear = replace(linear, scores=_stacked(linear.scores, beside))
    return replace(
        result,
        dataset=data,
        scores=_stacked(result.scores, scores),
        linear=linear,
        joined=None,
    )


def new_accuracy(
    result: AnalysisResult, new: Dataset, scores: Array
) -> NewAccuracy | None:
    """Score the labels of new rows by what the rows of the data teach.

    Linear discriminants learn the classes in the shown components of all rows; None
    where no new row has one of these classes.
    """
    labels = result.dataset.labels
    if labels is None or new.labels is None:
        return None
    taught = np.unique(labels[labels >= 0])
    rows = np.flatnonzero(np.isin(new.labels, taught))
    if len(taught) < 2 or not len(rows):
        return None
    known = labels >= 0
    view = result.settings.view
    axes = view.judged_axes(result.scores.shape[1])
    kernel = discriminated(
        result.scores[known][:, axes], labels[known], scores[rows][:, axes]
    )
    right = new.labels[rows]
    linear, beside = result.linear, None
    if linear is not None:
        shown = sorted(linear.axes_beside(view))
        places = linear.project(result.scaler.apply(new.points))[rows]
        guess = discriminated(
            linear.scores[known][:, shown], labels[known], places[:, shown]
        )
        beside = float((guess == right).mean())
    largest = np.bincount(labels[known]).argmax()
    chance = float((right == largest).mean())
    return NewAccuracy(float((kernel == right).mean()), beside, len(rows), chance)


def _names(dataset: Dataset, new: Dataset) -> tuple[str, ...] | None:
    if dataset.row_names is None and new.row_names is None:
        return None
    first = dataset.row_names or [str(dataset.row_number(i)) for i in range(dataset.n)]
    second = new.row_names or [f"new {new.row_number(i)}" for i in range(new.n)]
    return (*first, *second)


def _column(column: MetaColumn, new: MetaColumn | None, count: int) -> MetaColumn:
    if column.words is None:
        known = new is not None and new.words is None
        added = new.values if known and new is not None else np.full(count, np.nan)
        return MetaColumn(np.concatenate((column.values, added)))
    if new is None:
        return MetaColumn(
            np.append(column.values, np.full(count, MISSING)), column.words
        )
    texts = new.texts() if new.words is not None else _numerals(new)
    words = tuple(dict.fromkeys((*column.words, *(text for text in texts if text))))
    codes = {word: code for code, word in enumerate(words)}
    found = np.array([codes.get(text, MISSING) for text in texts], dtype=np.int64)
    return MetaColumn(np.concatenate((column.values, found)), words)


def _numerals(column: MetaColumn) -> tuple[str, ...]:
    values = column.values.tolist()
    return tuple("" if value != value else number_text(value) for value in values)


def _stacked(first: Array, second: Array) -> Array:
    stacked = np.vstack((first, second))
    stacked.flags.writeable = False
    return stacked
