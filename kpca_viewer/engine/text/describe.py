"""Rows, components, shares and verdicts in words."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any, Literal

from kpca_viewer.core.kernels.family import KernelFamily
from kpca_viewer.core.methods.quality import Quality
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult, NewAccuracy
from kpca_viewer.engine.rows.row_set import left_out_words
from kpca_viewer.engine.settings import SessionSettings, ViewSettings, source_title
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import forgotten
from kpca_viewer.support.numerals import data_value, percent, readable, ungrouped

NOTHING_DRAWN = "Nothing drawn yet"
"""What stands where rows are counted, while there are none."""


def and_words(parts: Sequence[str]) -> str:
    """Return "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def component_words(components: Sequence[int]) -> str:
    """Return "PC 1", or "PC 1 and PC 2" for a picture."""
    return and_words([f"PC {component + 1}" for component in components])


def components_text(axes: Sequence[int]) -> str:
    """Return components, counted from 0, as a person calls them.

    Examples
    --------
    >>> components_text((0, 1, 2)), components_text((3, 0)), components_text((4,))
    ('PC 1–3', 'PC 1, 4', 'PC 5')
    """
    numbers = sorted({axis + 1 for axis in axes})
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and last - first == len(numbers) - 1:
        return f"PC {first}–{last}"
    return f"PC {', '.join(map(str, numbers))}"


MOST_VALUES = 6
MOST_DESCRIBED = 4
"""Lines of a hover label for features, and for other columns."""


def row_name(result: AnalysisResult, row: int) -> str:
    return row_name_of(result.dataset, row)


def row_name_of(dataset: Dataset | None, row: int) -> str:
    """Return the name of a row of a data set, or its number."""
    if dataset is None:
        return f"row {row + 1}"
    if dataset.row_names is None:
        return f"row {dataset.row_number(row)}"
    return dataset.row_names[row]


def row_class(result: AnalysisResult, row: int) -> str:
    dataset = result.dataset
    if dataset.labels is None or dataset.labels[row] < 0:
        return ""
    return dataset.label_names[dataset.labels[row]]


def describe_row(
    result: AnalysisResult,
    row: int,
    names: Mapping[int, str] | None = None,
    view: ViewSettings | None = None,
    *,
    pictured: bool = False,
) -> str:
    """Return name, class, values and scores of a row, a line each; plain text.

    ``names``: what the person calls rows; it comes first; ``view``: what colour, shape
    and label mean is said before other columns; ``pictured``: whether a picture beside
    it tells the values.
    """
    dataset, given = result.dataset, (names or {}).get(row, "")
    name = row_name(result, row) if row < dataset.n else ""
    if row >= dataset.n and result.new_rows is not None:
        name = f"new {row_name_of(result.new_rows, row - dataset.n)}"
        result = result.all_rows
        dataset = result.dataset
    words = (given, name, row_class(result, row))
    head = " · ".join(filter(None, words))
    lines = [head, *_described(dataset, row, view)]
    if dataset.kind == "points" and not pictured:
        for j in range(min(dataset.d, MOST_VALUES)):
            value = data_value(float(dataset.points[row, j]))
            lines.append(f"{dataset.feature_names[j]} = {value}")
        if dataset.d > MOST_VALUES:
            lines.append(f"… {dataset.d - MOST_VALUES} more in the table")
    if row < len(result.scores):
        axes = (view or result.settings.view).shown_axes
        lines.append(scores_text(result.scores[row], axes))
    lines += result.row_texts(row)
    return "\n".join(filter(None, lines))


def scores_text(scores: Any, axes: Sequence[int]) -> str:
    """Return where a row with scores (k,) lies along the components that are there.

    Examples
    --------
    >>> scores_text([0.25, -1.5], (0, 1, 2))
    'kernel PC 1 = 0.25 · PC 2 = −1.5'
    """
    there = [axis for axis in axes if axis < len(scores)]
    told = [f"PC {j + 1} = {ungrouped(float(scores[j]))}" for j in there]
    # Linear PCA has a first component too.
    return f"kernel {' · '.join(told)}" if told else ""


def _described(dataset: Dataset, row: int, view: ViewSettings | None) -> list[str]:
    """Return what the columns that are no features say of a row, a line each."""
    keys = () if view is None else (view.color_by, view.shape_by, view.label_by)
    shown = [key.removeprefix("column:") for key in keys]
    lines: list[str] = []
    for name in dict.fromkeys((*shown, *dataset.columns)):
        column = dataset.columns.get(name)
        if column is None:
            continue
        if column.words is not None:
            text = " ".join(column.text(row).split())
        else:
            value = float(column.values[row])
            text = "" if isnan(value) else data_value(value, 6)
        if text and len(lines) < MOST_DESCRIBED:
            lines.append(f"{name}: {text}")
    return lines


def axis_title(result: AnalysisResult, component: int) -> str:
    """Return "PC 1 (41.2 %)", or "(≈ 41.2 %)" where the total is an estimate."""
    if component < 0:
        return "–"
    share = percent(result.shares[component])
    return f"PC {component + 1} ({result.mass.mark}{share})"


