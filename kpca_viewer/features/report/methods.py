"""What gives the same numbers again: methods paragraph, versions, and code."""

import platform
from importlib.metadata import version

import numpy as np
import scipy

from kpca_viewer import __version__
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.kernel_ranking import Row
from kpca_viewer.core.methods.kernel_suggestion import JUDGED
from kpca_viewer.core.methods.quality import FOLDS
from kpca_viewer.data.importing.complete import NEIGHBOURS
from kpca_viewer.engine.choice_note import kernel_words
from kpca_viewer.engine.claims.choice import corrected_text, verdict
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.text.describe import component_words
from kpca_viewer.engine.text.remarks import about_equal
from kpca_viewer.export.document import Code, Facts, Paragraph, Section
from kpca_viewer.export.script import as_python
from kpca_viewer.export.text import one_line, quoted
from kpca_viewer.features.report.kernel_section import DIGITS, origin_words
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.support.numerals import (
    counted,
    percent,
    readable,
    spelled,
    upper_bound,
    whole_percent,
)

_SCALED = {
    "none": "",
    "standardise": ", each standardised to mean 0 and standard deviation 1",
    "minmax": ", each scaled to the range from 0 to 1",
    "unit": ", with rows scaled to unit length",
    "columns": ", scaled column by column ({columns})",
}
"""How the features were prepared, by the key of the scaling."""

MOST_NAMED = 5
"""Columns that a paragraph names."""

_LEARNER = {"classes": "linear discriminants", "target": "least squares"}
"""What predicts held-out rows, by the evidence of a search."""

_REFERENCES = {
    "Schölkopf": "Schölkopf, B., Smola, A. and Müller, K.-R. (1998). Nonlinear "
    "component analysis as a kernel eigenvalue problem. Neural Computation 10, "
    "1299–1319.",
    "Tibshirani": "Tibshirani, R. J. and Tibshirani, R. (2009). A bias correction for "
    "the minimum error rate in cross-validation. Annals of Applied Statistics 3, "
    "822–829.",
}
"""By a name that the paragraph has where it is cited."""


def references(paragraph: str) -> list[str]:
    return [words for name, words in _REFERENCES.items() if name in paragraph]


def methods_paragraph(subject: Subject) -> str:
    """Return what was done in a few sentences, ready for a paper."""
    result = subject.result
    sentences = [
        _data(result),
        _kernel(result),
        _origin(subject),
        _recommended(subject),
        _held_out(subject),
        _outcome(subject),
        _exactness(result),
    ]
    return " ".join(filter(None, sentences))


def _data(result: AnalysisResult) -> str:
    dataset = result.dataset
    name = one_line(dataset.name, 80)
    rows = dataset.rows_phrase
    if result.full_fit is not None:
        rows = result.full_fit.words
    if dataset.kind != "points":
        what = "distances" if dataset.kind == "distances" else "kernel values"
        return (
            "Kernel principal component analysis (Schölkopf, Smola and Müller, 1998) "
            f"was applied to the given {what} of {rows} (“{name}”)."
        )
    features = "1 feature" if dataset.d == 1 else f"{counted(dataset.d)} features"
    left = _left_out(result)
    scaled = _SCALED[result.scaler.how].format(columns=result.scaler.describe())
    return (
        "Kernel principal component analysis (Schölkopf, Smola and Müller, 1998) was "
        f"applied to {rows} of “{name}” with {features}{scaled}{left}."
    )


def _left_out(result: AnalysisResult) -> str:
    dataset = result.dataset
    parts = []
    if dataset.left_out:
        parts.append(f"{_rows(dataset.left_out)} with missing values")
    if dataset.excluded:
        parts.append(f"{_rows(dataset.excluded)} by hand")
    filled = dataset.filled[0]
    text = f"; left out: {' and '.join(parts)}" if parts else ""
    if filled:
        gaps = "value was" if filled == 1 else "values were"
        importing, how = result.settings.data.importing, ""
        if importing is not None:
            nearest = f" by the means of the {NEIGHBOURS} nearest rows"
            how = nearest if importing.missing == "nearest" else " by column medians"
        text += f"; {counted(filled)} missing {gaps} filled{how}"
    if gappy := _gappy_columns(result):
        text += "; columns with missing values, by their share of these rows, that "
        text += f"were not analysed: {', '.join(gappy)}"
    return text


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{counted(count)} rows"


def _gappy_columns(result: AnalysisResult) -> list[str]:
    """Name columns of numbers that are not analysed, with the share that is missing."""
    numbers = {
        name: float(np.isnan(column.values).mean())
        for name, column in result.dataset.columns.items()
        if column.words is None
    }
    words = [
        f"“{one_line(name, 40)}” ({whole_percent(missing)})"
        for name, missing in sorted(numbers.items(), key=lambda each: -each[1])
        if missing
    ]
    if len(words) > MOST_NAMED:
        words[MOST_NAMED:] = [f"{counted(len(words) - MOST_NAMED)} more"]
    return words


def _kernel(result: AnalysisResult) -> str:
    is_centred = centred(result.dataset, result.settings)
    how = "was centred" if is_centred else "was not centred"
    kernel = result.kernel
    if kernel is None:
        return f"The matrix {how}."
    symbols = {p.name: p.symbol for p in kernel.family.parameters}
    values = ", ".join(
        f"{symbols[name]} = {readable(value, DIGITS)}"
        for name, value in kernel.values.items()
    )
    words = f" with {values}{_width(kernel)}" if values else ""
    formula = kernel.general_formula()
    # Some are too long for a line, and are known by their name.
    formula = f" {formula}" if formula.startswith("k(") else ""
    title = kernel.family.title.partition(" (")[0]
    return f"The {title} kernel{formula} was used{words}; the kernel matrix {how}."


