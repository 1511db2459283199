"""What can be said of a lift: only what was measured."""

from dataclasses import dataclass
from math import isinf

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.quality import GUESSING_ERRORS, linear_accuracy, sample_rows
from kpca_viewer.session.lift.space import LiftedSpace
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.words.verdict import LEAST_GAIN
from kpca_viewer.support.numerals import counted, percent


@dataclass(frozen=True)
class Separation:
    """How well single components tell the classes apart."""

    accuracies: tuple[float, ...]
    """Held out, of PC 1, PC 2 and so on."""
    chance: float
    rows: int
    """That have a class, and were looked at."""

    @property
    def sentence(self) -> str:
        """Name the best one; nothing where none is better than guessing."""
        best = max(self.accuracies)
        error = (self.chance * (1 - self.chance) / self.rows) ** 0.5
        if best < self.chance + max(LEAST_GAIN, GUESSING_ERRORS * error):
            return ""
        number = self.accuracies.index(best) + 1
        return (
            f"PC {number} alone tells the classes apart best: {percent(best, 0)} held "
            f"out (guessing {percent(self.chance, 0)})."
        )


def separation(result: AnalysisResult, space: LiftedSpace) -> Separation | None:
    """Measure the components at full height; None without classes to tell apart."""
    labels = result.dataset.labels
    if labels is None:
        return None
    rows = sample_rows(result.dataset.n)
    rows = rows[labels[rows] >= 0]
    known = labels[rows]
    scores = space.components.scores(space.high[rows])
    found = [linear_accuracy(scores[:, [j]], known) for j in range(scores.shape[1])]
    accuracies = tuple(accuracy for accuracy in found if accuracy is not None)
    if not accuracies or len(accuracies) < len(found):
        return None
    largest = int(np.unique(known, return_counts=True)[1].max())
    return Separation(accuracies, largest / len(known), len(known))


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
