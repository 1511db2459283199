"""RowPreparer: raw rows become the points of a model, as a step of scikit-learn."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from kpca_viewer.data.files.cells import CellRules, object_array, text_column
from kpca_viewer.data.files.headers import clean
from kpca_viewer.data.files.units import without_unit
from kpca_viewer.data.frames import frame_table
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.data.table import Column, Table, listed
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError


class RowPreparer(TransformerMixin, BaseEstimator):
    """Does to raw rows what was done to those that a model was fitted to.

    Parameters
    ----------
    rows : RawRows
        Columns, words, what fills gaps, and the scaling (``shift``, ``factor``).
    """

    def __init__(self, rows: RawRows) -> None:
        self.rows = rows

    def fit(self, X: Any, y: Any = None) -> "RowPreparer":
        return self

    def transform(self, X: Any) -> Array:
        """Return raw rows as the points (m, d) that the model wants.

        Parameters
        ----------
        X : data frame, or array-like of shape (m, columns)
            A frame may have other columns besides, in any order. An array has the
            columns that are features, in the order of ``rows.importing``.
        """
        wanted = self.rows.importing.columns("feature")
        columns = (
            _of_frame(X, wanted) if hasattr(X, "columns") else _of_array(X, wanted)
        )
        dataset = self.rows.dataset(Table(tuple(columns), "the rows"))
        if dataset.left_out:
            kept = dataset.numbers
            assert kept is not None
            first = int(np.setdiff1d(np.arange(dataset.n + dataset.left_out), kept)[0])
            raise DataError(
                f"Row {first + 1:,} has a gap, and the model was fitted without such "
                "rows; leave it out, or fill it."
            )
        return np.asarray(self.rows.points(dataset))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        return np.array(self.rows.feature_names, dtype=object)

    def __sklearn_is_fitted__(self) -> bool:
        return True


def _of_frame(X: Any, wanted: tuple[str, ...]) -> list[Column]:
    known = {*wanted, *map(without_unit, wanted)}
    kept = X[[name for name in X.columns if clean(name) in known]]
    return list(frame_table(kept, index=False).columns) if len(kept.columns) else []


def _of_array(X: Any, wanted: tuple[str, ...]) -> list[Column]:
    cells = np.asarray(X)
    if cells.ndim != 2 or cells.shape[1] != len(wanted):
        raise DataError(
            f"The rows have the shape {cells.shape} and no names; give a data frame, "
            f"or an array with the columns {listed(wanted, len(wanted))}."
        )
    return [_column(name, cells[:, j]) for j, name in enumerate(wanted)]


def _column(name: str, cells: Array) -> Column:
    if cells.dtype.kind in "biuf":
        return Column(name, cells.astype(np.float64))
    words = [None if v is None or v != v else str(v) for v in cells.tolist()]
    return text_column(name, object_array(words), CellRules())
