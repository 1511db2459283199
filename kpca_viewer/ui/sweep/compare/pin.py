"""Pin: a picture that is kept for a comparison, of a sweep or of the board."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.orientation import canonical_signs, flips, oriented
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.sweep.measures import (
    MEASURES,
    SpectrumFacts,
    row_scores,
    spectrum_measures,
)
from kpca_viewer.session.sweep.parameters import symbol_of, value_text
from kpca_viewer.session.sweep.point import SweepPoint
from kpca_viewer.support.numerals import percent
from kpca_viewer.ui.plots.coloring import coloring
from kpca_viewer.ui.sweep.thumbnails import Shades

Array = NDArray[Any]

ROWS, LABELLED, FIRST = "rows", "labelled", "first"
"""Kept beside the measures: of how many rows those of neighbourhoods and of classes
are, and of how many components where those are not the ones that are shown."""


@dataclass(frozen=True, eq=False)
class Pin:
    """A picture that is kept for a comparison."""

    title: str
    settings: SessionSettings
    coordinates: Array = field(repr=False)
    """Shape (n, 2 or 3). Of the rows, on the components that the embedding showed."""
    rows: Array = field(repr=False)
    """Shape (n,). Which rows of the data they are."""
    count: int = 0
    """Rows of the data."""
    names: tuple[str, ...] = ("PC 1", "PC 2")
    """Of the axes."""
    measures: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    """Of the picture on all of `axes`."""
    shades: Shades = field(default_factory=Shades, repr=False)
    """The colours of all rows of the data, as they were."""
    is_scored: bool = True
    """Whether all measures are there; the slower ones come after the picture."""
    content: str = ""
    """Hash of the file that it is a picture of; empty for data that are no file."""

    @property
    def axes(self) -> tuple[int, ...]:
        """The components that were shown."""
        return self.settings.view.shown_axes

    @property
    def scored_axes(self) -> tuple[int, ...]:
        """The components that were measured: those shown, or the first few."""
        first = self.measures.get(FIRST)
        return self.axes if first is None else tuple(range(int(first)))

    @classmethod
    def of_point(
        cls,
        point: SweepPoint,
        suggested: Mapping[str, float] | None = None,
        shades: Shades | None = None,
    ) -> "Pin":
        """Pin a value of a sweep; of large data, there are two axes only."""
        axes = point.settings.view.shown_axes
        coordinates, rows = point.thumbnail, point.rows
        if point.film is not None:
            coordinates, rows = point.film[:, : len(axes)], np.arange(point.n)
        # A film keeps its pictures in step; by itself, each has its canonical
        # orientation.
        flipped = flips(point.settings.view.flipped, 1 + max(axes))
        shown = flipped[list(axes[: coordinates.shape[1]])]
        coordinates = oriented(coordinates, canonical_signs(coordinates) * shown)
        return cls(
            describe_settings(point.settings, suggested),
            point.settings,
            coordinates,
            rows,
            point.n,
            _names(axes[: coordinates.shape[1]], point.shares),
            _of_point(point),
            _shades(point, shades),
            point.is_measured,
        )

    @classmethod
    def of_result(cls, result: AnalysisResult, shades: Shades | None = None) -> "Pin":
        """Pin what is on the board, in these colours or those of its settings."""
        axes = result.settings.view.shown_axes
        scores = np.zeros((result.dataset.n, len(axes)))
        for place, axis in enumerate(axes):
            if axis < result.scores.shape[1]:
                scores[:, place] = result.scores[:, axis]
        facts = SpectrumFacts(
            result.shares, result.effective_rank, result.decomposition.error
        )
        known: dict[str, float | None] = {**spectrum_measures(facts)}
        if result.comparison is not None:
            quality = result.comparison.kernel
            known |= {
                key: getattr(quality, key) for key in (*row_scores(), ROWS, LABELLED)
            }
        kept = (*compared_by(), ROWS, LABELLED)
        measures = {key: known[key] for key in kept if key in known}
        return cls(
            describe_settings(result.settings, result.suggested),
            result.settings,
            scores,
            np.arange(result.dataset.n),
            result.dataset.n,
            _names(axes, result.shares),
            measures,
            shades or Shades.of(coloring(result, result.settings.view)),
            result.comparison is not None,
        )


def compared_by() -> tuple[str, ...]:
    """Return the measures that two pins are compared by."""
    return tuple(key for key, measure in MEASURES.items() if measure.in_pins)


def describe_settings(
    settings: SessionSettings, suggested: Mapping[str, float] | None = None
) -> str:
    """Return kernel and values in a few words: "RBF (Gaussian), γ = 2.5"."""
    family = FAMILIES[settings.kernel.family]
    known = {**(suggested or {}), **dict(settings.kernel.values)}
    parts = [
        f"{symbol_of(p.name)} = {value_text(p.name, known.get(p.name, p.default))}"
        for p in family.parameters
    ]
    return ", ".join([family.title, *parts])


def _of_point(point: SweepPoint) -> dict[str, float | None]:
    """Return the measures of a point, and what they are measures of."""
    scored = point.yardstick
    measures = dict(point.measures)
    if point.is_measured:
        measures |= {ROWS: scored.rows, LABELLED: scored.labelled}
        if set(scored.axes) - set(point.settings.view.shown_axes):
            measures[FIRST] = len(scored.axes)
    return measures


def _shades(point: SweepPoint, shades: Shades | None) -> Shades:
    """Return colours of all rows: those given, if they are of these rows, or classes.

    A sweep over the number of samples has other rows than the board.
    """
    known = None if shades is None else shades.codes
    if shades is not None and known is not None and len(known) == point.n:
        return shades
    if point.labels is None:
        return Shades()
    codes = np.full(point.n, -1)
    codes[point.rows] = point.labels
    return Shades("class", codes)


def _names(axes: tuple[int, ...], shares: Array) -> tuple[str, ...]:
    names = []
    for axis in axes:
        share = f" ({percent(float(shares[axis]))})" if axis < len(shares) else ""
        names.append(f"PC {axis + 1}{share}" if share else "–")
    return tuple(names)
