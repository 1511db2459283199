"""What the spectrum says."""

from typing import TYPE_CHECKING

import numpy as np

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.remarks import about_equal
from kpca_viewer.support.numerals import small_percent, ungrouped, upper_bound

if TYPE_CHECKING:
    from kpca_viewer.features.spectrum.compute import SpectrumBars

LEFT_NAME = "share"
"""What the left axis tells of every component."""

RIGHT_NAMES = ("cumulative", "cum.")
"""What the right axis tells, with and without room."""

NO_EIGENVALUES = "No eigenvalues yet"
NEGATIVE = "negative"
ALL_ZERO = "all eigenvalues are zero"
ROUNDING_ALONE = "no eigenvalue is told from rounding"


def mark_reached(count: int, *, at_most: bool) -> tuple[str, ...]:
    """Say with how many components 95 % are reached, at length and shorter."""
    short = f"95 % with {'at most ' if at_most else ''}{count:,}"
    return f"{short} component{'' if count == 1 else 's'}", short


def mark_never(negative: str) -> tuple[str, ...]:
    """Say that a negative share keeps the others below 95 %, at length and shorter."""
    return f"95 % never reached: {negative} is negative", "95 % never reached"


def mark_beyond(count: int) -> tuple[str, ...]:
    """Say that components beyond those known are needed, at length and shorter."""
    return f"95 % needs more than {count:,}", f"95 %: over {count:,}"


def cut_texts(cut: int) -> tuple[str, str]:
    """Say how many components are kept, at length and shorter."""
    return f"{cut:,} component{'' if cut == 1 else 's'}", f"{cut:,}"


def axis_name(bars: "SpectrumBars") -> str:
    """Say what the horizontal axis counts."""
    if len(bars.values) == bars.known:
        return "component"
    known = "" if bars.known == bars.total else " known"
    return f"component ({len(bars.values)} of {bars.known:,}{known})"


def bar_text(bars: "SpectrumBars", bar: int) -> str:
    """Say everything about a bar, in two lines, or three with its direction."""
    number, share = int(bars.components[bar]) + 1, float(bars.shares[bar])
    first = f"component {number:,}: μ = {ungrouped(float(bars.values[bar]))}"
    low, high = bars.bounds[bar]
    if np.isfinite(low) and np.isfinite(bars.unit):
        error = max(share - low, high - share) * bars.unit
        first += f" (±{upper_bound(error)})"
    second = f"{bars.about}{small_percent(share)}"
    if np.isfinite(bars.cumulative[bar]):
        second += f", cumulative {small_percent(float(bars.cumulative[bar]))}"
    if number > bars.kept:
        second += ", not kept"
    if bars.moves is not None and np.isfinite(bars.moves[bar, 0]):
        second += f", bootstrap ±{small_percent(bars.moves[bar, 1] - share)}"
    angle = float(bars.angles[bar])
    if np.isnan(angle):
        return f"{first}\n{second}"
    bad = "direction badly separated"
    third = bad if np.isinf(angle) else f"direction to {upper_bound(angle)} rad"
    return f"{first}\n{second}\n{third}"


def caption(result: AnalysisResult) -> str:
    """Say below the plot what its eigenvalues amount to."""
    first = about_equal(result) or f"Effective rank {result.effective_rank:.1f}"
    if result.mass.share <= 0:
        return f"{first}."
    # From 2,000 rows on the negative end is estimated, and has no bars.
    bars = ", in amber" if (result.decomposition.spectrum < 0).any() else ""
    return (
        f"{first}; negative mass {result.mass.in_words}{bars}: the kernel "
        "matrix is indefinite, shares are of all eigenvalues counted as positive."
    )
