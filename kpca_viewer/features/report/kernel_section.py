"""The kernel with its values in all conventions, and why they have these values."""

from collections.abc import Iterator
from math import isclose, nan

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.choice_note import kernel_words
from kpca_viewer.engine.claims.choice import (
    guessing_words,
    reason,
    score_text,
    stable_text,
    verdict,
)
from kpca_viewer.engine.initial_session import is_of_example
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.describe import and_words
from kpca_viewer.engine.text.remarks import suggestion_grounds
from kpca_viewer.export.document import Block, Facts, Paragraph, Section, Table
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.numerals import counted, readable

DIGITS = 6
"""Of a parameter: typed in, it gives the same picture."""

SCORES = {
    "classes": "held-out balanced accuracy",
    "target": "held-out R²",
    "structure": "variance beyond independent columns",
}
"""What a search compares settings by, by its evidence."""


NOTHING_KNOWN = (
    "Beside the suggestion of values, the session knows of no search, sweep or pinned "
    "picture; what else was tried is not known."
)


def kernel_section(subject: Subject) -> Section:
    return Section("Kernel", tuple(_blocks(subject)))


def _blocks(subject: Subject) -> Iterator[Block]:
    result = subject.result
    yield Facts(tuple(_facts(result)))
    if result.kernel is not None and result.kernel.values:
        yield _parameters(subject, result.kernel)
        if others := result.kernel.conventions():
            text = "; ".join(
                f"{each.symbol} = {readable(each.value, DIGITS)} where "
                f"{each.definition}"
                for each in others
            )
            yield Paragraph(f"The same width in other conventions: {text}.")
    yield from choice_blocks(subject)


def _facts(result: AnalysisResult) -> Iterator[tuple[str, str]]:
    kernel, dataset = result.kernel, result.dataset
    if kernel is None:
        how = "kernel values" if dataset.kind == "kernel" else "distances D, as −½D²"
        yield "Kernel", f"given by the data: {how}"
    else:
        yield "Kernel", kernel.family.title
        yield "Formula", kernel.plain_formula()
        yield "As LaTeX", kernel.formula()
        yield "Feature space", _feature_space(kernel, dataset.d)
    is_centred = centred(dataset, result.settings)
    yield (
        "Centring",
        (
            "the kernel matrix is centred: K̃ = HKH with H = I − 11ᵀ/n"
            if is_centred
            else "none: the kernel matrix is decomposed as it is"
        ),
    )


def _feature_space(kernel: Kernel, d: int) -> str:
    if not kernel.psd:
        return (
            "none: the kernel is not positive semi-definite for all rows, eigenvalues "
            "can be negative"
        )
    dimension = kernel.feature_dimension(d)
    if np.isfinite(dimension):
        return f"{counted(dimension)} dimensions"
    return "infinitely many dimensions"


def _parameters(subject: Subject, kernel: Kernel) -> Table:
    rows = []
    for parameter in kernel.family.parameters:
        name = parameter.name
        suggested = subject.result.suggested.get(name)
        rows.append(
            (
                parameter.title,
                parameter.symbol,
                name,
                readable(kernel.values[name], DIGITS),
                _origin(subject, name),
                "–" if suggested is None else readable(suggested, DIGITS),
            )
        )
    return Table(
        "Parameters",
        ("parameter", "symbol", "in Python", "value", "from", "suggestion"),
        tuple(rows),
        frozenset({0, 1, 2, 4}),
    )


KEPT = "kept from before rows were excluded or added"


def _origin(subject: Subject, name: str) -> str:
    result = subject.result
    if subject.is_taken:
        return "chosen by a search"
    if is_of_example(result.settings):
        return "example"
    if name in set_by_hand(result):
        return "set by hand"
    if name in kept_values(result):
        return KEPT
    return "suggested by the data" if name in result.suggested else "usual value"


def set_by_hand(result: AnalysisResult) -> list[str]:
    """Return the parameters that were set to something else than the suggestion."""
    kept = result.settings.kernel.kept
    return [name for name in _unlike_suggestion(result) if name not in kept]


def kept_values(result: AnalysisResult) -> list[str]:
    """Return those that other rows had suggested, and these would not."""
    kept = result.settings.kernel.kept
    return [name for name in _unlike_suggestion(result) if name in kept]


