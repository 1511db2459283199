"""The derivation as text for other programs: LaTeX, and NumPy that runs by itself."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.linalg.eigenpairs import NOISE
from kpca_viewer.features.derivation.compute import Derivation
from kpca_viewer.features.derivation.numbers import latex, latex_table
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import counted


def as_latex(derivation: Derivation) -> str:
    parts = [write(derivation) for write in _WRITERS]
    lines = [f"\\[\n{part}\n\\]" for part in parts if part]
    if not derivation.is_whole:
        rows = ", ".join(" ".join(name.split()) for name in derivation.row_names)
        lines.insert(0, f"% rows {rows} of {derivation.n}")
    return "\n".join(lines) + "\n"


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


def _points_latex(derivation: Derivation) -> str:
    points = derivation.points
    if points is None:
        return ""
    more = derivation.d > points.shape[1]
    table = latex_table(points, 0.0)
    return f"X = {_tall(derivation, table, more=more)}"


def _kernel_latex(derivation: Derivation) -> str:
    kernel, kind = derivation.result.kernel, derivation.result.dataset.kind
    block = _square(derivation, derivation.kernel_block, derivation.errors.kernel)
    if kernel is not None:
        return f"{kernel.formula()}, \\qquad K = {block}"
    given = r"K = -\tfrac12 D^2 = " if kind == "distances" else "K = "
    return given + block


def _means_latex(derivation: Derivation) -> str:
    error = derivation.errors.means
    table = latex_table(derivation.row_means[:, None], error)
    grand = latex(derivation.grand_mean, error)
    return (
        f"\\tfrac1n K\\mathbf 1 = {_tall(derivation, table)}, \\qquad "
        f"\\tfrac1{{n^2}}\\mathbf 1^\\top K\\mathbf 1 = {grand}"
    )


def _centred_latex(derivation: Derivation) -> str:
    if not derivation.center:
        return r"K \quad\text{is not centred}"
    block = _square(derivation, derivation.centred, derivation.errors.centred)
    return (
        r"\tilde K = K - \tfrac1n\mathbf 1\mathbf 1^\top K "
        r"- \tfrac1n K\mathbf 1\mathbf 1^\top "
        r"+ \tfrac1{n^2}\mathbf 1\mathbf 1^\top K\mathbf 1\mathbf 1^\top"
        f" = {block}"
    )


def _eigenvalues_latex(derivation: Derivation) -> str:
    errors = derivation.errors.eigenvalues
    mu = latex_table(derivation.eigenvalues[None], errors)
    share = latex_table(derivation.variances[None], errors / derivation.n)
    known = matrix(mu, more_rows=False, more=False)
    variances = matrix(share, more_rows=False, more=False)
    return (
        f"{_matrix_symbol(derivation)} u = \\mu u, \\quad \\mu = {known}, \\qquad "
        f"\\lambda = \\mu / {derivation.n} = {variances}"
    )


def _vectors_latex(derivation: Derivation) -> str:
    table = latex_table(derivation.vectors, derivation.errors.vectors)
    return f"U = {_tall(derivation, table)}"


def _coefficients_latex(derivation: Derivation) -> str:
    table = latex_table(derivation.coefficients, derivation.errors.coefficients)
    how = r"u / \sqrt{\mu}"
    if not derivation.normalised:
        how = r"u \quad\text{(}1/\sqrt{\mu}\text{ is forgotten)}"
    return f"\\alpha = {how}, \\quad \\alpha = {_tall(derivation, table)}"


def _scores_latex(derivation: Derivation) -> str:
    table = latex_table(derivation.scores, derivation.errors.scores)
    return f"z = {_matrix_symbol(derivation)} \\alpha = {_tall(derivation, table)}"


def _matrix_symbol(derivation: Derivation) -> str:
    return r"\tilde K" if derivation.center else "K"


def _new_latex(derivation: Derivation) -> str:
    lines = []
    for number, new in enumerate(derivation.new_rows, start=1):
        name = "x^*" if len(derivation.new_rows) == 1 else f"x^*_{{{number}}}"
        place = matrix(latex_table(new.point[None], 0.0), more_rows=False, more=False)
        more = not derivation.is_whole
        row = matrix(latex_table(new.kernel[None], 0.0), more_rows=False, more=more)
        parts = [f"{name} = {place}", f"k(x_i, {name}) = {row}"]
        if new.is_centred:
            shifted = latex_table(new.centred[None], 0.0)
            centred = matrix(shifted, more_rows=False, more=more)
            parts.append(f"\\tilde k(x_i, {name}) = {centred}")
        elif derivation.center:
            parts.append(r"\text{(its centring is forgotten)}")
        score = matrix(latex_table(new.scores[None], 0.0), more_rows=False, more=False)
        parts.append(f"z({name}) = {score}")
        lines.append(", \\quad ".join(parts))
    return " \\\\\n".join(lines)


_WRITERS = (
    _points_latex,
    _kernel_latex,
    _means_latex,
    _centred_latex,
    _eigenvalues_latex,
    _vectors_latex,
    _coefficients_latex,
    _scores_latex,
    _new_latex,
)
"""Of the steps in their order; empty for one that there is not."""


LITERAL_UP_TO = 50
"""Rows up to which the points themselves stand in the code."""


def as_numpy(derivation: Derivation) -> str:
    parts = [
        '"""Kernel PCA, step by step."""',
        "import numpy as np",
        _data_code(derivation),
        _kernel_code(derivation),
        _centred_code(derivation),
        _solved_code(derivation),
        _scores_code(derivation),
    ]
    if derivation.new_rows:
        parts.append(_new_rows_code(derivation))
    return "\n\n".join(part for part in parts if part) + "\n"


def _data_code(derivation: Derivation) -> str:
    dataset, n = derivation.result.dataset, derivation.n
    given = {"points": "X", "kernel": "K", "distances": "D"}
    symbol = given[dataset.kind]
    words = {
        "points": "The points, one a row",
        "kernel": "The kernel matrix as it was given",
        "distances": "The distances as they were given",
    }[dataset.kind]
    if derivation.is_scaled:
        words += ", scaled as in the window"
    if n <= LITERAL_UP_TO:
        values = dataset.points
        if dataset.kind == "points":
            values = np.asarray(derivation.result.points.dense(), dtype=np.float64)
        return f"# {words}.\n{symbol} = {_array(values)}\nn = len({symbol})"
    size = f"{counted(n)} × {counted(dataset.d)}"
    return (
        f"# {words}: {size} numbers, too many to stand here.\n"
        "# Load them from your own file, without names and labels.\n"
        f'{symbol} = np.loadtxt("data.csv", delimiter=",")\nn = len({symbol})'
    )


def _kernel_code(derivation: Derivation) -> str:
    result = derivation.result
    if result.kernel is None:
        if result.dataset.kind == "kernel":
            return ""
        return "# Distances as a kernel matrix.\nK = -0.5 * np.square(D)"
    kernel = result.kernel
    body = "\n".join(
        f"    {line}" for line in kernel.family.computation.code(kernel.values)
    )
    return (
        f"# {kernel.plain_formula()}\ndef kernel(A, B):\n{body}\n\n\nK = kernel(X, X)"
    )


def _centred_code(derivation: Derivation) -> str:
    if not derivation.center:
        return "# Not centred: K takes the place of the centred matrix.\ncentred = K"
    return (
        "# Centred in feature space.\n"
        "row_means, grand_mean = K.mean(axis=1), K.mean()\n"
        "centred = K - row_means[:, None] - row_means + grand_mean"
    )


def _solved_code(derivation: Derivation) -> str:
    k = derivation.k
    return (
        "# Eigenvalues, the largest first; u has columns of length 1.\n"
        "mu, u = np.linalg.eigh(centred)\n"
        f"mu, u = mu[::-1][:{k}], u[:, ::-1][:, :{k}]\n"
        f"{_turned_code(derivation)}\n"
        'print("mu =", mu)\n'
        'print("lambda = mu / n =", mu / n)'
    )


def _turned_code(derivation: Derivation) -> str:
    """Return code that gives every component the sign that it has in the window."""
    vectors = derivation.result.decomposition.eigenvectors
    rows = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[rows, np.arange(len(rows))] < 0, -1, 1)
    return (
        "# A sign has no meaning; in the window these entries of u have these signs.\n"
        f"rows, signs = {rows.tolist()}, {signs.tolist()}\n"
        "u = u * np.where(u[rows, range(len(mu))] < 0, -1, 1) * signs"
    )


def _scores_code(derivation: Derivation) -> str:
    noise = NOISE[np.dtype(np.float64)]
    if derivation.normalised:
        how = (
            "# Coefficients of directions of length 1; none where mu is 0 or negative."
        )
        alpha = "alpha = np.where(live, u / np.sqrt(np.where(live, mu, 1)), 0)"
    else:
        how = "# 1/sqrt(mu) is forgotten, as in the window."
        alpha = "alpha = np.where(live, u, 0)"
    return (
        f"{how}\nlive = mu > {noise!r} * max(mu[0], 0)\n{alpha}\n"
        'z = centred @ alpha\nprint("z =", z, sep="\\n")'
    )


def _new_rows_code(derivation: Derivation) -> str:
    points = np.array([new.point for new in derivation.new_rows])
    lines = [
        "# New points, centred by the means of the others.",
        f"new = {_array(points)}",
        "rows = kernel(new, X)",
    ]
    if derivation.new_rows[0].is_centred:
        lines.append(
            "rows = rows - row_means - rows.mean(axis=1)[:, None] + grand_mean"
        )
    elif derivation.center:
        lines[0] = "# New points; the centring of their rows is forgotten."
    else:
        lines[0] = "# New points, not centred either."
    lines += ["z_new = rows @ alpha", 'print("z of new points =", z_new, sep="\\n")']
    return "\n".join(lines)


def _array(values: Array) -> str:
    if values.ndim == 1:
        return f"np.array([{_row(values)}])"
    rows = "".join(f"    [{_row(row)}],\n" for row in values)
    return f"np.array([\n{rows}])"


def _row(values: Array) -> str:
    return ", ".join(_literal(value) for value in values.tolist())


def _literal(value: float) -> str:
    if not np.isfinite(value):
        return f"np.{value}" if value > 0 or np.isnan(value) else "-np.inf"
    whole = abs(value) < 1e15 and value == int(value)
    return f"{int(value)}.0" if whole else repr(value)
