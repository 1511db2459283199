"""Kernel PCA against linear PCA in one line, and advice: only what numbers support."""

from math import sqrt

from kpca_viewer.core.choice.suggestion import Suggestion
from kpca_viewer.core.quality import GUESSING_ERRORS, NOTHING, Quality
from kpca_viewer.data.preparation import suggested_scaling
from kpca_viewer.session.comparison import Comparison
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.support.numerals import percent, readable

ALMOST_ALL = 0.99
"""Share of one component that leaves nothing to look at."""


def scaling_advice(result: AnalysisResult) -> str:
    """Propose to scale columns whose differences a power has made overwhelming."""
    kernel = result.kernel
    if kernel is None or kernel.growth(1.0).power < 2:
        return ""
    share = float(result.shares[0]) if len(result.shares) else 0.0
    if result.settings.data.scaling != "none" or share < ALMOST_ALL:
        return ""
    if suggested_scaling(result.dataset.points) != "standardise":
        return ""
    return (
        f"One component holds {percent(share)}: the columns differ in scale, and "
        "the power of the kernel multiplies that. Standardise them to see more."
    )


def suggestion_grounds(suggestion: Suggestion) -> str:
    """Say what suggested values are based on, and what they ignore."""
    if suggestion.judged or not suggestion.grounds:
        return suggestion.grounds
    return f"{suggestion.grounds}; classes are not looked at"


APART = 0.8
"""Part of the way from guessing to always right from which classes are separated."""

MIXED = 0.5
"""Part of that way up to which they are not."""

LEAST_GAIN = 0.02
"""A smaller difference is not worth a word, however many rows there are."""

SMALLEST_BAND = 0.001
"""Of trustworthinesses, which are told with two digits."""

FEWEST = 20
"""Rows below which neighbourhoods of ten are most of the data."""


def verdict(comparison: Comparison, linear_share: float) -> str:
    """Say which picture is better, and whether it matters; nothing where none can tell.

    Parameters
    ----------
    comparison : Comparison
        Both on equally many components.
    linear_share : float
        What those of linear PCA explain.
    """
    kernel, linear = comparison.kernel, comparison.linear
    if linear is None:
        return ""
    if kernel.linear_accuracy is not None and linear.linear_accuracy is not None:
        return _on_classes(kernel, linear)
    if comparison.only_turned:
        # All of the variance and every neighbourhood are there whatever the data are.
        return "With so few columns plain PCA only turns the data: it proves nothing."
    if linear_share >= 0.95:
        return f"Plain PCA keeps {percent(linear_share, 0)} of the variance."
    return _on_neighbourhoods(comparison)


def _on_classes(kernel: Quality, linear: Quality) -> str:
    chance, n = kernel.chance or 0.0, max(kernel.labelled, 1)
    ours, theirs = kernel.linear_accuracy or 0.0, linear.linear_accuracy or 0.0
    best = max(ours, theirs)
    guessing = f"guessing gives {percent(chance, 0)}"
    if _way(best, chance) < NOTHING:
        return f"Neither separates the classes by a line: {guessing}."
    if best < chance + GUESSING_ERRORS * sqrt(chance * (1 - chance) / n):
        return f"{n:,} rows are too few to tell either from luck: {guessing}."
    gain, band = ours - theirs, band_of(ours, theirs, n)
    if gain > band:
        if _way(ours, chance) < APART:
            return "The kernel separates better than plain PCA, but not well."
        if _way(theirs, chance) < MIXED:
            return "The kernel separates what plain PCA cannot."
        return "The kernel separates better than plain PCA."
    if theirs >= 0.95:
        return "Plain PCA is enough: a line there separates the classes."
    if gain < -band:
        return "Plain PCA separates better; try other values or another kernel."
    return f"Both separate the classes equally, within ± {percent(band, 0)}."


def _on_neighbourhoods(comparison: Comparison) -> str:
    kernel, linear, band = comparison.kernel, comparison.linear, comparison.trust_band
    if band is None or linear is None or kernel.rows < FEWEST:
        return ""
    gain = (kernel.trustworthiness or 0.0) - (linear.trustworthiness or 0.0)
    if gain > band:
        return "The kernel keeps neighbourhoods better than plain PCA."
    if gain < -band:
        return (
            "Plain PCA keeps neighbourhoods better; try other values or another kernel."
        )
    shown = max(band, SMALLEST_BAND)
    return (
        f"Both keep neighbourhoods about equally well, within ± {readable(shown, 2)}."
    )


def _way(accuracy: float, chance: float) -> float:
    """How far an accuracy has come from guessing (0) to always right (1)."""
    return (accuracy - chance) / max(1 - chance, 1e-9)


def band_of(a: float, b: float, n: int) -> float:
    """Return by how much two accuracies of n rows differ by luck: two standard errors.

    One row right and one wrong are added to each (Agresti and Caffo, 2000): 6 of 6 are
    not certain. The rows are the same, so that the luck is rather less than this.
    """
    shares = [(p * n + 1) / (n + 2) for p in (a, b)]
    return max(LEAST_GAIN, 2 * sqrt(sum(p * (1 - p) for p in shares) / (n + 2)))
