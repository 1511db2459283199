"""What is said about the numbers of a line: counts, formulas, what is missing."""

from collections.abc import Sequence
from math import isinf

import numpy as np

from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import no_value_words
from kpca_viewer.engine.text.remarks import about_equal
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.checks import Check, eigenvalue_error
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.support.numerals import as_it_is, counted


def notes_of(derivation: Derivation, selected: int) -> dict[str, str]:
    """Return a sentence for the lines that need one, by their keys."""
    return {
        "points": _of_points(derivation, selected),
        "kernel": _of_kernel(derivation, selected),
        "means": _of_means(derivation),
        "centred": _of_centred(derivation),
        "eigen": _of_eigenvalues(derivation),
        "coefficients": _of_coefficients(derivation),
    }


def about_kernel(derivation: Derivation) -> str:
    """Say how others write the width of the kernel, and how large its space is."""
    kernel = derivation.result.kernel
    if kernel is None:
        return ""
    lines = [
        text.CONVENTION.format(
            symbol=each.symbol, value=as_it_is(each.value), definition=each.definition
        )
        for each in kernel.conventions()
    ]
    size = kernel.feature_dimension(derivation.d)
    if kernel.why_no_map:
        lines.append(kernel.why_no_map)
    else:
        lines.append(text.INFINITE if isinf(size) else text.SPACE.format(size=size))
    return "\n".join(lines)


def checks_text(checks: Sequence[Check]) -> str:
    """Say how many checks hold: "All 17 checks hold."."""
    known = [check.holds for check in checks if check.holds is not None]
    failed, unknown = known.count(False), len(checks) - len(known)
    template = text.CHECK_FAILS if failed == 1 else text.CHECKS_FAIL
    words = (template if failed else text.CHECKS_HOLD).format(
        failed=failed, count=len(known)
    )
    if unknown:
        return text.NOT_MEASURED.format(words=words, unknown=unknown)
    return f"{words}."


def why_no_new_points(result: AnalysisResult) -> str:
    """Say why no point can be dropped into the data; empty where one can."""
    if result.kernel is None:
        return text.NEW_NEEDS_KERNEL
    d = result.dataset.d
    return "" if d == 2 else text.NEW_NEEDS_PLANE.format(features=_features(d))


def new_points_note(
    result: AnalysisResult, places: Sequence[Place], before: int
) -> str:
    """Say which new points are written out, and which the kernel cannot take."""
    count, sentences = before + len(places), []
    if before:
        sentences.append(
            text.LAST_NEW_POINTS.format(shown=len(places), count=counted(count))
        )
    if result.kernel is not None and places:
        numbers = np.flatnonzero(~result.takes(np.array(places))) + before + 1
        if numbers.size:
            names = (text.NEW.format(number=number) for number in numbers.tolist())
            which = "no row" if numbers.size == 1 else "no rows"
            why = no_value_words(result)
            sentences.append(
                text.NEW_LEFT_OUT.format(
                    names=" and ".join(names), which=which, why=why
                )
            )
    return " ".join(sentences)


def _rows_text(derivation: Derivation, selected: int) -> str:
    """Return which rows are written out: "the first 6 of 400 rows"."""
    count = len(derivation.rows)
    if derivation.is_whole:
        template = text.ROWS_ONE if derivation.n == 1 else text.ALL_ROWS
    elif not selected:
        template = text.ROWS_FIRST
    elif selected != count:
        template = text.ROWS_FIRST_SELECTED
    else:
        template = text.ROWS_SELECTED_ONE if count == 1 else text.ROWS_SELECTED
    n = counted(derivation.n)
    return template.format(count=count, n=n, selected=counted(selected))


def _of_points(derivation: Derivation, selected: int) -> str:
    scaling = ""
    if derivation.is_scaled:
        how = derivation.result.scaler.how
        scaling = text.SCALINGS.get(how, text.SCALINGS[""])
    words = text.POINTS.format(
        rows=_rows_text(derivation, selected),
        features=_features(derivation.d),
        scaling=scaling,
    )
    return f"{words[:1].upper()}{words[1:]}"


def _of_kernel(derivation: Derivation, selected: int) -> str:
    result = derivation.result
    if result.kernel is not None:
        parts = result.kernel.plain_formula(), _off_the_diagonal(derivation)
        return "\n".join(filter(None, parts))
    is_distances = result.dataset.kind == "distances"
    given = text.GIVEN_DISTANCES if is_distances else text.GIVEN_KERNEL
    return given.format(rows=_rows_text(derivation, selected))


def _off_the_diagonal(derivation: Derivation) -> str:
    """Say how alike different rows are: all 1 for γ → 0, all 0 for γ → ∞."""
    K = derivation.kernel_block
    others = K[~np.eye(len(K), dtype=bool)]
    if not others.size:
        return ""
    low, high = (as_it_is(float(value)) for value in (others.min(), others.max()))
    template = text.ENTRIES_EQUAL if low == high else text.ENTRIES_RANGE
    which = "" if derivation.is_whole else text.OF_THESE_ROWS
    return template.format(which=which, low=low, high=high)


def _of_means(derivation: Derivation) -> str:
    n = counted(derivation.n)
    if not derivation.center:
        return text.NOTHING_TAKEN
    if derivation.means_are_of_the_model:
        return text.MEANS_OF_SOLVER.format(n=n)
    return "" if derivation.is_whole else text.MEANS_OVER_ALL.format(n=n)


def _of_centred(derivation: Derivation) -> str:
    if derivation.n == 1:
        return text.ONE_POINT_MEAN
    return "" if derivation.center else text.K_DECOMPOSED


def _of_eigenvalues(derivation: Derivation) -> str:
    negative = int((derivation.eigenvalues < -eigenvalue_error(derivation)).sum())
    if derivation.n == 1 and derivation.center:
        return text.ONE_POINT_VARIANCE
    if nothing := about_equal(derivation.result):
        return f"{nothing}."
    if not negative:
        return ""
    found = derivation.result.decomposition
    if found.complete:
        negative = int((found.spectrum < -eigenvalue_error(derivation)).sum())
    are = "eigenvalue is" if negative == 1 else "eigenvalues are"
    return text.NEGATIVE_VALUES.format(
        count=f"{counted(negative)} {are}",
        known="" if found.complete else text.OF_THOSE_KNOWN,
    )


def _of_coefficients(derivation: Derivation) -> str:
    without = int((derivation.eigenvalues <= eigenvalue_error(derivation)).sum())
    if not without:
        return ""
    if without == derivation.k:
        return text.NO_COEFFICIENTS
    have = "component has" if without == 1 else "components have"
    return text.SOME_COEFFICIENTS.format(count=f"{counted(without)} {have}")


def _features(d: int) -> str:
    return "1 feature" if d == 1 else f"{counted(d)} features"
