"""Kernel PCA against linear PCA of the same rows: which picture is better, if either.

With classes, by linear discriminants on as many components of either picture: balanced
accuracy, since with rare classes a guess is right for most rows, and paired tests of
both accuracies, since both pictures are of the same rows. Without classes, by kept
neighbourhoods.
"""

from collections.abc import Sequence
from dataclasses import replace

from kpca_viewer.core.methods.predictions import Predictions, balanced_p, mcnemar
from kpca_viewer.core.methods.quality import (
    GUESSING_ERRORS,
    NOTHING,
)
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.comparison import Comparison
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.support.numerals import counted, percent, readable

LEVEL = 0.05
"""Of the test that tells the two pictures apart."""

APART = 0.8
"""Part of the way from guessing to always right from which classes are separated."""

MIXED = 0.5
"""Part of that way up to which they are not."""

ENOUGH = 0.95
"""Balanced accuracy from which linear PCA leaves little to gain."""

LEAST_RECALL = 0.8
"""Of a class, below which it is named."""

LEAST_GAIN = 0.02
"""A smaller difference is not worth a word, however many rows there are."""

FEWEST = 20
"""Rows below which neighbourhoods of ten are most of the data."""

LEAST_TRUST = 0.01
"""A smaller difference of trustworthinesses cannot be seen in two digits."""


def verdict_on(result: AnalysisResult, where: str = "") -> Claim | None:
    """Say the same of a result, alone for plain PCA; None if nothing was compared."""
    comparison, kernel = result.comparison, result.kernel
    if comparison is None:
        return None
    is_linear = kernel is not None and kernel.family.name == "linear"
    if is_linear and centred(result.dataset, result.settings):
        comparison = replace(comparison, linear=None)
    return verdict(comparison, result.dataset.label_names, where)


def verdict(
    comparison: Comparison, class_names: Sequence[str] = (), where: str = ""
) -> Claim | None:
    """Say which picture is better, and whether it matters; None where nothing can tell.

    ``comparison``: both on equally many components; ``class_names``: by label;
    ``where``: which components a line is on, where that has to be said: " on PC 1–2".
    """
    kernel, linear = comparison.kernel, comparison.linear
    if linear is None:
        return _alone(kernel.predictions, class_names, where)
    if kernel.predictions is not None and linear.predictions is not None:
        found = kernel.predictions, linear.predictions
        return _on_classes(*found, class_names, where)
    if comparison.only_turned:
        # Every neighbourhood is there whatever the data are.
        return Claim(
            "only turned",
            "With so few columns plain PCA only turns the data: that it keeps all "
            "neighbourhoods proves nothing.",
        )
    return _on_neighbourhoods(comparison)


def is_beyond_guessing(found: Predictions) -> bool:
    """Return whether a balanced accuracy is above guessing, by more than a little."""
    gain = found.balanced_accuracy - found.balanced_guessing
    return found.deviations >= GUESSING_ERRORS and gain >= LEAST_GAIN


def _on_classes(
    ours: Predictions, theirs: Predictions, class_names: Sequence[str], where: str
) -> Claim:
    best = max(ours, theirs, key=_way)
    both = _numbers(ours, theirs)
    if _way(best) < NOTHING:
        return Claim(
            "neither", f"Neither separates the classes well by a line{where}: {both}."
        )
    if not is_beyond_guessing(best):
        return Claim(
            "too few",
            f"{len(ours.true):,} rows are too few to tell either from luck: {both}.",
        )
    whose = "the kernel" if best is ours else "plain PCA"
    weak = _weak_class(best, whose, class_names)
    gain = ours.balanced_accuracy - theirs.balanced_accuracy
    more = float(ours.right.sum() - theirs.right.sum())
    apart = max(mcnemar(ours.right, theirs.right), balanced_p(ours, theirs))
    is_clear = apart < LEVEL and abs(gain) >= LEAST_GAIN
    if is_clear and gain > 0 and more > 0:
        if _way(theirs) < MIXED <= APART <= _way(ours):
            text = f"By a line{where}, the kernel separates what plain PCA cannot"
        else:
            text = f"By a line{where}, the kernel separates better than plain PCA"
            text += "" if _way(ours) >= APART else ", but not well"
        return Claim("kernel better", f"{text}: {both}.{weak}")
    if is_clear and gain < 0 and more < 0 and not _is_enough(theirs):
        return Claim(
            "linear better",
            f"By a line{where}, plain PCA separates better: {both}.{weak}",
        )
    if is_clear and gain * more < 0:
        names = ("the kernel", "plain PCA")
        small, large = names if gain > 0 else names[::-1]
        return Claim(
            "mixed",
            f"By a line{where}, small classes are found better by {small}, large ones "
            f"by {large}: {both}.{weak}",
        )
    if _is_enough(theirs):
        return Claim(
            "linear enough",
            f"Plain PCA is enough: a line there{where} separates the classes ({both}).",
        )
    text = f"By a line{where}, neither is clearly better: {both}.{weak}"
    return Claim("alike", text)


