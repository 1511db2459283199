"""What rows are called beside their points, and which of them are."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.numerals import data_value
from kpca_viewer.widgets.plots.cloud.row_labels import FEW_ROWS, RowLabels


def row_labels(
    dataset: Dataset,
    view: ViewSettings,
    names: Mapping[int, str],
    selection: NDArray[np.bool_] | None,
) -> RowLabels:
    """Return the labels of rows that are named or selected, and of others on request.

    Parameters
    ----------
    names : mapping of int to str
        That the person gave to rows.
    selection : ndarray of shape (n,) or None
    """
    n = dataset.n
    called = text_of(dataset, view.label_by)
    first = tuple(row for row in sorted(names) if row < n)
    if selection is None and n <= FEW_ROWS and dataset.row_names is not None:
        first = tuple(range(n))

    def text(row: int) -> str:
        if row in names:
            return names[row]
        # Rows beyond the data were projected: nothing is known of them here.
        return " ".join(called(row).split()) if row < n else ""

    # Beside a selection the others have stepped back; so have their labels.
    return RowLabels(text, first, selection, view.labels and selection is None)


def text_of(dataset: Dataset, by: str) -> Callable[[int], str]:
    """Return what tells a row by a key of `ViewSettings.label_by`."""
    kind, _, rest = by.partition(":")
    labels, column = dataset.labels, dataset.columns.get(rest)
    if kind == "label" and labels is not None:
        names = (*dataset.label_names, "")
        return lambda row: names[labels[row]]
    if kind == "column" and column is not None:
        if column.words is not None:
            return column.text
        return lambda row: _number(column.values[row])
    if kind == "feature" and int(rest) < dataset.d:
        return lambda row: _number(dataset.points[row, int(rest)])
    return dataset.row_text


def _number(value: float) -> str:
    return "" if np.isnan(value) else data_value(float(value), 6)
