"""The kernel with its values in all conventions, and why they have these values."""

from collections.abc import Iterator

import numpy as np

from kpca_viewer.core.choice.results import Choice, Row
from kpca_viewer.core.kernels.conventions import conventions
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.export.report.blocks import Block, Facts, Paragraph, Section, Table
from kpca_viewer.export.report.gathering import Subject
from kpca_viewer.session.beginning import is_of_example
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.stages import centred
from kpca_viewer.session.words.verdict import suggestion_grounds
from kpca_viewer.support.numerals import counted, fixed, percent, readable

DIGITS = 6
"""Of a parameter: whoever types it in gets the same picture."""

SCORES = {
    "classes": "held-out accuracy",
    "target": "held-out R²",
    "structure": "variance beyond independent columns",
}
"""What a search compares settings by, by its evidence."""


NO_SEARCH = "No search over kernels and values is part of this report."


def kernel_section(subject: Subject) -> Section:
    """Return the section about the kernel."""
    return Section("Kernel", tuple(_blocks(subject)))


def _blocks(subject: Subject) -> Iterator[Block]:
    result = subject.result
    yield Facts(tuple(_facts(result)))
    if result.kernel is not None and result.kernel.values:
        yield _parameters(result, result.kernel)
        if others := conventions(result.kernel):
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
        return "none: the kernel is indefinite, eigenvalues can be negative"
    dimension = kernel.feature_dimension(d)
    if np.isfinite(dimension):
        return f"{counted(dimension)} dimensions"
    return "infinitely many dimensions"


def _parameters(result: AnalysisResult, kernel: Kernel) -> Table:
    own = dict(result.settings.kernel.values)
    of_example = is_of_example(result.settings)
    rows = []
    for parameter in kernel.family.parameters:
        name = parameter.name
        suggested = result.suggested.get(name)
        rows.append(
            (
                parameter.title,
                parameter.symbol,
                name,
                readable(kernel.values[name], DIGITS),
                "example" if of_example else _origin(name, own, suggested),
                "–" if suggested is None else readable(suggested, DIGITS),
            )
        )
    return Table(
        "Parameters",
        ("parameter", "symbol", "in Python", "value", "from", "suggestion"),
        tuple(rows),
        frozenset({0, 1, 2, 4}),
    )


def _origin(name: str, own: dict[str, float], suggested: float | None) -> str:
    if name in own:
        return "set by hand"
    return "usual value" if suggested is None else "suggested by the data"


# Why


def choice_blocks(subject: Subject) -> Iterator[Block]:
    """Say why the values are what they are: by a search, a suggestion, or a hand."""
    if subject.choice is not None and _is_of(subject.choice, subject.result):
        yield from _of_search(subject.choice)
        return
    if subject.result.kernel is None:
        yield Paragraph("The data are the kernel: nothing was chosen.")
    else:
        yield Paragraph(f"{origin_words(subject.result)} {NO_SEARCH}".strip())


def origin_words(result: AnalysisResult) -> str:
    """Say which values were set by hand and which follow the data; nothing of none."""
    kernel = result.kernel
    if kernel is None:
        return ""
    if is_of_example(result.settings):
        return "Kernel and values are those of the example."
    own = {name for name, _ in result.settings.kernel.values}
    followed = [n for n in kernel.values if n in result.suggested and n not in own]
    symbols = {p.name: p.symbol for p in kernel.family.parameters}
    parts = []
    if followed:
        told = _listed([symbols[name] for name in followed])
        verb = "follows" if len(followed) == 1 else "follow"
        grounds = suggestion_grounds(kernel.family.name)
        parts.append(f"{told} {verb} {grounds}.")
    by_hand = [name for name in kernel.values if name in own]
    if by_hand:
        told = _listed([symbols[name] for name in by_hand])
        verb = "was" if len(by_hand) == 1 else "were"
        parts.append(f"{told} {verb} set by hand.")
    return " ".join(parts)


def _listed(symbols: list[str]) -> str:
    *others, last = symbols
    return f"{', '.join(others)} and {last}" if others else last


def _is_of(choice: Choice, result: AnalysisResult) -> bool:
    """Return whether a search has tried the kernel that is used."""
    return any(row.kernel == result.kernel for row in choice.rows)


def _of_search(choice: Choice) -> Iterator[Block]:
    yield Paragraph(
        f"{counted(len(choice.rows))} kernels were compared by "
        f"{SCORES[choice.evidence]}{_folds(choice)} on {counted(choice.n)} rows, seed "
        f"{choice.seed}. Taken is the simplest within one standard error of the best: "
        "linear before curved, fewer components, smaller values."
    )
    yield Table(
        "Settings, the one to take first",
        ("kernel", "components", "score", "± error", "real", "stable"),
        tuple(_searched(row, choice) for row in choice.rows),
    )
    for note in choice.notes:
        yield Paragraph(note, is_small=True)


def _folds(choice: Choice) -> str:
    if not choice.folds:
        return ""
    return f" in {choice.folds} folds, {counted(choice.repeats)} times,"


def _searched(row: Row, choice: Choice) -> tuple[str, ...]:
    shares = choice.evidence != "target"
    value = "" if row.value is None else f" {row.line.symbol} = {readable(row.value)}"
    return (
        f"{row.kernel.family.title.partition(' (')[0]}{value}",
        counted(row.components),
        percent(row.score) if shares else fixed(row.score, 3),
        percent(row.error) if shares else fixed(row.error, 3),
        "–" if row.real is None else counted(row.real),
        "–" if row.stability is None else fixed(row.stability, 2),
    )
