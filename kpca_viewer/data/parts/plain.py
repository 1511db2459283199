"""Columns of nothing but numbers, without a table: no object is made of a cell."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.names import default_names
from kpca_viewer.data.files.source import Reading, foreign, system_errors
from kpca_viewer.data.parts.pieces import Piece

Array = NDArray[Any]


def plain_columns(piece: Piece, names: tuple[str, ...]) -> Array | None:
    """Return columns of a piece as numbers (m, d), NaN for what is missing.

    float32 where the file has nothing else.

    Returns
    -------
    ndarray or None
        None where only a reader of tables can tell: another format, a column that is
        not there, or one of another kind.

    Raises
    ------
    DataError
        If the file is damaged, gone, or not what it was.
    """
    with piece.unchanged(), system_errors(piece.path):
        if piece.key == "parquet":
            return _of_parquet(piece, names)
        return _of_array(piece, names) if piece.key == "npy" else None


def _of_parquet(piece: Piece, names: tuple[str, ...]) -> Array | None:
    import pyarrow as pa  # which takes long to load
    import pyarrow.parquet as pq

    reading = Reading(piece.path)
    with (
        foreign(reading, "Parquet file", "write it again"),
        pq.ParquetFile(piece.path, pre_buffer=True) as file,
    ):
        schema = file.schema_arrow
        known = {field.name: field.type for field in schema}
        if len(known) < len(schema):
            return None
        kinds = [known[name] for name in names if name in known]
        plain = all(pa.types.is_floating(k) or pa.types.is_integer(k) for k in kinds)
        if len(kinds) < len(names) or not plain:
            return None
        groups = list(piece.groups or range(file.num_row_groups))
        table = file.read_row_groups(groups, columns=list(names), use_threads=False)
        single = all(pa.types.is_float32(kind) for kind in kinds)
        block = np.empty((table.num_rows, len(names)), np.float32 if single else float)
        columns = dict(zip(table.column_names, table.columns, strict=True))
        for j, name in enumerate(names):
            column = columns[name]
            if not pa.types.is_floating(column.type):
                column = column.cast(pa.float64(), safe=False)
            block[:, j] = column.to_numpy()
        return block


def _of_array(piece: Piece, names: tuple[str, ...]) -> Array | None:
    mapped = np.load(piece.path, mmap_mode="r", allow_pickle=False)
    if mapped.ndim != 2 or mapped.dtype.kind not in "fiu":
        return None
    known = {name: j for j, name in enumerate(default_names(mapped.shape[1]))}
    if not all(name in known for name in names):
        return None
    start, stop = piece.span or (0, len(mapped))
    kept = np.float32 if mapped.dtype == np.float32 else np.float64
    # A copy that is no map: a map cannot be sent from a worker.
    block = np.array(mapped[start:stop], dtype=kept)
    places = [known[name] for name in names]
    return block if places == list(range(block.shape[1])) else block[:, places]
