"""Notes and kernel, taken along when a file has changed, or rows come and go."""

from dataclasses import dataclass, replace

import numpy as np

from kpca_viewer.core.kernels.families import follows_data
from kpca_viewer.data.dataset import Dataset, IntArray
from kpca_viewer.data.table import listed
from kpca_viewer.engine.notes import Notes, Selected
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.anchor import RowAnchor
from kpca_viewer.engine.settings import KernelSettings, SessionSettings, as_values


@dataclass(frozen=True)
class Lost:
    """What is not in the file any more."""

    names: tuple[str, ...] = ()
    """Of rows."""
    selected: int = 0
    """How many of the selected rows."""
    of: int = 0
    """How many were selected."""

    def __bool__(self) -> bool:
        return bool(self.names or self.selected)

    def text(self, name: str) -> str:
        """Return it as a sentence about data with a name."""
        parts = []
        if self.names:
            what = "the row named" if len(self.names) == 1 else "the rows named"
            parts.append(f"{what} {listed(self.names)}")
        if self.selected:
            parts.append(f"{self.selected:,} of {self.of:,} selected rows")
        return f"Not in “{name}” any more: {' and '.join(parts)}."


def follow(notes: Notes, dataset: Dataset, now: RowAnchor) -> tuple[Notes, Lost]:
    """Return notes on the rows that they are about, wherever these are now.

    Parameters
    ----------
    notes : Notes
        With the anchor of the file as it was.
    dataset : Dataset
        What the file has become.
    now : RowAnchor
        Of that.
    """
    assert notes.anchor is not None
    rows = notes.noted_rows
    places = notes.anchor.find(rows, dataset)
    found = dict(zip(rows.tolist(), places.tolist(), strict=True))
    names = {found[row]: name for row, name in notes.row_names if found[row] >= 0}
    lost = tuple(name for row, name in notes.row_names if found[row] < 0)
    selected, gone, of = None, 0, 0
    if notes.selected is not None:
        before = np.flatnonzero(notes.selected.mask())
        after = places[np.searchsorted(rows, before)]
        mask = np.zeros(dataset.n, dtype=bool)
        mask[after[after >= 0]] = True
        selected, gone, of = Selected.of(mask), int((after < 0).sum()), len(before)
    moved = replace(
        notes, row_names=tuple(sorted(names.items())), selected=selected, anchor=now
    )
    return moved, Lost(lost, gone, of)


def renumbered(notes: Notes, places: IntArray, count: int) -> Notes:
    """Return notes for rows that stand elsewhere, of which there are so many.

    Parameters
    ----------
    places : ndarray of shape (n,)
        Of every row; −1 for those that are not there.
    """
    names = tuple(
        (int(places[row]), name)
        for row, name in notes.row_names
        if row < len(places) and places[row] >= 0
    )
    selected = None
    if notes.selected is not None and notes.selected.rows == len(places):
        mask = np.zeros(count, dtype=bool)
        there = places[notes.selected.mask()]
        mask[there[there >= 0]] = True
        selected = Selected.of(mask)
    return replace(notes, row_names=names, selected=selected, anchor=None)


def kernel_in_use(
    settings: SessionSettings, result: AnalysisResult | None
) -> KernelSettings:
    """Return the kernel with the values in use, where rows come or go.

    A suggestion that followed every row would change the picture in silence. Of points
    that are drawn already, what was left to the suggestion still follows it.
    """
    kernel = settings.kernel
    if settings.data.drawn is not None or result is None or result.kernel is None:
        return kernel
    if result.kernel.family.name != kernel.family:
        return kernel
    used = {n: v for n, v in result.kernel.values.items() if follows_data(n)}
    return replace(kernel, values=as_values({**used, **dict(kernel.values)}))
