"""What the window of a choice is at, and the sentence for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from kpca_viewer.core.methods.kernel_ranking import Choice, Evidence
from kpca_viewer.engine.choice_note import DIGITS, kernel_words
from kpca_viewer.engine.claims.choice import advice, is_recommended, score_text
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.engine.text.describe import duration
from kpca_viewer.features.kernel_search.curves import ScoreCurve
from kpca_viewer.support.numerals import counted, percent, readable

Stage = Literal["empty", "working", "cancelled", "failed", "done"]

SCORE_TITLES: dict[Evidence, str] = {
    "classes": "held-out balanced accuracy",
    "target": "held-out R²",
    "structure": "structure",
}

EMPTY = "No kernels are compared yet."
WHAT_FOR = (
    "Choose tries all kernels, with many values and numbers of components, on the data "
    "that are shown; held-out rows or structure say which to take."
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
        "Take",
        "Set kernel, value, components and axes, as one step that can be undone",
    ),
}
"""Text and tooltip."""
CHOOSE_AGAIN = "Choose again"
THE_CHOICE, HIGHEST, IN_USE = "the choice", "highest", "in use"
ROW_TIP = (
    "Each row is the simplest setting of its kernel that is as good as its peak within "
    "one standard error, but the one marked highest, which is the peak itself. k: no "
    "fewer components are as good. real: components beyond those of independent "
    "columns. At the end the time of one fit."
)
HINT = "Click or ↑ ↓: look at it · Enter: take it · Esc: back"
CURVES = [
    ("value", "Value", "Scores over the value of the kernel"),
    ("components", "Components", "Scores over the number of components"),
]
"""Key, title and tooltip."""
UNKNOWN, AWAITED = "–", "…"


# Data that are compared


def single_rows(names: Sequence[str]) -> str:
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


def row_lines(place: int, choice: Choice, in_use: bool) -> list[tuple[str, str]]:
    """Return what is said of a row: a text at the left and one at the right, by line.

    The kernel; its score, and whether it is the one to take or the one that is set;
    its components and what one fit takes.
    """
    row = choice.rows[place]
    missing = UNKNOWN if choice.is_complete else AWAITED
    cost = UNKNOWN
    if row.seconds:
        cost = duration(row.seconds) if row.seconds >= 1e-3 else "< 1 ms"
    real = missing if row.real is None else str(row.real)
    remarks = [
        THE_CHOICE if is_recommended(place, choice) else "",
        HIGHEST if place == choice.best and place else "",
        IN_USE if in_use else "",
    ]
    return [
        ("Linear PCA" if row.line.is_linear else kernel_words(row), ""),
        (
            score_text(row.score, row.error, choice.evidence),
            " · ".join(filter(None, remarks)),
        ),
        (f"k = {row.components} · real {real}", cost),
    ]


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
        return advice(self.choice)[0]

    @property
    def why(self) -> str:
        """What speaks for the choice, or for comparing; empty where none is final."""
        if self.stage == "empty" and not self.outdated:
            return WHAT_FOR
        final = self.stage == "done" and not self.outdated
        return advice(self.choice)[1] if final and self.choice is not None else ""


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
    scalings = [(data.scaling, data.column_scaling) for data in (then, now)]
    if scalings[0] != scalings[1]:
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
