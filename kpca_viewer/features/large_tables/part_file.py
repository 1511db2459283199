"""Scores of a part as a Parquet file, written where they are computed."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.solvers.blocks import Block
from kpca_viewer.data.parts import PartBlock, Piece
from kpca_viewer.export.tables.results import ExportTable, distinct
from kpca_viewer.export.tables.writers import parquet_bytes
from kpca_viewer.support.atomic import write_atomically

LONGEST = 200
"""Bytes of the name of a part in that of its scores; file systems have 255 in all."""


def part_name(piece: Piece) -> str:
    """Return what the scores of a piece are called: "part-00017-measured.parquet"."""
    cut = f"-{piece.cut:05}" if piece.cut else ""
    # Cut in bytes, as file systems count; half a letter is dropped.
    stem = os.fsencode(piece.path.stem)[:LONGEST].decode(errors="ignore")
    return f"part-{piece.number:05}-{stem}{cut}.parquet"


@dataclass(frozen=True)
class WrittenPart:
    """What there is to say of a part that was written."""

    rows: int
    left_out: int
    """Rows with gaps."""
    size: int
    """Bytes of the file."""
    digest: str
    """SHA-256 of them."""


@dataclass(frozen=True, eq=False)
class ScoreWriter:
    """The work on one block: its scores, in a file of a folder."""

    model: KernelPCA
    folder: Path

    def __call__(self, block: Block, _number: int) -> WrittenPart:
        """Write the scores of a block.

        Raises
        ------
        KpcaError
            If its rows cannot be read, or the file not be written.
        """
        assert isinstance(block, PartBlock)
        rows = block.rows()
        k = int(self.model.n_components_)
        scores = np.empty((0, k))
        if len(rows.points):
            scores = self.model.transform(rows.points).astype(np.float64)
        told = rows.described
        names = rows.numbers if told.names is None else told.names
        columns: list[tuple[str, Any]] = [("row", names)]
        if told.labels is not None:
            columns.append(("label", told.labels))
        columns += told.columns
        columns += [(f"PC{j + 1}", scores[:, j]) for j in range(k)]
        content = parquet_bytes(ExportTable("scores", distinct(columns), {}))
        write_atomically(self.folder / part_name(block.piece), content)
        digest = hashlib.sha256(content).hexdigest()
        return WrittenPart(len(scores), rows.left_out, len(content), digest)
