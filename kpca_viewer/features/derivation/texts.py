"""The derivation as text for other programs: LaTeX, and NumPy that runs by itself."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.projection import NOISE
from kpca_viewer.features.derivation.latex import STEPS, as_latex
from kpca_viewer.features.derivation.steps import Derivation
from kpca_viewer.support.numerals import counted

__all__ = ["LITERAL_UP_TO", "STEPS", "as_latex", "as_numpy"]

Array = NDArray[Any]

LITERAL_UP_TO = 50
"""Rows up to which the points themselves stand in the code."""


def as_numpy(derivation: Derivation, step: str | None = None) -> str:
    """Return a script that computes every step again, or the numbers of one step.

    Parameters
    ----------
    step : str, optional
        One of `STEPS`: an array of what is written out there.
    """
    if step is not None:
        return _numbers(derivation, step)
    parts = [
        '"""Kernel PCA, step by step."""',
        "import numpy as np",
        _data(derivation),
        _kernel(derivation),
        _centred(derivation),
        _solved(derivation),
        _scores(derivation),
    ]
    if derivation.new_rows:
        parts.append(_new_rows(derivation))
    return "\n\n".join(part for part in parts if part) + "\n"


def _data(derivation: Derivation) -> str:
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


def _kernel(derivation: Derivation) -> str:
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


def _centred(derivation: Derivation) -> str:
    if not derivation.center:
        return "# Not centred: K takes the place of the centred matrix.\ncentred = K"
    return (
        "# Centred in feature space.\n"
        "row_means, grand_mean = K.mean(axis=1), K.mean()\n"
        "centred = K - row_means[:, None] - row_means + grand_mean"
    )


def _solved(derivation: Derivation) -> str:
    k = derivation.k
    return (
        "# Eigenvalues, the largest first; u has columns of length 1.\n"
        "mu, u = np.linalg.eigh(centred)\n"
        f"mu, u = mu[::-1][:{k}], u[:, ::-1][:, :{k}]\n"
        f"{_turned(derivation)}\n"
        'print("mu =", mu)\n'
        'print("lambda = mu / n =", mu / n)'
    )


def _turned(derivation: Derivation) -> str:
    """Return code that gives every component the sign that it has in the window."""
    vectors = derivation.result.decomposition.eigenvectors
    rows = np.abs(vectors).argmax(axis=0)
    signs = np.where(vectors[rows, np.arange(len(rows))] < 0, -1, 1)
    return (
        "# A sign has no meaning; in the window these entries of u have these signs.\n"
        f"rows, signs = {rows.tolist()}, {signs.tolist()}\n"
        "u = u * np.where(u[rows, range(len(mu))] < 0, -1, 1) * signs"
    )


def _scores(derivation: Derivation) -> str:
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


def _new_rows(derivation: Derivation) -> str:
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


def _numbers(derivation: Derivation, step: str) -> str:
    """Return the numbers of one step as arrays."""
    named: dict[str, Callable[[], dict[str, Array | float | None]]] = {
        "points": lambda: {"X": derivation.points},
        "kernel": lambda: {"K": derivation.kernel_block},
        "means": lambda: {
            "row_means": derivation.row_means,
            "grand_mean": derivation.grand_mean,
        },
        "centred": lambda: {"centred": derivation.centred},
        "eigenvalues": lambda: {"mu": derivation.eigenvalues},
        "vectors": lambda: {"u": derivation.vectors},
        "coefficients": lambda: {"alpha": derivation.coefficients},
        "scores": lambda: {"z": derivation.scores},
        "new": lambda: {
            "new": np.array([new.point for new in derivation.new_rows]),
            "rows": np.array([new.kernel for new in derivation.new_rows]),
            "z_new": np.array([new.scores for new in derivation.new_rows]),
        },
    }
    lines = []
    if not derivation.is_whole and step != "eigenvalues":
        rows = ", ".join(" ".join(name.split()) for name in derivation.row_names)
        lines.append(f"# Rows {rows} of {counted(derivation.n)}.")
    for name, value in named[step]().items():
        if isinstance(value, float):
            lines.append(f"{name} = {value!r}")
        elif value is not None and value.size:
            lines.append(f"{name} = {_array(value)}")
    return "\n".join(lines) + "\n" if lines else ""


def _array(values: Array) -> str:
    """Return an array as Python writes it, a row a line."""
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
