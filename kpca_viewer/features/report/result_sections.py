"""What came out: pictures, both of them judged, and the spectrum with its bounds."""

from collections.abc import Iterator

import numpy as np

from kpca_viewer.core.methods.quality import DEALINGS, FOLDS, Quality
from kpca_viewer.core.solvers.problem import score_bounds
from kpca_viewer.engine.claims.filled import about_filled
from kpca_viewer.engine.claims.verdict import verdict_on
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.describe import (
    BY_THE_SAME,
    component_words,
    has_values_by_classes,
)
from kpca_viewer.engine.text.glossary import TERMS
from kpca_viewer.engine.text.remarks import (
    about_equal,
    about_equal_linear,
    about_separation,
)
from kpca_viewer.export.document import (
    Block,
    Figure,
    Figures,
    Paragraph,
    Section,
    Table,
)
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.numerals import counted, fixed, percent, upper_bound, within


def embedding_section(subject: Subject) -> Section:
    return Section("Embedding", tuple(_pictures(subject)))


def spectrum_section(subject: Subject) -> Section:
    return Section("Spectrum", tuple(_spectrum(subject.result)))


def _pictures(subject: Subject) -> Iterator[Block]:
    result, rows = subject.result, subject.result.dataset.rows_phrase
    shown = component_words(tuple(subject.axes))
    colors = _colors(subject)
    what = f"{rows} along {shown} of kernel PCA"
    yield Figures(
        (
            Figure(
                "embedding",
                f"Embedding: {what}.{colors} The sign of a component has no meaning.",
                f"Scatter plot of {what}.",
            ),
        )
    )
    for sentence in (about_equal(result), *result.pitfalls):
        if sentence:
            yield Paragraph(f"{sentence.rstrip('.')}.")
    if filled := about_filled(result):
        yield Paragraph(filled.text)
    linear = result.linear
    if linear is None:
        yield Paragraph(
            "A given matrix has no columns: there are no pictures of the data and of "
            "linear PCA to compare with."
        )
    else:
        beside = component_words(tuple(linear.axes_beside(subject.view)))
        yield Figures(
            (
                Figure(
                    "data",
                    f"Data: {_columns(subject)}.{colors}{_isolines(subject)}",
                    f"Scatter plot of {rows} by columns of the data.",
                ),
                Figure(
                    "pca",
                    f"Linear PCA: the same rows along {beside}.",
                    f"Scatter plot of {rows} along {beside} of linear PCA.",
                ),
            )
        )
    yield from _quality(subject)


def _colors(subject: Subject) -> str:
    by = subject.view.color_by
    if by == "label":
        known = subject.result.dataset.labels is not None
        return " Colours are classes." if known else ""
    return "" if by == "none" else " What colours mean stands above the picture."


def _columns(subject: Subject) -> str:
    dataset = subject.result.dataset
    if dataset.d == 1:
        return "the same rows by their one column"
    shown = min(dataset.d, 3 if subject.view.data_3d else 2)
    if shown == dataset.d:
        return "the same rows by their columns"
    return f"the same rows by {shown} of {counted(dataset.d)} columns"


def _isolines(subject: Subject) -> str:
    if subject.result.grid is None or not subject.view.isolines:
        return ""
    component = subject.axes[0] + 1
    return f" Along a line every point would have one score on PC {component}."


def _quality(subject: Subject) -> Iterator[Block]:
    result, comparison = subject.result, subject.result.comparison
    if comparison is None:
        return
    known = known_scores(result)
    if not known and comparison.linear is None:
        return
    axes, mark = subject.axes, result.mass.mark
    share = float(sum(result.shares[j] for j in axes))
    pairs = [("kernel PCA", f"{mark}{percent(share)}", comparison.kernel)]
    linear = result.linear
    if linear is not None and comparison.linear is not None:
        share = float(linear.shares[linear.axes_beside(subject.view)].sum())
        pairs.append(("linear PCA", percent(share), comparison.linear))
    yield Table(
        "Both pictures by the same measures, ± one standard error; explained is of the "
        "variance in feature space, and of that of the data",
        ("picture", "explained", *(TERMS[key].title for key in known)),
        tuple(
            (name, words, *(_score(quality, key) for key in known))
            for name, words, quality in pairs
        ),
    )
    if said := verdict_on(result):
        yield Paragraph(said.text)
    if how := f"{_how_measured(comparison.kernel)}{_chosen_by_classes(subject)}":
        yield Paragraph(how.strip(), is_small=True)


SCORES = (
    "linear_accuracy",
    "knn_accuracy",
    "silhouette",
    "trustworthiness",
    "continuity",
)
"""Fields of `Quality` and keys of the glossary, in the order of the table."""

SHARES = frozenset({"linear_accuracy", "knn_accuracy"})
"""Those of them that are written in per cent."""


def known_scores(result: AnalysisResult) -> tuple[str, ...]:
    """Return by which scores the pictures of a result can be compared."""
    if result.comparison is None:
        return ()
    kernel = result.comparison.kernel
    return tuple(key for key in SCORES if getattr(kernel, key) is not None)