def _alone(
    found: Predictions | None, class_names: Sequence[str], where: str
) -> Claim | None:
    """Say how well one picture separates classes, where there is no other."""
    if found is None:
        return None
    numbers = (
        f"{percent(found.balanced_accuracy, 0)} balanced accuracy, guessing "
        f"{percent(found.balanced_guessing, 0)}"
    )
    if _way(found) < NOTHING:
        text = f"A line{where} does not separate the classes: {numbers}."
        return Claim("neither", text)
    if not is_beyond_guessing(found):
        few = f"{len(found.true):,} rows are too few to tell it from luck"
        return Claim("too few", f"{few}: {numbers}.")
    how = "" if _way(found) >= APART else ", but not well"
    weak = _weak_class(found, "the line", class_names)
    text = f"A line{where} separates the classes{how}: {numbers}.{weak}"
    return Claim("alone", text)


def _is_enough(found: Predictions) -> bool:
    """Return whether hardly a row of any class is given to another one."""
    is_high = found.balanced_accuracy >= ENOUGH
    return is_high and float(found.recalls.min()) >= LEAST_RECALL


def _numbers(ours: Predictions, theirs: Predictions) -> str:
    """Return "kernel 75 %, plain PCA 50 % balanced accuracy, guessing 50 %"."""
    first, second = (percent(p.balanced_accuracy, 0) for p in (ours, theirs))
    # Of classes of one size it is the accuracy itself.
    guessing = percent(ours.balanced_guessing, 0)
    return f"kernel {first}, plain PCA {second} balanced accuracy, guessing {guessing}"


def _weak_class(found: Predictions, whose: str, class_names: Sequence[str]) -> str:
    """Name the class of which most rows are missed, and how many rows of others it has.

    Nothing where all classes are found well, or none is.
    """
    worst = int(found.recalls.argmin())
    recall = float(found.recalls[worst])
    name = _name_of(found, worst, class_names)
    if recall >= LEAST_RECALL or not name or _way(found) < MIXED / 2:
        return ""
    others = round(float(found.false_alarms[worst]))
    rows = "1 row" if others == 1 else f"{counted(others)} rows"
    return (
        f" Of {name} {whose} finds {percent(recall, 0)}, and takes "
        f"{rows} of other classes for it."
    )


def _name_of(found: Predictions, place: int, class_names: Sequence[str]) -> str:
    """Return the quoted name of a class; empty where it has none."""
    label = place if found.labels is None else int(found.labels[place])
    return f"“{class_names[label]}”" if label < len(class_names) else ""


def _way(found: Predictions) -> float:
    """How far predictions have come from guessing (0) to always right (1)."""
    gain = found.balanced_accuracy - found.balanced_guessing
    return gain / (1 - found.balanced_guessing)


def _on_neighbourhoods(comparison: Comparison) -> Claim | None:
    kernel, linear, band = comparison.kernel, comparison.linear, comparison.trust_band
    if band is None or linear is None or kernel.rows < FEWEST:
        return None
    ours, theirs = kernel.trustworthiness or 0.0, linear.trustworthiness or 0.0
    numbers = f"trustworthiness {ours:.2f} of the kernel, {theirs:.2f} of plain PCA"
    band = max(band, LEAST_TRUST)
    if ours - theirs > band:
        text = f"The kernel keeps neighbourhoods better than plain PCA: {numbers}."
        return Claim("kernel neighbourhoods", text)
    if theirs - ours > band:
        return Claim(
            "linear neighbourhoods",
            f"Plain PCA keeps neighbourhoods better: {numbers}.",
        )
    return Claim(
        "neighbourhoods alike",
        f"Neighbourhoods do not tell kernel and plain PCA apart: {numbers}, ± "
        f"{readable(band, 1)}.",
    )
