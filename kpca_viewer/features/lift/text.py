"""What can be said of a lift: only what was measured."""

from dataclasses import dataclass
from math import isinf

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.quality import (
    Predictions,
    deal,
    linear_predictions,
    sample_rows,
)
from kpca_viewer.engine.claims.verdict import is_beyond_guessing
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.lift.space import LiftedSpace
from kpca_viewer.support.numerals import counted, percent


@dataclass(frozen=True)
class Separation:
    """How well single components tell the classes apart."""

    predictions: tuple[Predictions, ...]
    """From PC 1, PC 2 and so on."""

    @property
    def sentence(self) -> str:
        """Name the best one; nothing where none is better than guessing."""
        best = max(self.predictions, key=lambda found: found.balanced_accuracy)
        if not is_beyond_guessing(best):
            return ""
        number = self.predictions.index(best) + 1
        what = "" if np.ptp(best.sizes) <= 1 else "balanced accuracy "
        return (
            f"PC {number} alone tells the classes apart best: {what}"
            f"{percent(best.balanced_accuracy, 0)}, guessing "
            f"{percent(best.balanced_guessing, 0)}."
        )


def separation(result: AnalysisResult, space: LiftedSpace) -> Separation | None:
    """Measure the components at full height; None without classes to tell apart."""
    labels = result.dataset.labels
    if labels is None:
        return None
    rows = sample_rows(result.dataset.n)
    rows = rows[labels[rows] >= 0]
    codes = np.unique(labels[rows], return_inverse=True)[1]
    folds = deal(codes)
    scores = space.components.scores(space.high[rows])
    found = [
        linear_predictions(Z[:, None], codes, folds, balanced=True) for Z in scores.T
    ]
    predictions = tuple(one for one in found if one is not None)
    return Separation(predictions) if predictions else None


def caption(
    result: AnalysisResult,
    space: LiftedSpace,
    height: float,
    separated: Separation | None,
) -> str:
    """Say what is drawn, of which kernel, and which component separates."""
    parts = [_what(result, space, height)]
    if len(space.names) > 3:
        parts.append(f"Drawn: three of {len(space.names)} coordinates.")
    if separated is not None and height >= 1:
        parts.append(separated.sentence)
    return " ".join(part for part in parts if part)


def _what(result: AnalysisResult, space: LiftedSpace, height: float) -> str:
    kernel = result.kernel
    assert kernel is not None
    if height < 1:
        return f"{_way(height)} Arrows: components of what is drawn."
    if not space.lift.family:
        return _share_of_directions(result, kernel)
    if space.components.directions.shape[1] == 0:
        return "All points lie in one place: no component."
    which = f"PC 1–{min(3, space.components.directions.shape[1])}"
    if which.endswith("–1"):
        which = "PC 1"
    where = "around the mean" if space.centred else "from the origin (not centred)"
    if space.exact is not None:
        return f"Arrows: {which} of the {_called(kernel)} kernel, {where}."
    return (
        f"Arrows: {which} of the lifted points, {where}; the {_called(kernel)} kernel "
        "that computes has another map."
    )


def _way(height: float) -> str:
    if height <= 0:
        return "The plane itself."
    return f"{percent(height, 0)} of the way from the plane to φ."


def _share_of_directions(result: AnalysisResult, kernel: Kernel) -> str:
    shown = min(3, result.scores.shape[1])
    share = f"{result.mass.mark}{percent(float(result.shares[:shown].sum()), 0)}"
    size = kernel.feature_dimension(result.dataset.d)
    many = ("No", "One", "Two", "Three")[shown]
    if kernel.why_no_map:
        return f"{many} directions, {share} of the variance. {kernel.why_no_map}"
    if isinf(size):
        return f"{many} of infinitely many directions, {share} of the variance."
    if size <= shown:
        return f"All {shown} directions, {share} of the variance."
    return f"{many} of {counted(size)} directions, {share} of the variance."


def _called(kernel: Kernel) -> str:
    title = kernel.family.short or kernel.family.title
    return title if title.isupper() else title.lower()
