"""Tables among blocks: data frames have names to go by, arrays may hide cells."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.support.errors import DataError

Array = NDArray[Any]
Names = tuple[str, ...]


def names_of(table: Any) -> Names | None:
    """Return the names of the columns; None where they have none, or only numbers."""
    names = tuple(getattr(table, "columns", ()))
    return names if names and all(isinstance(name, str) for name in names) else None


def ordered(table: Any, names: Names | None, title: str) -> Any:
    """Return a table with its columns in the order of ``names``.

    Raises
    ------
    DataError
        If a data frame has other columns than these.
    """
    own = names_of(table)
    if own is None or names is None or own == names:
        return table
    lacking, others = set(names) - set(own), set(own) - set(names)
    if lacking or others or len(own) != len(names):
        column = min(lacking or others or set(own))
        has = "has no column" if lacking else "has the column"
        raise DataError(
            f"{title[:1].upper()}{title[1:]} {has} “{column}”, unlike the rows before; "
            "give blocks of the same table."
        )
    return table[list(names)]


def as_array(table: Any) -> Array:
    """Return a table as an array, NaN for cells that are masked or missing."""
    if isinstance(table, np.ma.MaskedArray):
        return np.asarray(np.ma.filled(table.astype(np.float64), np.nan))
    array = np.asarray(table)
    if array.dtype == object and hasattr(table, "to_numpy"):
        # Numbers that may be missing, or truth values beside numbers.
        try:
            return np.asarray(table.to_numpy(dtype=np.float64, na_value=np.nan))
        except (TypeError, ValueError):
            return array
    return array
