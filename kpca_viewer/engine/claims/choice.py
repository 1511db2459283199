"""Which kernel to take, how it stands to others, and where there is nothing to choose.

Accuracies are balanced: the mean of the shares of every class that are found.
"""

from math import sqrt
from typing import Any

from kpca_viewer.core.methods.kernel_ranking import Choice, Evidence, Row, Tried
from kpca_viewer.core.methods.quality import GUESSING_ERRORS
from kpca_viewer.engine.choice_note import DIGITS, kernel_words
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings
from kpca_viewer.engine.sweep.parameters import symbol_of, value_text
from kpca_viewer.engine.sweep.settings import SweepAxis
from kpca_viewer.support.numerals import fixed, percent, readable, spelled

LEVEL = 0.05
"""Part of the tables of independent columns that may have as much structure."""

_UNSEEN = "what is chosen without the rows that it predicts"

_PREDICTED = {"classes": "held-out classes", "target": "the held-out target"}


def score_text(score: float, error: float, evidence: Evidence) -> str:
    """Return a score with its error in its unit: "98.3 ± 1.1 %"."""
    if evidence == "target":
        return f"{fixed(score, 3)} ± {fixed(error, 3)}"
    return f"{_short(100 * score)} ± {_short(100 * error)} %"


def score_words(row: Row, choice: Choice) -> str:
    """Return the score of a row with its error, its name, and what guessing has."""
    text = score_text(row.score, row.error, choice.evidence)
    if choice.evidence == "target":
        return f"R² {text} held out"
    if choice.evidence == "classes":
        return f"{text} balanced accuracy held out{guessing_words(choice, ', ')}"
    return f"{text} of the variance beyond independent columns"


def guessing_words(choice: Choice, before: str = "") -> str:
    """Return what accuracies are held against: "guessing 33 %"; empty if nothing."""
    chance = choice.chance
    return "" if chance is None else f"{before}guessing {percent(chance, 0)}"


def stable_text(row: Row) -> str:
    """Return between which values the picture persists: "γ 1.6 … 9"; empty if none."""
    if row.stable is None or row.stable[0] >= row.stable[1]:
        return ""
    low, high = (readable(end, DIGITS) for end in row.stable)
    return f"{row.line.symbol} {low} … {high}"


def reason(row: Row, choice: Choice) -> str:
    """Say in one sentence what a row is taken, or left, for."""
    text = (
        f"{kernel_words(row)}: {score_words(row, choice)}, with "
        f"{spelled(row.components, 'component')}"
    )
    if window := stable_text(row):
        text += f", stable for {window}"
    text += _real_words(row, choice)
    if not row.refined and row.line.scanned is not None and choice.is_complete:
        text += "; clearly worse than others, and tried on few values"
    return text + _peak_words(row, choice)


def _real_words(row: Row, choice: Choice) -> str:
    """Return how many components are real, and why it may be another number."""
    if row.real is None:
        return ""
    if not row.real:
        return (
            "; none of its eigenvalues is larger than independent columns have, which "
            "says nothing of groups or rings in the picture"
        )
    text = f"; {spelled(row.real, 'component')} {_verb(row.real)} real"
    if row.real == row.components:
        return text
    if not is_beyond_guessing(choice):
        return text
    if choice.evidence == "structure":
        return f"{text}, and fewer have as much within one standard error"
    few = (
        "fewer predict" if row.components < row.real else "smaller ones help to predict"
    )
    return f"{text}, {few} {_PREDICTED[choice.evidence]}"


def verdict(choice: Choice) -> Claim:
    """Say what to take and how good it is, or that there is nothing to choose."""
    if nothing := _nothing(choice):
        return Claim("nothing to choose", nothing)
    row = choice.chosen
    what = "linear PCA" if row.line.is_linear else kernel_words(row)
    text = f"Use {what} with {spelled(row.components, 'component')}"
    return Claim("use", f"{text}: {_standing(choice)}.{_corrected_words(choice)}")


def so_far(choice: Choice) -> str:
    """Return what comes first while settings are still being tried."""
    row = choice.chosen
    score = score_text(row.score, row.error, choice.evidence)
    return f"so far {kernel_words(row)}: {score}"


def advice(choice: Choice) -> tuple[str, str]:
    """Return the verdict in two parts: what to take with its score, and why."""
    said = verdict(choice)
    what, _, why = said.text.partition(": ")
    if said.key == "use":
        row = choice.chosen
        what += f": {score_text(row.score, row.error, choice.evidence)}"
    return f"{what}.", f"{why[:1].upper()}{why[1:]}"


def is_recommended(place: int, choice: Choice) -> bool:
    return place == 0 and choice.is_complete and not _nothing(choice)


def _peak_words(row: Row, choice: Choice) -> str:
    """Say of the row whose kernel has the highest score that it has, and where."""
    if row is not choice.rows[choice.best] or choice.highest is None:
        return ""
    value, highest, error = choice.highest
    if row.score >= highest:
        return "; no other setting scores higher"
    score = score_text(highest, error, choice.evidence)
    return f"; the highest score of all, {score}, is its own {_where(row, value)}"


def _standing(choice: Choice) -> str:
    """Say how the first row stands to the highest score of all."""
    row, best = choice.chosen, choice.rows[choice.best]
    near = "it is within one standard error of"
    if choice.highest is None:
        if best is row:
            return "no other row scores higher"
        return f"{near} {kernel_words(best)}"
    value, highest, error = choice.highest
    if row.score >= highest:
        return "no other setting scores higher"
    score = score_text(highest, error, choice.evidence)
    if best is row:
        return f"{near} the highest score, its own {score} {_where(row, value)}"
    whose = kernel_words(Tried(best.line, value))
    return f"{near} the highest score, {score} of {whose}"


