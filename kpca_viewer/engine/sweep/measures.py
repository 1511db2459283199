"""Everything that a sweep measures of a picture, declared once."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import fixed, percent, readable
from kpca_viewer.support.registry import Registry

Better = Literal["high", "low", "neither"]


@dataclass(frozen=True, eq=False)
class SpectrumFacts:
    """What is known of a picture as soon as it is decomposed."""

    shares: Array
    """Shape (k,). Explained share of every component."""
    effective_rank: float
    error: float
    """Largest error of an eigenvalue, relative to the first."""


@dataclass(frozen=True)
class Measure:
    """One number about a picture: everything that is said and done with it."""

    key: str
    """Also its column in tables and its name on the command line."""
    title: str
    better: Better = "high"
    """Which end is the better one; effective rank has none."""
    form: Literal["percent", "score", "number", "power"] = "percent"
    """How it is written."""
    of_spectrum: Callable[[SpectrumFacts], float] | None = None
    """``SpectrumFacts -> float``, for a measure that needs no coordinates."""
    of_rows: bool = False
    """Whether it is a mean over rows, which has an error; `core.quality.Quality` has it
    under the same name."""
    needs_classes: bool = False
    needs_points: bool = False
    is_accuracy: bool = False
    """Whether guessing gives a share of it, too."""
    in_pins: bool = False
    """Whether two pins are compared by it."""
    term: str = ""
    """Key of the entry of the glossary that explains it, if not its own key."""
    aliases: tuple[str, ...] = ()
    """Short names that the command line takes as well."""

    def text(self, value: float | None) -> str:
        if value is None or not np.isfinite(value):
            return "–"
        if self.form == "percent":
            return percent(value)
        if self.form == "score":
            return fixed(value, 3)
        if self.form == "power":
            return readable(value, 1)
        return readable(value, 3)

    @property
    def tip(self) -> str:
        return tip(self.term or self.key)


def _share(count: int) -> Callable[[SpectrumFacts], float]:
    return lambda facts: float(facts.shares[:count].sum())


MEASURES = Registry(
    lambda row: row.key,
    (
        Measure(
            "linear_accuracy",
            "Line accuracy (rows)",
            of_rows=True,
            needs_classes=True,
            is_accuracy=True,
            in_pins=True,
            aliases=("linear", "accuracy"),
        ),
        Measure(
            "knn_accuracy",
            "k-NN accuracy (rows)",
            of_rows=True,
            needs_classes=True,
            is_accuracy=True,
            in_pins=True,
            aliases=("knn",),
        ),
        Measure(
            "silhouette",
            "Silhouette",
            form="score",
            of_rows=True,
            needs_classes=True,
            in_pins=True,
        ),
        Measure(
            "trustworthiness",
            "Trustworthiness",
            form="score",
            of_rows=True,
            needs_points=True,
            in_pins=True,
        ),
        Measure(
            "continuity", "Continuity", form="score", of_rows=True, needs_points=True
        ),
        Measure(
            "share_2",
            "Share of the first two",
            of_spectrum=_share(2),
            in_pins=True,
            term="share",
        ),
        Measure(
            "share_3", "Share of the first three", of_spectrum=_share(3), term="share"
        ),
        Measure(
            "effective_rank",
            "Effective rank",
            "neither",
            "number",
            of_spectrum=lambda facts: float(facts.effective_rank),
            in_pins=True,
        ),
        Measure(
            "certificate",
            "Error bound",
            "low",
            "power",
            of_spectrum=lambda facts: float(facts.error),
        ),
        Measure(
            "linear_agreement",
            "Agreement with linear PCA",
            "neither",
            needs_points=True,
        ),
    ),
)
"""Every measure by its key, in the order in which menus list them."""

DEFAULT_MEASURE = "linear_accuracy"
FALLBACKS = ("trustworthiness", "share_2")
"""What is shown where the wanted measure is not defined; the last always is."""


def measure_called(name: str) -> Measure | None:
    """Return the measure with this key or short name, written with - or _."""
    key = name.replace("-", "_")
    found = (row for row in MEASURES.values() if key in (row.key, *row.aliases))
    return next(found, None)


def row_scores() -> tuple[str, ...]:
    """Return the measures that are means over rows: a sample of them has an error."""
    return tuple(key for key, measure in MEASURES.items() if measure.of_rows)


def spectrum_measures(facts: SpectrumFacts) -> dict[str, float]:
    return {
        key: measure.of_spectrum(facts)
        for key, measure in MEASURES.items()
        if measure.of_spectrum is not None
    }


def missing_measures(labels: Array | None, kind: str = "points") -> dict[str, str]:
    """Return by key why measures are undefined: "the data have no classes"."""
    # Runs in the window's thread: to sort a million labels would block it.
    highest = -1 if labels is None else int(labels.max(initial=-1))
    several = labels is not None and bool(((labels >= 0) & (labels != highest)).any())
    of_classes = (
        "there is one class only" if highest >= 0 else "the data have no classes"
    )
    of_points = "a given matrix has no points to compare the picture with"
    reasons: dict[str, str] = {}
    for key, measure in MEASURES.items():
        if measure.needs_classes and not several:
            reasons[key] = of_classes
        if measure.needs_points and kind != "points":
            reasons[key] = of_points
    return reasons


def defined_measure(key: str, missing: Collection[str]) -> str:
    """Return a measure, or one that is defined instead of it."""
    candidates = (key, *FALLBACKS)
    return next((known for known in candidates if known not in missing), FALLBACKS[-1])
