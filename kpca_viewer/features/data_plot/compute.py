"""What of many columns is shown: those that follow components; means of pictures."""

from dataclasses import dataclass, field

import numpy as np

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.support.arrays import Array

MOST_ROWS, MOST_COLUMNS = 2_000, 2_000
"""Rows and columns that are looked at; more would hold up the picture."""


def following_columns(result: AnalysisResult) -> tuple[int, int, int] | None:
    """Return the columns that correlate best with the shown components, or None."""
    dataset = result.dataset
    if dataset.kind != "points" or dataset.d <= 3:
        return None
    r = correlations(result, range(min(dataset.d, MOST_COLUMNS)))
    taken: list[int] = []
    for place in range(r.shape[1]):
        order = np.argsort(-np.abs(r[:, place]), kind="stable")
        taken.append(next(int(j) for j in order if j not in taken))
    if len(taken) < 2 or any(r[taken[place], place] == 0 for place in (0, 1)):
        return None
    rest = (j for j in dataset.telling_axes if j not in taken)
    first, second, third = (*taken, *rest)[:3]
    return first, second, third


def correlations(result: AnalysisResult, columns: "range | tuple[int, ...]") -> Array:
    """Return r of columns with the components on the axes, (columns, components)."""
    dataset = result.dataset
    rows = np.linspace(0, dataset.n - 1, min(dataset.n, MOST_ROWS)).astype(int)
    points = np.nan_to_num(dataset.points[rows][:, list(columns)])
    axes = [j for j in result.settings.view.axes if j < result.scores.shape[1]]
    scores = result.scores[rows][:, axes]
    points, scores = points - points.mean(axis=0), scores - scores.mean(axis=0)
    lengths = np.linalg.norm(points, axis=0)[:, None] * np.linalg.norm(scores, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(points.T @ scores / lengths))


MOST_MEANS, MOST_CELLS = 12, 2_000_000
"""Classes that have a mean picture, the most frequent ones, and cells of data that
means are taken of at once; of more, by a sample of rows."""


@dataclass(frozen=True, eq=False)
class ClassMean:
    """The mean of the rows of a class, as a picture."""

    code: int
    name: str
    shades: Array = field(repr=False)
    """Shape (height, width). From 0 to 255, uint8."""
    rows: int
    """Rows that it is the mean of."""
    of: int
    """Rows that the class has."""


def class_means(dataset: Dataset, view: ViewSettings) -> list[ClassMean]:
    """Return the mean picture of every class; none where rows are no pictures."""
    pictures = row_pictures(dataset, view)
    if pictures is None or dataset.labels is None:
        return []
    counts = np.bincount(dataset.labels[dataset.labels >= 0])
    frequent = np.argsort(-counts, kind="stable")[:MOST_MEANS]
    rows = sample_rows(dataset.n, max(MOST_CELLS // dataset.d, 1))
    points, labels = dataset.points[rows], dataset.labels[rows]
    found = []
    for code in sorted(frequent.tolist()):
        mine = points[labels == code]
        if len(mine):
            shades = pictures.shades(mine.mean(axis=0))
            name, of = dataset.label_names[code], int(counts[code])
            found.append(ClassMean(code, name, shades, len(mine), of))
    return found