def _where(row: Row, value: float | None) -> str:
    if value == row.value:
        return "with more components"
    return f"at {row.line.symbol} = {readable(value or 0.0, DIGITS)}"


def _corrected_words(choice: Choice) -> str:
    if choice.evidence == "structure":
        return ""
    if choice.corrected is None:
        return " The scores are those that it was chosen by."
    told = corrected_text(choice)
    return f" {_UNSEEN[0].upper()}{_UNSEEN[1:]} has {told}."


def corrected_text(choice: Choice) -> str:
    """Return the score without what the choice adds: "95.1 %, guessing 33 %"."""
    score = choice.corrected
    assert score is not None
    if choice.evidence == "target":
        return f"R² {fixed(score, 3)}"
    return f"{_short(100 * score)} % balanced accuracy{guessing_words(choice, ', ')}"


def _nothing(choice: Choice) -> str:
    """Say why there is nothing to choose; empty where there is something."""
    if choice.evidence == "structure":
        return _no_structure(choice)
    if is_beyond_guessing(choice):
        return ""
    if choice.corrected is None:
        told = "the highest score is "
        _, score, error = _highest(choice)
        told += score_text(score, error, choice.evidence)
        told += guessing_words(choice, ", ")
    else:
        told = f"{_UNSEEN} has {corrected_text(choice)}"
    least = _least_score(choice)
    if choice.evidence == "classes":
        needed = f"guessing would be {_short(100 * least)} %"
    else:
        needed = f"the mean of the target would be {fixed(least, 3)}"
    return f"Nothing to choose: {told}; clearly better than {needed}."


def _no_structure(choice: Choice) -> str:
    best = choice.rows[choice.best]
    if best.score <= 0:
        why = "under no kernel is an eigenvalue larger than independent columns have"
    elif choice.luck is not None and choice.luck > LEVEL:
        why = (
            "independent columns stand out as much under one of these kernels in "
            f"{percent(choice.luck, 0)} of tables"
        )
    else:
        return ""
    return (
        f"Nothing to choose by: {why}. That is about single components; “Is it real?” "
        "looks for groups in the picture."
    )


def is_beyond_guessing(choice: Choice) -> bool:
    """Return whether held-out rows are predicted better than by a guess.

    By the score that choosing has for rows that it has not seen, where that is known,
    and by errors no smaller than those of a guess.
    """
    score = choice.corrected
    if score is None:
        _, score, _ = _highest(choice)
    return score > _least_score(choice)


def _least_score(choice: Choice) -> float:
    """Return the score above which rows are predicted better than by a guess."""
    chance, (_, _, error) = choice.chance or 0.0, _highest(choice)
    spread = 1.0 if choice.evidence == "target" else chance * (1 - chance)
    least = sqrt(spread / choice.n) if choice.n else 0.0
    return chance + GUESSING_ERRORS * max(error, least)


def _highest(choice: Choice) -> tuple[float | None, float, float]:
    row = choice.chosen
    return choice.highest or (None, row.score, row.error)


def tried_words(notes: Notes, data: DataSettings) -> tuple[str, ...]:
    """Say what a session knows to have been tried on some data, without a search there.

    A search on these data is told with its numbers; of sweeps, the last one is known.
    """
    told = []
    if notes.choice is not None and not notes.choice.is_of(data):
        told.append("a search over kernels on other data, or on another scale or rows.")
    sweep = notes.sweep
    if sweep is not None and sweep.base.data.ungrouped() == data.ungrouped():
        axes = " × ".join(_axis_words(axis) for axis in sweep.sweep.axes)
        told.append(f"a sweep over {axes}{', cancelled' if sweep.cancelled else ''}.")
    if notes.pins:
        pins = spelled(len(notes.pins), "pinned picture")
        told.append(f"{pins} to compare.")
    return tuple(told)


def _axis_words(axis: SweepAxis) -> str:
    values = [value_text(axis.parameter, value) for value in axis.values()]
    if axis.is_of_kernels:
        return f"the kernels {', '.join(values)}"
    name = symbol_of(axis.parameter)
    return f"{len(values)} values of {name}, {values[0]} … {values[-1]}"


def facts(choice: Choice) -> dict[str, Any]:
    """Return all numbers of a choice for a script; no time is among them."""
    claim = verdict(choice)
    return {
        "evidence": choice.evidence,
        "rows": choice.n,
        "chance": choice.chance,
        "corrected": choice.corrected,
        "luck": choice.luck,
        "claim": claim.key,
        "verdict": claim.text,
        "folds": choice.folds,
        "repeats": choice.repeats,
        "seed": choice.seed,
        "best": choice.best,
        "rules": dict(choice.rules),
        "notes": list(choice.notes),
        "ranked": [_facts_of(row, choice) for row in choice.rows],
    }


def _facts_of(row: Row, choice: Choice) -> dict[str, Any]:
    return {
        "kernel": row.line.family,
        "values": dict(row.kernel.values),
        "components": row.components,
        "score": row.score,
        "error": row.error,
        "real": row.real,
        "stability": row.stability,
        "stable": None if row.stable is None else list(row.stable),
        "refined": row.refined,
        "reason": reason(row, choice),
        "tried": [
            {
                "value": one.value,
                "scores": one.scores.tolist(),
                "errors": one.errors.tolist(),
                "refusal": one.refusal,
            }
            for one in row.tried
        ],
    }


def _short(percent: float) -> str:
    """Return percent with one decimal, and without one that is zero."""
    return fixed(percent, 1).removesuffix(".0")


def _verb(count: int) -> str:
    return "are" if count > 1 else "is"