def quality_line(share: float, quality: Quality | None, mark: str = "") -> str:
    """Return the share, and without classes the score, of a picture in one line."""
    line = f"{mark}{percent(share)} explained"
    if _trust(quality) is None:
        return line
    return f"{line} · trustworthiness {_trust(quality):.2f}"


def _trust(quality: Quality | None) -> float | None:
    if quality is None or quality.linear_accuracy is not None:
        return None
    return quality.trustworthiness


def new_rows_words(accuracy: NewAccuracy, picture: Literal["kernel", "linear"]) -> str:
    """Return "accuracy on 50 new rows 94 %" for one of the two pictures."""
    share = accuracy.kernel if picture == "kernel" else accuracy.linear
    rows = "1 new row" if accuracy.rows == 1 else f"{accuracy.rows:,} new rows"
    largest = percent(accuracy.chance, 0)
    return f"accuracy on {rows} {percent(share or 0.0, 0)}, largest class {largest}"


def quality_tip(quality: Quality | None) -> str:
    """Return what the numbers in `quality_line` are."""
    if quality is None or _trust(quality) is None:
        return tip("share")
    return f"{tip('share', 'trustworthiness')} Measured on {quality.rows:,} rows."


def verdict_tip(result: AnalysisResult) -> str:
    """Return what the numbers of a verdict are."""
    comparison = result.comparison
    quality = None if comparison is None else comparison.kernel
    if quality is None or quality.predictions is None:
        return quality_tip(quality)
    text = f"{tip('balanced_accuracy')} Measured on {quality.labelled:,} rows."
    return f"{text} {BY_THE_SAME}" if has_values_by_classes(result) else text


BY_THE_SAME = (
    "The same classes were looked at for the values of the kernel, which is in favour "
    "of kernel PCA."
)


def has_values_by_classes(result: AnalysisResult) -> bool:
    """Return whether any value of the kernel is one that classes have suggested."""
    known = {} if result.kernel is None else result.kernel.values
    kept, suggestion = result.settings.kernel.kept, result.suggestion
    return "held-out classes" in suggestion.grounds and any(
        name in kept or known.get(name) == value
        for name, value in suggestion.values.items()
    )


def about_pitfalls(result: AnalysisResult) -> str:
    """Say what follows from the steps that were forgotten; nothing if none was."""
    return " ".join(filter(None, (about_mean(result), *result.pitfalls)))


def about_mean(result: AnalysisResult) -> str:
    """Say what follows where centring was switched off; nothing where it is on."""
    if centred(result.dataset, result.settings):
        return ""
    return "Not centred." if result.mean is None else result.mean.sentence


def status_line(result: AnalysisResult | None) -> str:
    """Return rows × columns, kernel, solver and time."""
    if result is None:
        return NOTHING_DRAWN
    dataset, found = result.dataset, result.decomposition
    parts = [f"{dataset.n:,} × {dataset.d:,}"]
    if result.full_fit is not None:
        parts = [f"{result.full_fit.words} × {dataset.d:,}"]
    elif dataset.sampled_from is not None:
        parts.append(f"drawn at random from {dataset.sampled_from:,} rows")
    if dataset.excluded:
        parts.append(left_out_words(dataset.excluded))
    parts.append(kernel_words(result))
    parts += forgotten(result)
    parts.append(f"{_solver_words(found.solver, found.rank)} {found.place}".rstrip())
    parts.append(duration(result.seconds))
    return "  ·  ".join(parts)


def kernel_words(
    result: AnalysisResult,
    title: Callable[[KernelFamily], str] = lambda family: family.title,
) -> str:
    """Return the kernel with its values: "RBF γ = 2"."""
    if result.kernel is None:
        given = result.dataset.kind == "kernel"
        return "given kernel" if given else "given distances"
    kernel = result.kernel
    symbols = {p.name: p.symbol for p in kernel.family.parameters}
    values = " ".join(
        f"{symbols[name]} = {readable(value)}" for name, value in kernel.values.items()
    )
    return f"{title(kernel.family)} {values}".strip()


def duration(seconds: float) -> str:
    """Return "24 ms", from two seconds on "15.7 s"."""
    return f"{1000 * seconds:,.0f} ms" if seconds < 2 else f"{seconds:,.1f} s"


def _solver_words(solver: str, rank: int) -> str:
    return {
        "lowrank": f"low rank {rank:,}",
        "krylov": "block Krylov",
        "dense": "dense",
        "arpack": "Lanczos",
        "randomized": "randomized",
    }[solver]


def stale_words(
    result: AnalysisResult | None, settings: SessionSettings, why: str
) -> str:
    """Return whose picture is still shown; ``why`` has {} for the name of new data."""
    if result is None or result.settings.data.source == settings.data.source:
        return ""
    wanted = source_title(settings.data.source)
    return f"Still {result.dataset.name}; {why.format(wanted)}"


def no_value_words(result: AnalysisResult) -> str:
    """Say where the kernel has no value for a new point, as part of a sentence."""
    assert result.kernel is not None
    if not result.kernel.family.normalise:
        return "a column has no logarithm there"
    scaled = "" if result.scaler.how == "none" else "scaled "
    title = result.kernel.family.title.lower()
    return f"the {title} kernel has no value where all {scaled}features are 0"
