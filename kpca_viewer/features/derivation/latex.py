"""The derivation in LaTeX: every step a displayed formula with its numbers."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.features.derivation.numbers import latex, latex_table
from kpca_viewer.features.derivation.steps import Derivation

STEPS = (
    "points",
    "kernel",
    "means",
    "centred",
    "eigenvalues",
    "vectors",
    "coefficients",
    "scores",
    "new",
)
"""The steps in their order; each can be copied alone."""


def as_latex(derivation: Derivation, step: str | None = None) -> str:
    """Return one step in LaTeX, or all of them.

    Parameters
    ----------
    step : str, optional
        One of `STEPS`. A step that there is not, as X of a given matrix, is empty.
    """
    wanted = STEPS if step is None else (step,)
    parts = [_WRITERS[name](derivation) for name in wanted]
    lines = [f"\\[\n{part}\n\\]" for part in parts if part]
    if lines and not derivation.is_whole:
        rows = ", ".join(map(_plain_text, derivation.row_names))
        lines.insert(0, f"% rows {rows} of {derivation.n}")
    return "\n".join(lines) + ("\n" if lines else "")


def _plain_text(text: str) -> str:
    """Return a name as it can stand in a comment."""
    return " ".join(text.split())


def matrix(table: Sequence[Sequence[str]], *, more_rows: bool, more: bool) -> str:
    r"""Return cells as a ``pmatrix``, with ``\dots`` where more rows or columns are."""
    lines = [" & ".join([*row, *([r"\dots"] if more else [])]) for row in table]
    if more_rows and table:
        marks = [r"\vdots"] * len(table[0]) + ([r"\ddots"] if more else [])
        lines.append(" & ".join(marks))
    body = " \\\\\n".join(lines)
    return f"\\begin{{pmatrix}}\n{body}\n\\end{{pmatrix}}"


def _square(derivation: Derivation, values: NDArray[np.float64], error: float) -> str:
    left_out = not derivation.is_whole
    return matrix(latex_table(values, error), more_rows=left_out, more=left_out)


def _tall(derivation: Derivation, table: list[list[str]], *, more: bool = False) -> str:
    return matrix(table, more_rows=not derivation.is_whole, more=more)


def _points(derivation: Derivation) -> str:
    points = derivation.points
    if points is None:
        return ""
    more = derivation.d > points.shape[1]
    table = latex_table(points, 0.0)
    return f"X = {_tall(derivation, table, more=more)}"


def _kernel(derivation: Derivation) -> str:
    kernel, kind = derivation.result.kernel, derivation.result.dataset.kind
    block = _square(derivation, derivation.kernel_block, derivation.errors.kernel)
    if kernel is not None:
        return f"{kernel.formula()}, \\qquad K = {block}"
    given = r"K = -\tfrac12 D^2 = " if kind == "distances" else "K = "
    return given + block


def _means(derivation: Derivation) -> str:
    error = derivation.errors.means
    table = latex_table(derivation.row_means[:, None], error)
    grand = latex(derivation.grand_mean, error)
    return (
        f"\\tfrac1n K\\mathbf 1 = {_tall(derivation, table)}, \\qquad "
        f"\\tfrac1{{n^2}}\\mathbf 1^\\top K\\mathbf 1 = {grand}"
    )


def _centred(derivation: Derivation) -> str:
    if not derivation.center:
        return r"K \quad\text{is not centred}"
    block = _square(derivation, derivation.centred, derivation.errors.centred)
    return (
        r"\tilde K = K - \tfrac1n\mathbf 1\mathbf 1^\top K "
        r"- \tfrac1n K\mathbf 1\mathbf 1^\top "
        r"+ \tfrac1{n^2}\mathbf 1\mathbf 1^\top K\mathbf 1\mathbf 1^\top"
        f" = {block}"
    )


def _eigenvalues(derivation: Derivation) -> str:
    errors = derivation.errors.eigenvalues
    mu = latex_table(derivation.eigenvalues[None], errors)
    share = latex_table(derivation.variances[None], errors / derivation.n)
    known = matrix(mu, more_rows=False, more=False)
    variances = matrix(share, more_rows=False, more=False)
    return (
        f"{_matrix(derivation)} u = \\mu u, \\quad \\mu = {known}, \\qquad "
        f"\\lambda = \\mu / {derivation.n} = {variances}"
    )


def _vectors(derivation: Derivation) -> str:
    table = latex_table(derivation.vectors, derivation.errors.vectors)
    return f"U = {_tall(derivation, table)}"


def _coefficients(derivation: Derivation) -> str:
    table = latex_table(derivation.coefficients, derivation.errors.coefficients)
    how = r"u / \sqrt{\mu}"
    if not derivation.normalised:
        how = r"u \quad\text{(}1/\sqrt{\mu}\text{ is forgotten)}"
    return f"\\alpha = {how}, \\quad \\alpha = {_tall(derivation, table)}"


def _scores(derivation: Derivation) -> str:
    table = latex_table(derivation.scores, derivation.errors.scores)
    return f"z = {_matrix(derivation)} \\alpha = {_tall(derivation, table)}"


def _matrix(derivation: Derivation) -> str:
    return r"\tilde K" if derivation.center else "K"


def _new(derivation: Derivation) -> str:
    lines = []
    for number, new in enumerate(derivation.new_rows, start=1):
        name = "x^*" if len(derivation.new_rows) == 1 else f"x^*_{{{number}}}"
        place = matrix(latex_table(new.point[None], 0.0), more_rows=False, more=False)
        more = not derivation.is_whole
        row = matrix(latex_table(new.kernel[None], 0.0), more_rows=False, more=more)
        told = [f"{name} = {place}", f"k(x_i, {name}) = {row}"]
        if new.is_centred:
            shifted = latex_table(new.centred[None], 0.0)
            centred = matrix(shifted, more_rows=False, more=more)
            told.append(f"\\tilde k(x_i, {name}) = {centred}")
        elif derivation.center:
            told.append(r"\text{(its centring is forgotten)}")
        score = matrix(latex_table(new.scores[None], 0.0), more_rows=False, more=False)
        told.append(f"z({name}) = {score}")
        lines.append(", \\quad ".join(told))
    return " \\\\\n".join(lines)


_WRITERS: dict[str, Callable[[Derivation], str]] = {
    "points": _points,
    "kernel": _kernel,
    "means": _means,
    "centred": _centred,
    "eigenvalues": _eigenvalues,
    "vectors": _vectors,
    "coefficients": _coefficients,
    "scores": _scores,
    "new": _new,
}
