"""What the window of a choice is at, and the sentence for it."""

from dataclasses import dataclass
from typing import Literal

from kpca_viewer.core.methods.kernel_ranking import Choice, Evidence
from kpca_viewer.engine.choice_note import DIGITS
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.features.kernel_search.claims import score_text, verdict
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
            "Structure: the part of the variance that independent columns do not have, "
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