def _score(quality: Quality, key: str) -> str:
    value, error = getattr(quality, key), quality.errors.get(key)
    if value is None:
        return "–"
    if key in SHARES:
        words, band = fixed(100 * value, 1), 100 * (error or 0.0)
        return f"{words} %" if error is None else f"{words} ± {fixed(band, 1)} %"
    words = fixed(value, 3)
    return words if error is None else f"{words} ± {fixed(error, 3)}"


def _how_measured(quality: Quality) -> str:
    parts = []
    if quality.linear_accuracy is not None and quality.chance is not None:
        parts.append(
            f"Accuracies are of {counted(quality.labelled)} rows in {FOLDS} folds; "
            "always guessing the largest class gives "
            f"{percent(quality.chance)}. The components themselves were computed from "
            "all rows, so this says how well the picture separates classes, not how "
            "well new rows would be told. The sentence above is of "
            "discriminants to which all classes are as probable, and of the mean over "
            f"{DEALINGS} dealings of the rows into folds; the table is of one dealing, "
            "and of classes as probable as they are frequent."
        )
    if quality.trustworthiness is not None:
        parts.append(f"Neighbourhoods are those of {counted(quality.rows)} rows.")
    return " ".join(parts)


def _chosen_by_classes(subject: Subject) -> str:
    """Say that the kernel has its values by the classes that accuracies are of."""
    result, choice = subject.result, subject.choice
    if subject.searched is not None and choice is not None:
        by_classes = choice.evidence == "classes"
    else:
        by_classes = has_values_by_classes(result)
    if not by_classes or result.comparison is None:
        return ""
    return f" {BY_THE_SAME}"


def _spectrum(result: AnalysisResult) -> Iterator[Block]:
    found, mark = result.decomposition, result.mass.mark
    is_centred = centred(result.dataset, result.settings)
    matrix = "centred kernel matrix" if is_centred else "kernel matrix"
    yield Figures(
        (
            Figure(
                "spectrum",
                f"Eigenvalues of the {matrix}, and their cumulative share.",
                f"Bars of {counted(len(found.eigenvalues))} eigenvalues.",
            ),
        )
    )
    yield _eigenvalues(result, matrix)
    yield Paragraph(certificate_words(result))
    if nothing := about_equal(result):
        yield Paragraph(f"{nothing}.")
        return
    text = f"The effective rank (Σ|μ|)²/Σμ² is {mark}{fixed(result.effective_rank, 1)}."
    if result.mass.share > 0:
        text += (
            f" The matrix is indefinite: {result.mass.in_words} of Σ|μ| is negative "
            "and cannot be drawn."
        )
    if result.linear is not None and not about_equal_linear(result.linear):
        first = percent(float(result.linear.shares[0]))
        text += f" For comparison, PC 1 of linear PCA explains {first}."
    every = tuple(range(len(found.eigenvalues)))
    if apart := about_separation(result, every):
        text += f" {apart}"
    yield Paragraph(text)


def _eigenvalues(result: AnalysisResult, matrix: str) -> Table:
    found, mark = result.decomposition, result.mass.mark
    rows, cumulative = [], 0.0
    known = zip(
        *(found.eigenvalues, found.bounds, result.shares),
        *(found.angle_bounds, score_bounds(found)),
        strict=True,
    )
    for number, (value, (low, high), share, angle, away) in enumerate(known, 1):
        cumulative += float(share)
        rows.append(
            (
                str(number),
                *within(float(value), float(low), float(high)),
                f"{mark}{percent(float(share), 2)}",
                f"{mark}{percent(cumulative, 2)}",
                *("∞" if np.isinf(x) else upper_bound(float(x)) for x in (angle, away)),
            )
        )
    return Table(
        f"Eigenvalues μ of the {matrix}; μ/n is the variance along a component",
        (
            *("PC", "μ", "at least", "at most", "share", "cumulative"),
            *("angle, rad", "‖error of scores‖"),
        ),
        tuple(rows),
        frozenset(),
    )


def certificate_words(result: AnalysisResult) -> str:
    """Say what the bounds of the eigenvalues are worth, and how they were found."""
    found = result.decomposition
    error = upper_bound(found.error)
    bounds = (
        f"Every eigenvalue lies between its bounds, with probability "
        f"{found.probability}, by a sample of rows"
        if found.probability
        else "Every eigenvalue lies between its bounds; this is proven, rounding "
        "included"
    )
    shares = "Shares are of the sum of all eigenvalues, not only of these."
    if result.mass.share > 0 or result.mass.mark:
        shares = "Shares are of the sum of all |μ|"
        if result.mass.mark:
            known = "by an estimate" if result.mass.estimated else "from below"
            shares += f", which is known {known}"
        shares += "."
    return (
        f"{bounds}. The widest bound is {error} of the largest eigenvalue to each "
        f"side. Solver: {found.solver}, rank {counted(found.rank)}. {shares}"
    )
