"""Steps that were forgotten: in short for every view, and what they break, measured."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.numerals import readable

if TYPE_CHECKING:
    from kpca_viewer.engine.result import AnalysisResult


def forgotten(result: "AnalysisResult") -> tuple[str, ...]:
    """Return the steps that were left out and change what is shown, in a few words.

    They stand in every view and in everything that is exported.
    """
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


def strip_words(result: "AnalysisResult") -> str:
    """Return `forgotten` as a line: "1/√μ forgotten · new points not centred"."""
    return _as_line(forgotten(result))


def strip_of(analysis: AnalysisSettings) -> str:
    """Return the same for the pictures of a sweep, which show no new points."""
    return _as_line(forgotten_steps(analysis))


def _as_line(told: Sequence[str]) -> str:
    line = " · ".join(told)
    return line[:1].upper() + line[1:]


def pitfall_sentences(result: "AnalysisResult") -> tuple[str, ...]:
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


def _without_root(result: "AnalysisResult", axis: int) -> str:
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


def _without_new_centring(result: "AnalysisResult", axis: int) -> str:
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
