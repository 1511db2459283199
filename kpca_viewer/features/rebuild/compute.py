"""What the page Rebuild shows: K̃ with all of its parts, three ways to one picture."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.core.methods.classical_scaling import (
    ThreeWays,
    ways_from_distances,
    ways_from_points,
)
from kpca_viewer.core.methods.matrix_parts import MatrixParts
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.result import PICTURE_ROWS, AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stage import Extra, Stage, StageInputs
from kpca_viewer.engine.stages import Prepared, SameArray, centred, rows_matrix
from kpca_viewer.support import memory
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.progress import ShouldStop, check

PAGE = "rebuild"
"""The key of its page."""

MOST_ROWS = 2000
"""Beyond, a sample of so many takes the place of all rows: a full decomposition of more
would take longer than a page may take."""

MOVING_ROWS = 250
"""Rows up to which the page follows a slider while it is dragged."""


@dataclass(frozen=True, eq=False)
class Rebuilding:
    """The numbers of the page."""

    parts: MatrixParts
    """Of the matrix that is decomposed: K̃, or K where it is not centred."""
    rows: Array
    """Shape (m,). Rows of the data that the matrix is of, ascending."""
    shown: Array
    """Shape (s,). Which of them a picture of the matrix shows, sorted by class."""
    total: int
    """Rows of the data."""
    center: bool
    """Whether the matrix is centred."""
    ways: ThreeWays | None
    """Of the same rows; None where a kernel matrix was given, which has neither points
    nor distances, or where they follow."""
    ways_follow: bool = False
    """Whether the ways are still being compared; the parts are shown meanwhile."""

    @property
    def sampled(self) -> bool:
        """Whether it is about some of the rows only."""
        return len(self.rows) < self.total

    @cached_property
    def shown_rows(self) -> Array:
        """Shape (s,). Rows of the data that a picture of the matrix shows."""
        found: Array = self.rows[self.shown]
        return found

    @cached_property
    def shown_matrix(self) -> Array:
        """Shape (s, s). The true matrix at those rows."""
        found: Array = self.parts.matrix[np.ix_(self.shown, self.shown)]
        return found


def _known_rebuilding(result: AnalysisResult, inputs: StageInputs) -> Rebuilding | None:
    if inputs.request.page != PAGE:
        return None
    key = _key(inputs.prepared, inputs.request.settings)
    found: Rebuilding | None = inputs.cache.peek("rebuilding", key)
    return found


def _rebuild(result: AnalysisResult, inputs: StageInputs) -> Iterator[Rebuilding]:
    """Decompose all of the matrix, then compare the three ways."""
    prepared, settings = inputs.prepared, inputs.request.settings
    cache, should_stop, progress = inputs.cache, inputs.should_stop, inputs.progress
    dataset = prepared.dataset
    progress("all parts of the matrix", None)
    rows = sample_rows(dataset.n, MOST_ROWS)
    memory.require(
        5 * 8 * len(rows) ** 2,
        f"The full decomposition of {len(rows):,} rows",
        "turn to another page",
    )
    center = centred(dataset, settings)
    parts = MatrixParts.of(_matrix(prepared, rows, center=center), should_stop)
    shown = sample_rows(len(rows), PICTURE_ROWS)
    if dataset.labels is not None:
        order = np.argsort(dataset.labels[rows[shown]], kind="stable")
        shown = shown[order]
    found = Rebuilding(parts, rows, shown, dataset.n, center, None, ways_follow=True)
    yield found
    check(should_stop)
    progress("distances", None)
    ways = _ways(prepared, rows, parts, settings, cache, should_stop)
    found = replace(found, ways=ways, ways_follow=False)
    # The only one: two square matrices are enough to keep.
    cache.put("rebuilding", _key(prepared, settings), found)
    yield found


def _key(prepared: Prepared, settings: SessionSettings) -> tuple[object, ...]:
    dataset, kernel = prepared.dataset, prepared.kernel
    shape = None if kernel is None else (kernel.family.name, *kernel.values.items())
    return (
        prepared.points,
        shape,
        centred(dataset, settings),
        settings.analysis.components,
        SameArray(dataset.points),
        SameArray(dataset.labels),
    )


def _matrix(prepared: Prepared, rows: Array, *, center: bool) -> Array:
    """Return K of some rows (m, m), centred among them or not."""
    K = rows_matrix(prepared, rows, center=center)
    if center:
        K = double_center(K.copy())
    return (K + K.T) / 2


def _ways(
    prepared: Prepared,
    rows: Array,
    parts: MatrixParts,
    settings: SessionSettings,
    cache: StageCache,
    should_stop: ShouldStop,
) -> ThreeWays | None:
    """Return the three ways, which know nothing of the kernel."""
    dataset, components = prepared.dataset, settings.analysis.components
    if dataset.kind == "kernel":
        return None

    def make() -> ThreeWays:
        if dataset.kind == "distances":
            distances = dataset.points[np.ix_(rows, rows)]
            # What is decomposed of distances is what classical scaling decomposes.
            known = parts.values, parts.vectors
            return ways_from_distances(distances, components, should_stop, known)
        points = prepared.points.take(rows).dense()
        return ways_from_points(points, components, should_stop)

    key = prepared.points, SameArray(dataset.points), components
    ways: ThreeWays = cache.get("three ways", key, make)
    return ways


REBUILDING: Extra[Rebuilding] = Extra("rebuilding")

STAGES = (
    Stage(
        REBUILDING,
        _known_rebuilding,
        _rebuild,
        pages=(PAGE,),
        is_complete=lambda found: not found.ways_follow,
        follows=MOVING_ROWS,
    ),
)
