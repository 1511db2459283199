"""What the window of a choice is at, and the sentence for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kpca_viewer.core.methods.kernel_ranking import Choice, Evidence
from kpca_viewer.engine.choice_note import DIGITS
from kpca_viewer.engine.claims.choice import score_text, verdict
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.features.kernel_search.curves import ScoreCurve
from kpca_viewer.support.numerals import counted, percent, readable

Stage = Literal["empty", "working", "cancelled", "failed", "done"]

SCORE_TITLES: dict[Evidence, str] = {
    "classes": "held-out balanced accuracy",
    "target": "held-out R²",
    "structure": "structure",
}
SHORT_TITLES: dict[Evidence, str] = {
    "classes": "held out",
    "target": "R² held out",
    "structure": "structure",
}

EMPTY = (
    "Nothing was compared yet. Choose tries all kernels, with many values and numbers "
    "of components, on the data that are shown."
)
STABLE = "stable"
"""Above the values between which the picture persists."""

AGAIN = "Choose again to compare kernels on what is shown."
WORKING = "Comparing kernels; the order below may still change."


NO_CLASS = "No row has a class."
OWN_CLASSES = (
    "Every row has a class of its own, so that none can be held out; rows are compared "
    "without classes."
)
ONE_CLASS = (
    "There is one class only, so that none can be told apart; rows are compared "
    "without classes."
)
NO_TARGET = "No row has a finite target; give numbers."
WORDS_AS_TARGET = "The target holds words; give numbers, or the words as classes."
CLASSES_AND_TARGET = "Give classes or a target, not both."
GIVEN_MATRIX = (
    "A given matrix has neither columns that could be scaled or permuted nor a kernel "
    "to choose; what is left is the number of components, which a sweep compares."
)
NO_NUMBERS = "The points hold more than numbers; give a table."
NOT_FINITE = "The points contain NaN or infinite values; fill or drop them first."
EQUAL_ROWS = "All rows are equal: there is nothing to choose a kernel for."
BUTTONS = {
    "start": ("Choose", "Compare all kernels on the data that are shown"),
    "cancel": ("Cancel", "Stop; what is known stays"),
    "take": (
        "Take this row",
        "Set kernel, value, components and axes, as one step that can be undone",
    ),
}
"""Text and tooltip."""
CHOOSE_AGAIN = "Choose again"
THE_CHOICE, IN_USE = "the choice", "in use"
COLUMN_TIPS = (
    "The first two components",
    "The simplest setting of each kernel that is as good as its peak, within one "
    "standard error",
    "Components that the score is of: no fewer are as good",
    "How rows are compared, with one standard error",
    "Values between which halves of the rows give the same picture",
    "Components beyond those of independent columns",
    "Time of one fit",
)
"""Of picture, kernel, components, score, stability, real components and cost."""
HINT = (
    "A click or an arrow key shows a row in the embedding, Enter or a double click "
    "takes it, Esc gives the picture back."
)
NO_CURVE = (
    "There is no curve: this kernel has no value to vary, and one component only has a "
    "score."
)


# Data that are compared


def single_rows(names: Sequence[str]) -> str:
    """Return which classes have one row."""
    listed = ", ".join(f"“{name}”" for name in names[:3])
    if len(names) == 1:
        return f"Class {listed} has one row, which cannot be held out and learnt from."
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"Classes {listed}{more} have one row each and are left out."


def small_class(name: str, rows: int, folds: int) -> str:
    return f"Class “{name}” has {rows} rows: {rows} folds in the place of {folds}."


def few_folds(rows: int, most: int, folds: int) -> str:
    return f"{rows} rows make {most} folds in the place of {folds}."


def many_classes(classes: int, rows: int) -> str:
    return (
        f"There are {counted(classes)} classes, too many to be told apart by "
        f"{counted(rows)} rows; give a coarser column."
    )


def sampled_rows(taken: int, count: int) -> list[str]:
    """Return that scores are of a sample; nothing where they are of all rows."""
    if taken == count:
        return []
    return [
        f"Scores are of {counted(taken)} rows, drawn at random from {counted(count)}."
    ]


def constant_columns(count: int) -> list[str]:
    """Return that columns are the same in all rows; nothing without any."""
    if count < 2:
        return ["One column is constant and tells nothing."] * count
    return [f"{counted(count)} columns are constant and tell nothing."]


def large_target(largest: float) -> str:
    return f"The target is too large, beyond {largest:.0e}; divide it."


def large_values(largest: float) -> str:
    return (
        f"The values are too large, beyond {largest:.0e}: their squares overflow; "
        "divide them by a power of ten."
    )


def no_table(shape: tuple[int, ...]) -> str:
    return (
        f"The points have the shape {shape}; a table with one row per point is needed."
    )


def few_rows(rows: int, fewest: int) -> str:
    return f"{rows} rows are too few to compare kernels by; give {fewest} or more."


def no_count(name: str, value: object, least: int) -> str:
    return f"{name} is {value!r:.40}; it must be a whole number, {least} or more."


def other_length(rows: int, values: int) -> str:
    return (
        f"There are {counted(rows)} rows, but {counted(values)} classes or targets; "
        "give one for every row."
    )


# The window


def column_titles(score: str) -> list[str]:
    return ["", "kernel", "k", score, "stable for", "real", "cost"]


@dataclass(frozen=True, eq=False)
class ChoiceState:
    """A search over kernels, as far as it is."""

    stage: Stage = "empty"
    choice: Choice | None = None
    trouble: str = ""
    """Why it failed."""
    outdated: str = ""
    """Why what is known is not about what is shown; empty where it is."""

    @property
    def words(self) -> str:
        """One or two sentences that say what is to be seen."""
        if self.outdated:
            # What was to be taken for other data is not repeated.
            return f"{self.outdated} {AGAIN}"
        if self.stage == "failed":
            return self.trouble
        if self.choice is None:
            return {"working": "Comparing kernels.", "cancelled": "Cancelled."}.get(
                self.stage, EMPTY
            )
        if self.stage == "working":
            return WORKING
        if self.stage == "cancelled":
            return (
                f"Cancelled: what {counted(len(self.choice.rows))} kernels had scored "
                "until then is below, and the order is not final."
            )
        return verdict(self.choice).text


def basis_words(choice: Choice) -> str:
    """Say by what rows are compared: "Held-out accuracy: 5 folds, 5 times, …"."""
    if choice.evidence == "structure":
        return (
            "Structure: the part of the variance beyond that of independent columns, "
            f"{counted(choice.n)} rows, seed {choice.seed}."
        )
    times = f", dealt {choice.repeats} times" if choice.repeats > 1 else ""
    text = SCORE_TITLES[choice.evidence]
    text = (
        f"{text[0].upper()}{text[1:]} ± one standard error: {choice.folds} folds{times}"
        f", {counted(choice.n)} rows, seed {choice.seed}."
    )
    if choice.chance is not None:
        text += f" Guessing scores {percent(choice.chance, 0)}."
    return text


def outdated_words(then: DataSettings, now: DataSettings) -> str:
    """Say what has changed since kernels were compared; empty if nothing has."""
    then, now = then.ungrouped(), now.ungrouped()
    if then == now:
        return ""
    if then.source != now.source:
        return "Out of date: other data are shown now."
    if then.scaling != now.scaling:
        return "Out of date: the scaling has changed since."
    return "Out of date: the data have changed since."


def curve_text(curve: ScoreCurve) -> str:
    """Return how many values a curve has, and what the one of its row has scored."""
    return f"{len(curve.x)} values; {score_at(curve, curve.nearest(curve.current))}"


def score_at(curve: ScoreCurve, place: int) -> str:
    """Return what a value has scored: "γ = 4.1: 98.3 ± 1.1 %, guessing 33 %"."""
    x = float(curve.x[place])
    at = f"{curve.title} = {readable(x, DIGITS)}"
    if curve.is_whole:
        at = f"{x:.0f} {curve.title}"
    score, error = float(curve.scores[place]), float(curve.errors[place])
    text = f"{at}: {score_text(score, error, curve.evidence)}"
    guessing = dict(curve.levels).get("guessing")
    return text if guessing is None else f"{text}, guessing {percent(guessing, 0)}"
