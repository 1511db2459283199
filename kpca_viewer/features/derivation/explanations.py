"""Where a number of the derivation comes from: its computation with the actual numbers.

Every function takes positions among the rows that are written out (``i``, ``j`` of a
matrix) or a component (``j`` of μ, u, α and z), from 0; texts count from 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.features.derivation.compute import EQUAL, Derivation, without_noise
from kpca_viewer.features.derivation.numbers import adding_up, plain
from kpca_viewer.support.numerals import as_it_is, counted, percent, upper_bound

Array = NDArray[Any]

MOST_TERMS = 12
"""Of a sum that stand alone; the others are one term together."""

ROUNDING = 1e-13
"""Part of the largest term below which another one is noise."""

_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Term:
    """One summand, for a signed bar."""

    label: str
    value: float
    row: int | None = None
    """Of the data; None for what belongs to no single row."""


@dataclass(frozen=True)
class Explanation:
    """What a number says when it is asked where it comes from."""

    title: str
    lines: tuple[str, ...]
    """Plain text, to be read from top to bottom."""
    terms: tuple[Term, ...] = ()
    """Summands that stand as bars, the largest first; empty where there is no sum."""
    rows: tuple[int, ...] = ()
    """Rows of the data that light up."""
    cells: tuple[tuple[str, int, int], ...] = ()
    """Other numbers that take part: step ("kernel", "means", "centred", "eigenvalues",
    "vectors", "coefficients", "scores"), row and column there."""


def all_rows(n: int) -> str:
    """Return "all 3 rows"."""
    return "the only row" if n == 1 else f"all {counted(n)} rows"


def lowered(number: int) -> str:
    """Return an index as it stands behind its symbol: "₁₂"."""
    return str(number).translate(_LOWERED)


def sum_lines(
    derivation: Derivation, j: int, what: str, total: float, score: float
) -> tuple[str, ...]:
    """Say what is summed up, its total, and where the window knows fewer digits."""
    symbol = lowered(j + 1)
    lines = [f"z{symbol} = Σᵢ αᵢ {what}, over {all_rows(derivation.n)}."]
    if not is_live(derivation, j):
        lines.append(f"μ{symbol} is not above 0: every α is 0, and so is the score.")
        return tuple(lines)
    scale = score_scale(derivation, j)
    lines.append(f"The sum is {score_text(derivation, total, j)}.")
    if abs(total - score) > 1e-6 * max(scale, abs(total)):
        lines.append(
            f"The window shows {as_it_is(score)}: the model of many rows knows the "
            "sum to its own digits."
        )
    return tuple(lines)


def score_text(derivation: Derivation, score: float, j: int) -> str:
    """Return a score along a component as it is written."""
    error = float(derivation.errors.scores[j])
    return plain(score, error, max(score_scale(derivation, j), abs(score)))


def score_scale(derivation: Derivation, j: int) -> float:
    """Return the largest score of all rows along a component."""
    return float(np.abs(derivation.result.scores[:, j]).max(initial=0.0))


def terms_of(derivation: Derivation, values: Array, label: str) -> tuple[Term, ...]:
    """Return the summands of all rows, the largest first, the small ones as one."""
    count = MOST_TERMS if len(values) > MOST_TERMS + 1 else len(values)
    sizes = np.abs(values)
    # What is nothing but rounding beside the others is nothing.
    values = np.where(sizes > ROUNDING * sizes.max(initial=0.0), values, 0.0)
    if count < len(values):
        first = np.argpartition(-sizes, count)[:count]
    else:
        first = np.arange(len(values))
    order = first[np.argsort(-sizes[first], kind="stable")]
    terms = [
        Term(label.format(index_of(derivation, row)), float(values[row]), row)
        for row in order.tolist()
    ]
    left = len(values) - count
    if left:
        rest = float(values.sum() - values[order].sum())
        terms.append(Term(f"{counted(left)} others", rest))
    return tuple(terms)


def some_terms(
    derivation: Derivation, values: Array, total: float, label: str
) -> tuple[Term, ...]:
    """Return the summands of the rows that are written out, and the rest as one."""
    order = np.argsort(-np.abs(values), kind="stable")
    terms = [
        Term(
            label.format(index_of(derivation, int(derivation.rows[at]))),
            float(values[at]),
            int(derivation.rows[at]),
        )
        for at in order.tolist()
    ]
    left = derivation.n - len(values)
    rest = total - float(values.sum())
    return (*terms, Term(f"{counted(left)} others", rest))


def is_live(derivation: Derivation, j: int) -> bool:
    """Whether a component has an eigenvalue above zero, and so scores."""
    return bool(derivation.scores[:, j].any() or derivation.alpha(j).any())


def index_of(derivation: Derivation, row: int) -> str:
    """Return the number of a row as an index; rows count from 1 in their source."""
    return lowered(derivation.result.dataset.row_number(row))


def entry_of(derivation: Derivation, matrix: str, a: int, b: int) -> str:
    """Return the symbol of an entry: "K₂₃", "K₁₂,₃"."""
    first, second = (index_of(derivation, row) for row in (a, b))
    apart = "" if len(first) == len(second) == 1 else ","
    return f"{matrix}{first}{apart}{second}"


def of_entry(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain an entry of K."""
    a, b = derivation.rows[[i, j]].tolist()
    entry = float(derivation.kernel_block[i, j])
    lines = _entry_lines(derivation, a, b, entry)
    return Explanation(
        title=f"{entry_of(derivation, 'K', a, b)} = "
        f"{_number(derivation, entry, derivation.errors.kernel)}",
        lines=tuple(lines),
        rows=_rows(a, b),
    )


