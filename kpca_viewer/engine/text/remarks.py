"""What is worth a word about a picture: scaling, few points, forgotten steps."""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.core.spectrum import EQUAL_TO_THE_KERNEL, ROUNDING_ALONE
from kpca_viewer.data.preparation import suggested_scaling
from kpca_viewer.engine.comparison import LinearPCA
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.numerals import percent, readable

ALMOST_ALL = 0.99
"""Share of one component that leaves nothing to look at."""


def scaling_advice(result: AnalysisResult) -> str:
    """Propose to scale columns whose differences a power has made overwhelming."""
    kernel = result.kernel
    if kernel is None or kernel.growth(1.0).power < 2:
        return ""
    share = float(result.shares[0]) if len(result.shares) else 0.0
    if result.scaler.how != "none" or share < ALMOST_ALL:
        return ""
    if suggested_scaling(result.dataset.points) != "standardise":
        return ""
    return (
        f"One component holds {percent(share)}: the columns differ in scale, and "
        "the power of the kernel multiplies that. Standardise them to see more."
    )


REJECTED = {
    "classes": "on two components no value predicts held-out classes clearly better "
    "than guessing",
    "quantity": "on two components no value explains half of the held-out quantity",
}
"""What was tried in vain for a suggestion."""


def suggestion_grounds(suggestion: Suggestion) -> str:
    """Say what suggested values are based on, and what was tried in vain."""
    if not suggestion.grounds or not suggestion.rejected:
        return suggestion.grounds
    return f"{suggestion.grounds}; {REJECTED[suggestion.rejected]}"


ONE_ROW = "No variance: there is one row"
EQUAL_ROWS = "No variance: all rows are equal"


def about_few(result: AnalysisResult) -> str:
    """Say why there is little to see: one point, two, or all of them at one place."""
    dataset = result.dataset
    if dataset.kind != "points" or not centred(dataset, result.settings):
        return ""
    if dataset.n == 1:
        return "One point has no variance; add a second."
    if not dataset.extents.any():
        count = "Both" if dataset.n == 2 else f"All {dataset.n:,}"
        return f"{count} points are at one place: there is no variance; move one."
    if dataset.n == 2:
        return "Two points have one component at most."
    return ""


def about_equal(result: AnalysisResult) -> str:
    """Say that kernel PCA has nothing to show; nothing where there is any variance."""
    dataset, found = result.dataset, result.decomposition
    if found.has_variance:
        return ""
    if not centred(dataset, result.settings) or found.trace or found.bounds.any():
        return ROUNDING_ALONE
    if dataset.n == 1:
        return ONE_ROW
    differ = dataset.kind == "points" and dataset.extents.any()
    return EQUAL_TO_THE_KERNEL if differ else EQUAL_ROWS


OWN_COMPONENT = 0.9
"""Part of the largest possible effective rank from which no rows go together."""

FEWEST_OWN = 20
"""Rows below which so large a rank is usual."""


def about_flat(result: AnalysisResult) -> str:
    """Say that to this kernel no two rows are alike; nothing where some are."""
    n = result.decomposition.n
    most = n - 1 if centred(result.dataset, result.settings) else n
    rank = result.effective_rank
    if n < FEWEST_OWN or rank < OWN_COMPONENT * most:
        return ""
    return (
        f"Nearly every row is a component of its own: the effective rank is "
        f"{result.mass.mark}{rank:,.0f} of at most {most:,}."
    )


def about_equal_linear(linear: LinearPCA) -> str:
    if linear.shares.any():
        return ""
    return ONE_ROW if len(linear.scores) == 1 else EQUAL_ROWS


HARDLY_APART = 0.01
"""Part of itself by which an eigenvalue differs from its neighbour at most to be worth
a word: bounds of few digits overlap where more is between, and the picture is sound."""


