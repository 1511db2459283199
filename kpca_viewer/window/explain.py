"""The present picture in sentences: what every panel shows, with its numbers."""

import numpy as np

from kpca_viewer.engine.claims.filled import about_filled
from kpca_viewer.engine.claims.verdict import verdict_on
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.describe import (
    about_pitfalls,
    components_text,
    quality_line,
)
from kpca_viewer.engine.text.remarks import (
    about_equal,
    about_equal_linear,
    about_separation,
)
from kpca_viewer.features.spectrum.compute import SpectrumBars
from kpca_viewer.support.numerals import percent, readable

PARTS = ("Data", "Kernel", "Embedding", "Spectrum", "Linear PCA", "Kernel matrix")
"""What is explained, in the order in which a picture is read."""


def explain(result: AnalysisResult) -> tuple[str, ...]:
    """Return a few sentences for every part of `PARTS`."""
    return (
        _data(result),
        _kernel(result),
        _embedding(result),
        _spectrum(result),
        _linear(result),
        _matrix(result),
    )


def _data(result: AnalysisResult) -> str:
    dataset = result.dataset
    if dataset.kind != "points":
        what = "kernel values" if dataset.kind == "kernel" else "distances"
        return f"{dataset.n:,} rows by their {what}; there are no columns to draw."
    columns = "column" if dataset.d == 1 else "columns"
    text = f"{dataset.rows_phrase} and {dataset.d:,} {columns}"
    if result.full_fit is not None:
        every = result.full_fit.words
        text = f"The model is that of {every}; shown are {text}"
    if dataset.label_names:
        text += f", {len(dataset.label_names):,} classes by colour"
    text += f". Scaling: {result.scaler.describe()}."
    if result.grid is not None:
        component = result.settings.view.axes[0] + 1
        text += f" Along an isoline every point would have one score on PC {component}."
    return text


def _kernel(result: AnalysisResult) -> str:
    kernel = result.kernel
    if kernel is None:
        return "The file gives how alike two rows are; nothing is chosen here."
    text = f"{kernel.family.title}: {kernel.plain_formula()}."
    if not kernel.psd:
        return f"{text} It is not a dot product: eigenvalues can be negative."
    dimension = kernel.feature_dimension(result.dataset.d)
    if np.isfinite(dimension):
        return f"{text} It is a dot product in {dimension:,.0f} dimensions."
    return f"{text} It is a dot product in a space of infinitely many dimensions."


def _embedding(result: AnalysisResult) -> str:
    axes = result.settings.view.judged_axes(result.scores.shape[1])
    quality = None if result.comparison is None else result.comparison.kernel
    if nothing := about_equal(result):
        return f"{nothing}. {about_pitfalls(result)}".strip()
    share, mark = float(sum(result.shares[j] for j in axes)), result.mass.mark
    text = (
        f"The rows along {components_text(axes)}: {quality_line(share, quality, mark)}"
    )
    apart, filled = about_separation(result, tuple(axes)), about_filled(result)
    more = (apart, about_pitfalls(result), "" if filled is None else filled.text)
    return " ".join(filter(None, (f"{text}.", *more)))


def _spectrum(result: AnalysisResult) -> str:
    if nothing := about_equal(result):
        return f"{nothing}."
    mark = result.mass.mark
    text = (
        f"PC 1 holds {mark}{percent(float(result.shares[0]))} of the variance; the "
        f"effective rank is {mark}{result.effective_rank:.1f}"
    )
    bars = SpectrumBars.of(result, result.settings.view)
    text += f"; {bars.mark_text}."
    if result.mass.share > 0 and not bars.tells_negative:
        text += f" {result.mass.in_words} of it is negative and cannot be drawn."
    words = result.certificate
    return f"{text} {words[0].upper()}{words[1:]}, relative to the largest."


def _linear(result: AnalysisResult) -> str:
    linear, comparison = result.linear, result.comparison
    if linear is None:
        return "A given matrix has none."
    if nothing := about_equal_linear(linear):
        return f"{nothing}."
    axes = linear.axes_beside(result.settings.view)
    share = float(linear.shares[axes].sum())
    line = quality_line(share, None if comparison is None else comparison.linear)
    text = f"The same rows along {components_text(axes)} of ordinary PCA: {line}."
    said = verdict_on(result)
    return f"{text} {said.text}" if said else text


def _matrix(result: AnalysisResult) -> str:
    raw = result.picture.raw
    n = len(raw)
    what = "distances" if result.dataset.kind == "distances" else "kernel values"
    rows = f"{n:,} of {result.dataset.n:,}" if result.picture.sampled else f"all {n:,}"
    text = f"The {what} of {rows} rows, from {readable(float(raw.min()), 3)} to "
    text += readable(float(raw.max()), 3)
    if n > 1:
        pairs = raw[np.triu_indices(n, 1)]
        text += f"; {readable(float(np.median(pairs)), 2)} for a typical pair"
    is_centred = centred(result.dataset, result.settings)
    how = "centred before it is decomposed" if is_centred else "decomposed as it is"
    return f"{text}. The matrix is {how}."