def of_mean(derivation: Derivation, i: int) -> Explanation:
    """Explain the mean of a row of K."""
    row = int(derivation.rows[i])
    whole = derivation.kernel_rows.whole
    mean = _number(derivation, derivation.row_means[i], derivation.errors.means)
    name = derivation.name(row)
    lines = [f"The mean of row {name} of K over all {counted(derivation.n)} columns."]
    terms: tuple[Term, ...] = ()
    if whole is not None:
        total = float(whole[i].sum())
        lines.append(f"{as_it_is(total)} / {counted(derivation.n)} = {mean}")
        labels = f"k(x{index_of(derivation, row)}, x{{}})"
        terms = terms_of(derivation, whole[i], labels)
    else:
        lines.append("Of so many rows, the mean is the one that the solver has found.")
    return Explanation(f"Mean of row {name} = {mean}", tuple(lines), terms, (row,))


def of_grand_mean(derivation: Derivation) -> Explanation:
    """Explain the mean of all of K."""
    n = counted(derivation.n)
    mean = _number(derivation, derivation.grand_mean, derivation.errors.means)
    lines = [f"The mean of all {n} × {n} entries of K, and of its {n} row means."]
    if derivation.is_whole:
        rows = " + ".join(
            _number(derivation, value, derivation.errors.means, around=True)
            for value in derivation.row_means
        )
        lines.append(f"({rows}) / {n} = {mean}")
    return Explanation(f"Grand mean = {mean}", tuple(lines))