def about_separation(result: AnalysisResult, axes: tuple[int, ...]) -> str:
    """Say which of the axes are badly separated; nothing where none is."""
    found = result.decomposition
    live, angles = positive_part(found), found.angle_bounds
    known = np.append(live, np.maximum(found.spectrum[len(live) :], 0.0))
    pairs = set()
    for j in axes:
        if not 0 <= j < len(live) or live[j] == 0 or np.isfinite(angles[j]):
            continue
        others = [i for i in (j - 1, j + 1) if 0 <= i < len(known)]
        near = min(others, key=lambda i: abs(known[i] - known[j]), default=j)
        if near != j and abs(known[near] - known[j]) <= HARDLY_APART * known[j]:
            pairs.add((min(j, near), max(j, near)))
    if not pairs:
        return ""
    told = "; ".join(f"PC {a + 1} and PC {b + 1}" for a, b in sorted(pairs))
    return (
        f"{told} are badly separated: their plane is known, not which way each lies "
        "in it."
    )


def forgotten(result: AnalysisResult) -> tuple[str, ...]:
    """Return in words the steps that were left out and change what is shown."""
    how, told = result.scoring, []
    if not centred(result.dataset, result.settings):
        told.append("not centred")
    if not how.normalised:
        told.append("1/√μ forgotten")
    if not how.centers_new and result.kernel is not None:
        told.append("new points not centred")
    return tuple(told)


def forgotten_steps(analysis: AnalysisSettings) -> list[str]:
    """Return what settings leave out that changes the rows of the data themselves."""
    told = [] if analysis.center else ["not centred"]
    return told if analysis.normalised else [*told, "1/√μ forgotten"]


def strip_words(result: AnalysisResult) -> str:
    """Return `forgotten` as a line: "1/√μ forgotten · new points not centred"."""
    return _as_line(forgotten(result))


def strip_of(analysis: AnalysisSettings) -> str:
    """Return the same for the pictures of a sweep, which show no new points."""
    return _as_line(forgotten_steps(analysis))


def _as_line(told: Sequence[str]) -> str:
    line = " · ".join(told)
    return line[:1].upper() + line[1:]


def pitfall_sentences(result: AnalysisResult) -> tuple[str, ...]:
    """Measure what follows from scores that are not normalised or not centred.

    Of centring itself `uncentred` speaks. Numbers are those of the component on the
    x axis; it takes one more row of K.
    """
    axis = result.settings.view.judged_axes(result.scores.shape[1])[0]
    how, told = result.scoring, []
    if not how.normalised:
        told.append(_without_root(result, axis))
    if not how.centers_new and result.kernel is not None:
        told.append(_without_new_centring(result, axis))
    return tuple(told)


def _without_root(result: AnalysisResult, axis: int) -> str:
    scores = np.asarray(result.scores[:, axis], dtype=np.float64)
    if not scores.any():
        return f"1/√μ is forgotten, but PC {axis + 1} has no scores: nothing changes."
    matrix = "K̃" if centred(result.dataset, result.settings) else "K"
    alpha = np.asarray(result.decomposition.eigenvectors[:, axis], dtype=np.float64)
    # αᵀK̃α with α = u, as K̃u is what the window shows as scores.
    length = float((alpha * scores).sum())
    return (
        f"1/√μ is forgotten: αᵀ{matrix}α = {readable(length)} instead of 1, and scores "
        f"along PC {axis + 1} are √μ = {readable(length**0.5)} times as long as they "
        "should be."
    )


def _without_new_centring(result: AnalysisResult, axis: int) -> str:
    first = result.project(result.dataset.points[:1])[0, axis]
    place, own = readable(float(first)), readable(float(result.scores[0, axis]))
    name = f"row {result.dataset.row_number(0)}"
    text = "The centring of the new row is forgotten: "
    if place == own:
        return f"{text}along PC {axis + 1}, {name} is where it was, at {own}."
    return (
        f"{text}dropped once more, {name} comes to {place} along PC {axis + 1}, not to "
        f"{own}; isolines and new points are off by as much."
    )
