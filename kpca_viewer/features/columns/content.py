"""What the page Columns says: bars, their numbers and their words."""

import math
from dataclasses import replace

import numpy as np

from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Units
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.features.columns.column_plot import MOST_DRAWN, ColumnRows
from kpca_viewer.features.columns.compute import ColumnInfluence, RankedColumns
from kpca_viewer.features.columns.curve import mean_curve
from kpca_viewer.features.columns.groups import (
    ColumnContrast,
    GroupContrast,
    strength_words,
)
from kpca_viewer.features.columns.text import direction_words
from kpca_viewer.support.numerals import (
    counted,
    data_value,
    fixed,
    percent,
    small_percent,
    whole_percent,
)
from kpca_viewer.support.numerals import ungrouped as number
from kpca_viewer.widgets.plots.bar_layout import Bar, BarList
from kpca_viewer.widgets.plots.coloring import Coloring

CURVE_ROWS = 20_000
"""Rows of which the mean curve is made; of more, a sample is."""

UNITS: dict[Units, tuple[str, str]] = {
    "spread": ("per SD", "one standard deviation of the column"),
    "scaled": ("per scaled unit", "one unit of the column as the kernel sees it"),
    "original": ("per own unit", "one unit of the column as the data have it"),
}
"""What a column grows by: in the combo box, and in a sentence."""


def influence_bars(ranked: RankedColumns) -> BarList:
    """Return a line for every column, with noise beside it where that is known."""
    single = len(ranked.components) == 1
    longest = max((c.strength for c in ranked.columns), default=0.0)
    noise = max((c.noise or 0.0 for c in ranked.columns), default=0.0)
    return BarList(
        tuple(c.name for c in ranked.columns),
        lambda place: _influence_bar(ranked.columns[place], ranked, single),
        (0.0, max(longest, min(noise, 2 * longest)) or 1.0),
        ("share", *_correlation_titles(ranked)),
        ("constant", *("−0.00" for _ in ranked.components)),
        (f"influence {UNITS[ranked.units][0]}",),
    )


def _influence_bar(c: ColumnInfluence, ranked: RankedColumns, single: bool) -> Bar:
    numbers = ["constant" if c.constant else small_percent(c.share)]
    numbers += ["" if c.constant else fixed(r, 2) for r in c.correlations]
    lines = [c.name]
    if c.constant:
        lines.append("the same in all rows: nothing comes from it")
    else:
        error = "" if c.error is None else f" ± {number(c.error, 1)}"
        lines.append(
            f"influence {number(c.strength, 3)}{error}, {UNITS[ranked.units][0]}"
        )
        lines.append(f"{small_percent(c.share)} of all squared influence")
        for j, r in zip(ranked.components, c.correlations, strict=True):
            lines.append(f"correlation with PC {j + 1}: {fixed(r, 2)}")
        if single:
            lines.append(direction_words(c))
            lines.append(
                f"steadiness {fixed(c.steadiness, 2)} (1: the same everywhere)"
            )
        lines += _noise_words(c, ranked)
    return Bar(
        c.name,
        c.strength,
        tuple(numbers),
        None if c.constant else c.noise,
        None,
        False if c.constant else c.stands_out,
        "\n".join(lines),
    )


def _noise_words(c: ColumnInfluence, ranked: RankedColumns) -> list[str]:
    if c.noise is None:
        return ["not compared with noise"]
    sampled = ranked.null_rows < ranked.all_rows
    where = f" in {counted(ranked.null_rows)} of the rows" if sampled else ""
    if c.stands_out:
        return [
            f"{component_words(c.beyond)}: more than {c.draws} columns of noise",
            f"noise has an influence up to {number(c.noise, 3)}{where}",
        ]
    lines = [
        f"{c.above} of {c.draws} columns of noise have as much: up to "
        f"{number(c.noise, 3)}{where}"
    ]
    # All rows might: of fewer, components lean further towards noise.
    few = "so few rows do not tell it from noise"
    lines.append(few if sampled else f"one of {ranked.varying} may have it by chance")
    return lines


def _correlation_titles(ranked: RankedColumns) -> tuple[str, ...]:
    if len(ranked.components) == 1 and not ranked.left_out:
        return ("r",)
    return tuple(f"r PC {component + 1}" for component in ranked.components)


def contrast_bars(found: GroupContrast, names: tuple[str, str]) -> BarList:
    """Return a line for every column: how far it orders the two groups."""
    first, second = names
    sure = percent(found.confidence, 0)
    return BarList(
        tuple(c.name for c in found.columns),
        lambda place: _contrast_bar(found.columns[place], names, sure),
        (-1.0, 1.0),
        ("d", "pairs"),
        ("−10.00", "the same"),
        (f"◂ {second}", f"{first} ▸"),
    )


def _contrast_bar(c: ColumnContrast, names: tuple[str, str], sure: str) -> Bar:
    low, high = (2 * end - 1 for end in c.auc_interval)
    size = "–" if math.isnan(c.cohen) else fixed(c.cohen, 2)
    if math.isinf(c.cohen):
        size = "∞" if c.cohen > 0 else "−∞"
    numbers = ("", "the same") if c.constant else (size, whole_percent(c.auc))
    lines = [c.name, strength_words(c)]
    if not c.constant:
        for name, mean in zip(names, (c.mean, c.other_mean), strict=True):
            lines.append(f"{name}: mean {data_value(mean)}")
        ends = " … ".join(dict.fromkeys(map(whole_percent, c.auc_interval)))
        lines.append(f"{names[0]} larger: {ends} of pairs ({sure})")
        if not c.clear:
            lines.append("not clear, all columns asked at once")
    span = None if c.constant else (low, high)
    return Bar(c.name, c.cliff, numbers, None, span, c.clear, "\n".join(lines))


def column_rows(
    result: AnalysisResult, column: int, component: int, colors: Coloring | None
) -> ColumnRows:
    """Return the rows of a result by one column and one component, in some colours."""
    dataset = result.dataset
    some = sample_rows(dataset.n, CURVE_ROWS)
    values = np.asarray(dataset.points[some, column], dtype=np.float64)
    scores = np.asarray(result.scores[some, component], dtype=np.float64)
    drawn = sample_rows(len(some), MOST_DRAWN)
    rows = some[drawn]
    if colors is not None:
        colors = replace(colors, codes=colors.codes[rows], shapes=None)
    return ColumnRows(
        rows,
        np.column_stack((values[drawn], scores[drawn])),
        mean_curve(values, scores),
        (dataset.feature_names[column], f"PC {component + 1}"),
        colors,
    )