def _origin(subject: Subject) -> str:
    """Say where values come from, and what the score is that a suggestion tells."""
    words, suggestion = origin_words(subject), subject.result.suggestion
    if not suggestion.judged or suggestion.grounds not in words:
        return words
    learner = _LEARNER["classes" if "classes" in suggestion.grounds else "target"]
    return (
        f"{words} That score is of {learner}, with components learned anew from the "
        f"training rows of each of {FOLDS} folds, less what the choice among "
        f"{len(JUDGED)} values adds (Tibshirani and Tibshirani, 2009)."
    )


def _width(kernel: Kernel) -> str:
    widths = kernel.conventions()
    if not widths:
        return ""
    first = widths[0]
    words = f"{first.symbol} = {readable(first.value, DIGITS)}"
    return f" (that is {words} where {first.definition})"


def _recommended(subject: Subject) -> str:
    """Say what a search of the session recommends, where it is another setting."""
    choice = subject.choice
    if choice is None or subject.result.kernel is None:
        return ""
    claim = verdict(choice)
    if claim.key != "use":
        return "A search over kernels in the same session found nothing to choose."
    row = choice.chosen
    if row is subject.searched:
        return ""
    return (
        f"A search over kernels in the same session recommends {_kernel_of(row)} with "
        f"{spelled(row.components, 'component')} instead."
    )


def _held_out(subject: Subject) -> str:
    """Say what held-out scores are of; nothing where no search has made any."""
    choice = subject.choice
    if choice is None or subject.searched is None or choice.evidence == "structure":
        return ""
    row, chosen = subject.searched, choice.chosen
    told = (
        f"Held-out scores are those of {_LEARNER[choice.evidence]} on the scores of "
        "the components, with the whole chain (scaling, kernel PCA) refitted inside "
        "every fold"
    )
    score = "" if choice.corrected is None else f"scores {corrected_text(choice)}."
    if row is chosen:
        told += "; the setting was chosen by these scores."
        return f"{told} Chosen by the other folds alone, it {score}" if score else told
    told += f". The setting, {_kernel_of(row)}, was made by hand"
    told += ", against the recommendation." if verdict(choice).key == "use" else "."
    if not score:
        return told
    what = _kernel_of(chosen)
    told += f" {what[0].upper()}{what[1:]}"
    return f"{told}, chosen by the other folds alone, {score}"


def _kernel_of(row: Row) -> str:
    return "linear PCA" if row.line.is_linear else kernel_words(row)


def _outcome(subject: Subject) -> str:
    result, axes = subject.result, subject.axes
    if nothing := about_equal(result):
        return f"{nothing}."
    share = float(sum(result.shares[j] for j in axes))
    verb = "explains" if len(axes) == 1 else "together explain"
    shown = component_words(tuple(axes))
    words = f"{result.mass.mark}{percent(share)}"
    if result.mass.share > 0:
        verb = "holds" if len(axes) == 1 else "together hold"
        return (
            f"{shown} {verb} {words} of the sum of all |μ|; the matrix is indefinite, "
            f"{result.mass.in_words} of that sum is negative."
        )
    text = f"{shown} {verb} {words} of the variance in feature space"
    linear = result.linear
    if linear is None:
        return f"{text}."
    beside = linear.axes_beside(subject.view)
    of_linear = percent(float(linear.shares[beside].sum()))
    what = "component explains" if len(beside) == 1 else "components explain"
    many = "one" if len(beside) == 1 else "as many"
    of_what = "data" if result.full_fit is None else "rows drawn"
    return (
        f"{text}; with linear PCA, {many} {what} {of_linear} of the variance of the "
        f"{of_what}."
    )


def _exactness(result: AnalysisResult) -> str:
    found = result.decomposition
    sure = f" with probability {found.probability}" if found.probability else ""
    exact = (
        f"Eigenvalues are exact within {upper_bound(found.error)} of the largest{sure}."
        if found.error > 0
        else "Eigenvalues are exact."
    )
    programs = ", ".join(f"{name} {version}" for name, version in versions()[1:])
    return f"{exact} Computed with kpca_viewer {__version__} ({programs})."


def versions_section() -> Section:
    """Return the section that names all programs with their versions."""
    system = "System", f"{platform.system()} {platform.machine()}"
    return Section("Versions", (Facts((*versions(), system)),))


def code_section(subject: Subject) -> Section:
    """Return the section with the script that computes the embedding again."""
    code = as_python(subject.result, file=subject.file, view=subject.view)
    if subject.file is not None:
        # A report goes to others; a script that is exported runs anywhere here.
        path = subject.file.path
        code = code.replace(quoted(str(path)), quoted(path.name))
    what = "the embedding again, to the accuracy that it states, and draws it"
    every = subject.result.full_fit
    if every is not None:
        what = (
            "the embedding of the rows drawn alone, not that of "
            f"{every.words}; its first lines say which command computes these"
        )
    text = (
        f"This script computes {what}. It is run where the data are, with the versions "
        "above."
    )
    return Section("Code", (Paragraph(text), Code(code)))


def versions() -> tuple[tuple[str, str], ...]:
    """Return pairs (program, version), ours first."""
    return (
        ("kpca_viewer", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("SciPy", scipy.__version__),
        # By its distribution: the library itself takes long to load.
        ("scikit-learn", version("scikit-learn")),
    )