def _unlike_suggestion(result: AnalysisResult) -> list[str]:
    assert result.kernel is not None
    own = dict(result.settings.kernel.values)
    return [
        name
        for name, value in result.kernel.values.items()
        if name in own and not isclose(value, result.suggested.get(name, nan))
    ]


# Why


def choice_blocks(subject: Subject) -> Iterator[Block]:
    """Say why the values are what they are: by a search, a suggestion, or a hand."""
    row = subject.searched
    if row is not None and subject.choice is not None:
        yield from _of_search(subject, row, subject.choice)
    elif subject.result.kernel is None:
        yield Paragraph("The data are the kernel: nothing was chosen.")
        return
    else:
        yield Paragraph(f"{origin_words(subject)} {_other_search(subject)}".strip())
    if subject.tried:
        first, *others = subject.tried
        others = [words[0].upper() + words[1:] for words in others]
        yield Paragraph(f"Tried in this session: {' '.join([first, *others])}")
    elif subject.choice is None:
        yield Paragraph(NOTHING_KNOWN)


def _other_search(subject: Subject) -> str:
    """Say what a search has found that has not tried this kernel."""
    choice = subject.choice
    if choice is None:
        return ""
    return (
        f"{_search_words(choice)} {verdict(choice).text} The kernel of this report is "
        "not among its rows."
    )


def origin_words(subject: Subject) -> str:
    """Say where the values of the kernel come from; nothing where there are none."""
    result, row = subject.result, subject.searched
    kernel = result.kernel
    if kernel is None:
        return ""
    if row is not None and subject.choice is not None and subject.is_taken:
        return f"{_search_words(subject.choice)} {reason(row, subject.choice)}."
    if is_of_example(result.settings):
        return "Kernel and values are those of the example."
    by_hand, kept = set_by_hand(result), kept_values(result)
    symbols = {p.name: p.symbol for p in kernel.family.parameters}
    own = {*by_hand, *kept}
    followed = [n for n in kernel.values if n in result.suggested and n not in own]
    parts = []
    if followed:
        verb = "was" if len(followed) == 1 else "were"
        grounds = suggestion_grounds(result.suggestion)
        words = and_words([symbols[name] for name in followed])
        based = f", based on {grounds}" if grounds else ""
        parts.append(f"{words} {verb} suggested by the data{based}.")
    for names, how in ((by_hand, "set by hand"), (kept, KEPT)):
        if names:
            verb = "was" if len(names) == 1 else "were"
            words = and_words([symbols[name] for name in names])
            parts.append(f"{words} {verb} {how}.")
    return " ".join(parts)


def _search_words(choice: Choice) -> str:
    times = "" if choice.repeats == 1 else f", {counted(choice.repeats)} times"
    folds = f" in {choice.folds} folds{times}," if choice.folds else ""
    return (
        f"{counted(len(choice.rows))} kernels were compared by "
        f"{SCORES[choice.evidence]}{folds} on {counted(choice.n)} rows (seed "
        f"{choice.seed})."
    )


def _of_search(subject: Subject, row: Row, choice: Choice) -> Iterator[Block]:
    place = counted(choice.rows.index(row) + 1)
    if not subject.is_taken:
        yield Paragraph(f"{origin_words(subject)} It is place {place} of a search.")
    taken = f" Place {place} of the list was taken." if subject.is_taken else ""
    yield Paragraph(
        f"{_search_words(choice)} {verdict(choice).text}{taken} First is the simplest "
        "within one standard error of the best: linear before curved, fewer "
        "components, smaller values."
    )
    yield Table(
        "Kernels that were compared, the one to take first",
        ("kernel", "components", _score_title(choice), "real", "stable for"),
        tuple(_searched(each, choice) for each in choice.rows),
        frozenset({0, 4}),
    )
    for note in choice.notes:
        yield Paragraph(note, is_small=True)


def _score_title(choice: Choice) -> str:
    guessing = guessing_words(choice)
    score = SCORES[choice.evidence]
    return f"{score} ({guessing})" if guessing else score


def _searched(row: Row, choice: Choice) -> tuple[str, ...]:
    return (
        kernel_words(row),
        counted(row.components),
        score_text(row.score, row.error, choice.evidence),
        "–" if row.real is None else counted(row.real),
        stable_text(row) or "–",
    )
