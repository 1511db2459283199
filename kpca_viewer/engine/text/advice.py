"""Advice on scaling, and what a suggestion is based on: only what numbers support."""

from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.data.preparation import suggested_scaling
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.support.numerals import percent

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
    """Say what suggested values are based on, and what was tried in vain."""
    if not suggestion.grounds or not suggestion.rejected:
        return suggestion.grounds
    return f"{suggestion.grounds}; by the {suggestion.rejected} no value is better"