def of_centred(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain an entry of K̃ by its four terms."""
    a, b = derivation.rows[[i, j]].tolist()
    errors = derivation.errors
    value = _number(derivation, derivation.centred[i, j], errors.centred)
    title = f"{entry_of(derivation, 'K̃', a, b)} = {value}"
    cells: tuple[tuple[str, int, int], ...] = (("kernel", i, j),)
    entry = float(derivation.kernel_block[i, j])
    if not derivation.center:
        why = "K is not centred: K takes the place of K̃."
        return Explanation(title, (why,), rows=_rows(a, b), cells=cells)
    means = [float(derivation.row_means[place]) for place in (i, j)]
    signed = entry, -means[0], -means[1], derivation.grand_mean
    scale = float(np.abs(derivation.kernel_block).max(initial=0.0))
    total = float(derivation.centred[i, j])
    numbers, end = adding_up(signed, total, errors.means, scale)
    symbol = entry_of(derivation, "K", a, b)
    names = [derivation.name(row) for row in (a, b)]
    lines = (
        f"{symbol} − mean of row {names[0]} − mean of row {names[1]} + grand mean",
        f"{_sum_of(numbers)} = {end}",
    )
    terms = (
        Term(symbol, entry),
        Term(f"− mean of row {names[0]}", -means[0], a),
        Term(f"− mean of row {names[1]}", -means[1], b),
        Term("+ grand mean", derivation.grand_mean),
    )
    cells = (*cells, ("means", i, 0), ("means", j, 0))
    return Explanation(title, lines, terms, _rows(a, b), cells)


def of_eigenvalue(derivation: Derivation, j: int) -> Explanation:
    """Explain μ: its part of the trace, its variance and its bound."""
    mu, n = float(derivation.eigenvalues[j]), derivation.n
    error = float(derivation.errors.eigenvalues[j])
    scale = float(np.abs(derivation.eigenvalues).max(initial=0.0))
    symbol, shown = f"μ{lowered(j + 1)}", plain(mu, error, scale)
    matrix = "K̃" if derivation.center else "K"
    what = "variance" if derivation.center else "mean square"
    variance = plain(float(derivation.variances[j]), error / n, scale / n)
    lines = [
        f"{matrix}u = μu: {matrix} makes the vector u{lowered(j + 1)} {shown} times "
        "as long.",
        f"λ{lowered(j + 1)} = μ/n = {shown} / {counted(n)} = {variance}, the {what} "
        f"along PC {j + 1}.",
        f"Its share is {percent(float(derivation.result.shares[j]))}.",
    ]
    low, high = derivation.bounds[j].tolist()
    if error > 0:
        lines.append(f"Certain to ±{upper_bound(max(mu - low, high - mu))}.")
    if plain(mu, error, scale) == "0":
        lines.append(f"PC {j + 1} has no variance: its scores are 0.")
    elif mu < 0:
        lines.append(
            "It is negative: K is not positive semi-definite, √μ does not exist, "
            f"and PC {j + 1} has no scores."
        )
    return Explanation(f"{symbol} = {shown}", tuple(lines))


def of_vector(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain an entry of the eigenvector u."""
    row = int(derivation.rows[i])
    value = _entry(derivation, "vectors", i, j)
    matrix = "K̃" if derivation.center else "K"
    vector = derivation.result.decomposition.eigenvectors[:, j]
    length = float(np.linalg.norm(np.asarray(vector, dtype=np.float64)))
    lines: tuple[str, ...] = (
        f"The entry of row {derivation.name(row)} in the unit vector "
        f"u{lowered(j + 1)} with {matrix}u = μu.",
        f"‖u{lowered(j + 1)}‖ = {as_it_is(round(length, 9))} over "
        f"{all_rows(derivation.n)}.",
    )
    if derivation.without_direction[j]:
        lines = (
            f"μ{lowered(j + 1)} = 0: every vector with {matrix}u = 0 is as right, and "
            "none of them says anything about the data.",
        )
        value = "any"
    elif equal := _equal_ones(derivation, j):
        lines = (*lines, f"{equal}: turned among themselves, these u are as right.")
    else:
        lines = (*lines, f"−u{lowered(j + 1)} is as right.")
    title = f"u{lowered(j + 1)} of row {derivation.name(row)} = {value}"
    return Explanation(title, lines, rows=(row,), cells=(("eigenvalues", j, 0),))


def _equal_ones(derivation: Derivation, j: int) -> str:
    """Return the eigenvalues that are one: "μ₁ = μ₂"; empty if it stands alone."""
    values = derivation.eigenvalues
    apart = EQUAL * float(np.abs(values).max(initial=0.0))
    same = np.flatnonzero(np.abs(values - values[j]) <= apart).tolist()
    return " = ".join(f"μ{lowered(i + 1)}" for i in same) if len(same) > 1 else ""


def of_coefficient(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain a dual coefficient α: the eigenvector over √μ."""
    row, mu = int(derivation.rows[i]), float(derivation.eigenvalues[j])
    value = _entry(derivation, "coefficients", i, j)
    u = _entry(derivation, "vectors", i, j)
    shown = plain(
        mu,
        float(derivation.errors.eigenvalues[j]),
        float(np.abs(derivation.eigenvalues).max(initial=0.0)),
    )
    root = f"√{shown}" if shown.isdecimal() else f"√({shown})"
    symbol = f"α{lowered(j + 1)}"
    if not derivation.normalised:
        lines = [f"1/√μ is forgotten: {symbol} = u{lowered(j + 1)} = {u}."]
        if mu > 0 and derivation.coefficients[:, j].any():
            right = as_it_is(float(derivation.vectors[i, j]) / mu**0.5)
            lines.append(f"Right would be u/√μ = {u} / {root} = {right}.")
    elif not is_live(derivation, j):
        lines = [f"μ{lowered(j + 1)} = {shown} has no 1/√μ: {symbol} is 0."]
    else:
        lines = [
            f"u/√μ = {u} / {root} = {value}",
            "so that the direction Σᵢ αᵢ φ̃(xᵢ) in feature space has the length 1.",
        ]
    title = f"{symbol} of row {derivation.name(row)} = {value}"
    cells = (("vectors", i, j), ("eigenvalues", j, 0))
    return Explanation(title, tuple(lines), rows=(row,), cells=cells)


def of_score(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain a score z: the sum Σ α K̃ over all rows."""
    row = int(derivation.rows[i])
    value = _entry(derivation, "scores", i, j)
    title = f"z{lowered(j + 1)} of row {derivation.name(row)} = {value}"
    whole = derivation.kernel_rows.whole_centred
    alpha = derivation.alpha(j)
    score = float(derivation.scores[i, j])
    matrix = "K̃" if derivation.center else "K"
    index = index_of(derivation, row)
    label = f"α{{0}}·{matrix}{{0}},{index}"
    if derivation.n < 10:
        label = label.replace(",", "")
    if whole is not None:
        products = alpha * whole[i]
        terms = terms_of(derivation, products, label)
        total = float(products.sum())
    else:
        shown = alpha[derivation.rows] * derivation.centred[i]
        terms = some_terms(derivation, shown, score, label)
        total = score
    lines = sum_lines(derivation, j, f"{matrix}ᵢ,{index}", total, score)
    cells = tuple(
        cell
        for at in range(len(derivation.rows))
        for cell in (("coefficients", at, j), ("centred", i, at))
    )
    return Explanation(title, lines, terms, (row,), cells)


def of_new_entry(derivation: Derivation, new: int, i: int) -> Explanation:
    """Explain ``k(x_i, x*)`` of a new point and a row."""
    row, point = int(derivation.rows[i]), derivation.new_rows[new]
    entry = float(point.kernel[i])
    title = f"k(x{index_of(derivation, row)}, x*) = {as_it_is(entry)}"
    known = _seen(derivation, row)
    lines = _written(derivation, known, point.point, entry)
    return Explanation(title, tuple(lines), rows=(row,))


def of_new_centred(derivation: Derivation, new: int, i: int) -> Explanation:
    """Explain the centred entry of a new point by its four terms."""
    row, point = int(derivation.rows[i]), derivation.new_rows[new]
    name = derivation.name(row)
    value = as_it_is(float(point.centred[i]))
    title = f"k̃(x{index_of(derivation, row)}, x*) = {value}"
    entry = float(point.kernel[i])
    if not point.is_centred:
        why = "K is not centred, and so the new row is not."
        if derivation.center:
            why = "The centring of the new row is forgotten."
        return Explanation(title, (why,), rows=(row,))
    mean, grand = float(derivation.row_means[i]), derivation.grand_mean
    scale = float(np.abs(derivation.kernel_block).max(initial=0.0))
    signed = entry, -mean, -point.mean, grand
    error = derivation.errors.means
    numbers, total = adding_up(signed, float(point.centred[i]), error, scale)
    names = (f"k(x{index_of(derivation, row)}, x*)", f"mean of row {name}")
    lines = (
        f"{names[0]} − {names[1]} − mean of k(xᵢ, x*) + grand mean",
        f"{_sum_of(numbers)} = {total}",
        "Row mean and grand mean are those of the training rows.",
    )
    terms = (
        Term(names[0], entry),
        Term(f"− {names[1]}", -mean, row),
        Term("− mean of k(xᵢ, x*)", -point.mean),
        Term("+ grand mean", grand),
    )
    return Explanation(title, lines, terms, (row,), (("means", i, 0),))


def of_new_score(derivation: Derivation, new: int, j: int) -> Explanation:
    """Explain a score of a new point: the sum Σ α k̃ over all rows."""
    point = derivation.new_rows[new]
    score = float(point.scores[j])
    alpha, total = derivation.alpha(j), score
    what = "k̃" if point.is_centred else "k"
    label = f"α{{0}}·{what}(x{{0}}, x*)"
    if point.whole_centred is not None:
        products = alpha * point.whole_centred
        terms = terms_of(derivation, products, label)
        total = float(products.sum())
    else:
        shown = alpha[derivation.rows] * point.centred
        terms = some_terms(derivation, shown, score, label)
    lines = sum_lines(derivation, j, f"{what}(xᵢ, x*)", total, score)
    if derivation.center and not point.is_centred:
        lines = (*lines, "The centring of the new row is forgotten.")
    shown_score = score_text(derivation, score, j)
    title = f"z{lowered(j + 1)} of the new point = {shown_score}"
    cells = tuple(("coefficients", at, j) for at in range(len(derivation.rows)))
    return Explanation(title, lines, terms, cells=cells)


def _entry_lines(derivation: Derivation, a: int, b: int, entry: float) -> list[str]:
    dataset = derivation.result.dataset
    if dataset.kind == "kernel":
        return ["As it was given."]
    if dataset.kind == "distances":
        d = (float(dataset.points[a, b]) + float(dataset.points[b, a])) / 2
        return [f"−d²/2 = −{as_it_is(d)}²/2 = {as_it_is(entry)}"]
    return _written(derivation, _seen(derivation, a), _seen(derivation, b), entry)


def _written(derivation: Derivation, x: Array, y: Array, entry: float) -> list[str]:
    kernel = derivation.result.kernel
    assert kernel is not None
    x, y = without_noise(np.array([x, y]))
    lines = kernel.family.computation.written(x, y, kernel.values, entry)
    if len(x) > 2 and "…" in lines[0]:
        lines.append(f"… stands for the rest of {counted(len(x))} features.")
    if derivation.is_scaled:
        lines.append("x and y are the scaled values that the kernel sees.")
    return lines


def _seen(derivation: Derivation, row: int) -> Array:
    """Return a row of the data as it is scaled, shape (d,)."""
    some = derivation.result.points.take(np.array([row])).dense()
    return np.asarray(some[0], dtype=np.float64)


def _entry(derivation: Derivation, step: str, i: int, j: int) -> str:
    values: Array = getattr(derivation, step)
    errors: Array = getattr(derivation.errors, step)
    scale = float(np.abs(values[:, j]).max(initial=0.0))
    return plain(float(values[i, j]), float(errors[j]), scale)


def _number(
    derivation: Derivation, value: float, error: float, *, around: bool = False
) -> str:
    scale = float(np.abs(derivation.kernel_block).max(initial=0.0))
    text = plain(float(value), error, scale)
    return f"({text})" if around and text.startswith("−") else text


def _sum_of(numbers: Sequence[str]) -> str:
    """Join numbers with their signs: "1600 − 806.667 + 965.778"."""
    first, *others = numbers
    parts = [
        f"− {text[1:]}" if text.startswith("−") else f"+ {text}" for text in others
    ]
    return " ".join([first, *parts])


def _around(value: float) -> str:
    text = as_it_is(value)
    return f"({text})" if text.startswith("−") else text


def _rows(*rows: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(rows))
