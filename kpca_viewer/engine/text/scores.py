"""What a score is a score of, and what it is held against, in words."""

from kpca_viewer.engine.sweep.measures import Measure
from kpca_viewer.engine.sweep.point import BAND, SweepPoint
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.engine.text.describe import components_text

LARGEST_CLASS = "largest class"
"""What accuracies that count rows are held against: one class for all of them. The
level of balanced accuracies, 1 / classes, is called guessing."""


def rows_text(yardstick: Yardstick, n: int, measure: Measure) -> str:
    """Return how many rows a score is of: "2,000 of 10,000 rows", empty for all."""
    rows = yardstick.rows_of(measure)
    return f"{rows:,} of {n:,} rows" if rows and rows < n else ""


def scored_text(point: SweepPoint, measure: Measure) -> str:
    """Return on what a score was measured, as far as the picture does not show it."""
    scored = point.yardstick
    if scored.rows_of(measure) is None:
        return ""
    parts = []
    if set(scored.axes) - set(point.settings.view.axes[: point.thumbnail.shape[1]]):
        parts.append(components_text(scored.axes))
    rows = rows_text(scored, point.n, measure)
    parts += [rows] if rows else []
    return f"measured on {', '.join(parts)}" if parts else ""


def value_words(point: SweepPoint, measure: Measure) -> str:
    """Return a measure with its error band: "k-NN accuracy (rows) 63.5 % ± 2.2 %"."""
    value, error = point.measures.get(measure.key), None
    if not point.is_measured and value is None:
        return f"{measure.title}: not measured yet"
    error = point.yardstick.errors.get(measure.key)
    band = "" if error is None else f" ± {measure.text(BAND * error)}"
    return f"{measure.title} {measure.text(value)}{band}"


def baselines(point: SweepPoint, measure: Measure) -> list[tuple[str, float]]:
    """Return what a score is held against: the largest class, and linear PCA."""
    found: list[tuple[str, float]] = []
    chance, linear = point.yardstick.chance, point.yardstick.linear.get(measure.key)
    if measure.is_accuracy and chance is not None:
        found.append((LARGEST_CLASS, chance))
    if linear is not None:
        found.append(("linear PCA", linear))
    return found


def baselines_text(point: SweepPoint, measure: Measure) -> str:
    found = baselines(point, measure)
    return ", ".join(f"{name} {measure.text(value)}" for name, value in found)
