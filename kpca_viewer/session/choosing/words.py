"""What a choice says in sentences: every one of them from its numbers alone."""

from typing import Any

from kpca_viewer.core.choice.results import Choice, Evidence, Row, Tried
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.support.numerals import fixed, readable

DIGITS = 3
"""Of a value: as many as it was tried with."""

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def kernel_words(row: Row | Tried) -> str:
    """Return the kernel of a setting with its values: "RBF γ = 4.1"."""
    family = FAMILIES[row.line.family]
    known = dict(row.line.fixed)
    if row.line.scanned is not None and row.value is not None:
        known[row.line.scanned] = row.value
    values = ", ".join(
        f"{p.symbol} = {readable(known[p.name], DIGITS)}"
        for p in family.parameters
        if p.name in known
    )
    return f"{family.short or family.title} {values}".strip()


def score_text(score: float, error: float, evidence: Evidence) -> str:
    """Return a score with its error in its unit: "98.3 ± 1.1 %"."""
    if evidence == "target":
        return f"{fixed(score, 3)} ± {fixed(error, 3)}"
    return f"{_short(100 * score)} ± {_short(100 * error)} %"


def score_words(row: Row, choice: Choice) -> str:
    """Return the score of a row with its error, and what it is a score of."""
    text = score_text(row.score, row.error, choice.evidence)
    if choice.evidence == "target":
        return f"R² {text} held out"
    if choice.evidence == "classes":
        return f"{text} held out"
    return f"{text} of the variance beyond independent columns"


def stable_text(row: Row) -> str:
    """Return between which values the picture persists: "γ 1.6 … 9"; empty if none."""
    if row.stable is None or row.stable[0] >= row.stable[1]:
        return ""
    low, high = (readable(end, DIGITS) for end in row.stable)
    return f"{row.line.symbol} {low} … {high}"


def reason(row: Row, choice: Choice) -> str:
    """Say in one sentence what a row is taken, or left, for."""
    text = (
        f"{kernel_words(row)}: {score_words(row, choice)} with "
        f"{spelled(row.components, 'component')}"
    )
    if window := stable_text(row):
        text += f", stable for {window}"
    if row.real:
        text += f"; {spelled(row.real, 'component')} {_verb(row.real)} real"
    elif row.real is not None:
        # Held-out rows may well be told apart by what is not large.
        text += "; none of its eigenvalues is larger than independent columns have"
    if not row.refined and row.line.scanned is not None and choice.is_complete:
        text += "; clearly worse than others, and tried on few values"
    return text


def verdict(choice: Choice) -> str:
    """Say in one sentence what to take, and what it is as good as."""
    row, best = choice.chosen, choice.rows[choice.best]
    if choice.evidence == "structure" and best.score <= 0:
        return (
            "Nothing stands out: under no kernel is an eigenvalue larger than "
            "independent columns have, so that linear PCA is as good as any."
        )
    what = "linear PCA" if row.line.is_linear else kernel_words(row)
    text = f"Use {what} with {spelled(row.components, 'component')}"
    if best is row:
        return f"{text}: no other kernel scores higher."
    if choice.highest is None:
        return f"{text}: it is within one standard error of {kernel_words(best)}."
    value, highest, error = choice.highest
    score = score_text(highest, error, choice.evidence)
    return (
        f"{text}: it is within one standard error of the highest score, {score} of "
        f"{kernel_words(Tried(best.line, value))}."
    )


def facts(choice: Choice) -> dict[str, Any]:
    """Return all numbers of a choice for a script; no time is among them."""
    return {
        "evidence": choice.evidence,
        "rows": choice.n,
        "chance": choice.chance,
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


def spelled(count: int, what: str) -> str:
    """Return a small number as a word, with what it counts: "two components"."""
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    return f"{number} {what}{'s' if count > 1 else ''}"


def _verb(count: int) -> str:
    return "are" if count > 1 else "is"
