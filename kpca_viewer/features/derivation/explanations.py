"""Where a number of the derivation comes from, computed with the actual numbers."""

from collections.abc import Sequence

import numpy as np

from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.compute import EQUAL, Derivation, without_noise
from kpca_viewer.features.derivation.grid_content import Explanation, Term
from kpca_viewer.features.derivation.numbers import adding_up, plain
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import (
    as_it_is,
    counted,
    lowered,
    percent,
    upper_bound,
)

MOST_TERMS = 12
"""Of a sum that stand alone; the others are one term together."""

ROUNDING = 1e-13
"""Part of the largest term below which another one is noise."""


def of_entry(derivation: Derivation, i: int, j: int) -> Explanation:
    a, b = derivation.rows[[i, j]].tolist()
    entry = float(derivation.kernel_block[i, j])
    number = _number(derivation, entry, derivation.errors.kernel)
    return Explanation(
        title=f"{_symbol(derivation, 'K', a, b)} = {number}",
        lines=tuple(_entry_lines(derivation, a, b, entry)),
        rows=_rows(a, b),
    )


def of_mean(derivation: Derivation, i: int) -> Explanation:
    row, n = int(derivation.rows[i]), counted(derivation.n)
    whole = derivation.kernel_rows.whole
    mean = _number(derivation, derivation.row_means[i], derivation.errors.means)
    name = derivation.name(row)
    lines = [text.ROW_MEAN_OVER.format(name=name, n=n)]
    terms: tuple[Term, ...] = ()
    if whole is not None:
        lines.append(f"{as_it_is(float(whole[i].sum()))} / {n} = {mean}")
        terms = _terms(derivation, whole[i], f"k(x{_index(derivation, row)}, x{{}})")
    else:
        lines.append(text.MEAN_OF_SOLVER)
    title = text.ROW_MEAN.format(name=name, mean=mean)
    return Explanation(title, tuple(lines), terms, (row,))


def of_grand_mean(derivation: Derivation) -> Explanation:
    n = counted(derivation.n)
    mean = _number(derivation, derivation.grand_mean, derivation.errors.means)
    lines = [text.GRAND_MEAN_OVER.format(n=n)]
    if derivation.is_whole:
        numbers = (
            _number(derivation, value, derivation.errors.means)
            for value in derivation.row_means
        )
        rows = " + ".join(f"({x})" if x.startswith("−") else x for x in numbers)
        lines.append(f"({rows}) / {n} = {mean}")
    return Explanation(text.GRAND_MEAN.format(mean=mean), tuple(lines))


def of_centred(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain an entry of K̃ by its four terms."""
    a, b = derivation.rows[[i, j]].tolist()
    total = float(derivation.centred[i, j])
    value = _number(derivation, total, derivation.errors.centred)
    title = f"{_symbol(derivation, 'K̃', a, b)} = {value}"
    if not derivation.center:
        why = (text.K_FOR_CENTRED,)
        return Explanation(title, why, rows=_rows(a, b), cells=(("kernel", i, j),))
    first, second = (
        Term(
            text.MEAN_OF_ROW.format(name=derivation.name(row)),
            float(derivation.row_means[place]),
            row,
        )
        for row, place in ((a, i), (b, j))
    )
    entry = float(derivation.kernel_block[i, j])
    symbol = _symbol(derivation, "K", a, b)
    lines, terms = _four_terms(derivation, Term(symbol, entry), first, second, total)
    cells = (("kernel", i, j), ("means", i, 0), ("means", j, 0))
    return Explanation(title, lines, terms, _rows(a, b), cells)


def _four_terms(
    derivation: Derivation, entry: Term, first: Term, second: Term, total: float
) -> tuple[tuple[str, ...], tuple[Term, ...]]:
    """Return an entry less two means plus the grand mean, as lines and as terms."""
    grand = derivation.grand_mean
    signed = entry.value, -first.value, -second.value, grand
    numbers, end = adding_up(signed, total, derivation.errors.means, _scale(derivation))
    lines = (
        text.FOUR_TERMS.format(
            entry=entry.label, first=first.label, second=second.label
        ),
        f"{_sum_of(numbers)} = {end}",
    )
    terms = (
        entry,
        Term(f"− {first.label}", -first.value, first.row),
        Term(f"− {second.label}", -second.value, second.row),
        Term(text.PLUS_GRAND_MEAN, grand),
    )
    return lines, terms


def of_eigenvalue(derivation: Derivation, j: int) -> Explanation:
    """Explain μ: its part of the trace, its variance and its bound."""
    mu, n = float(derivation.eigenvalues[j]), derivation.n
    error = float(derivation.errors.eigenvalues[j])
    scale = float(np.abs(derivation.eigenvalues).max(initial=0.0))
    shown, index = plain(mu, error, scale), lowered(j + 1)
    variance = plain(float(derivation.variances[j]), error / n, scale / n)
    spread = text.VARIANCE if derivation.center else text.MEAN_SQUARE
    lines = [
        text.STRETCHES.format(matrix=derivation.matrix, j=index, mu=shown),
        spread.format(j=index, mu=shown, n=counted(n), variance=variance, number=j + 1),
        text.SHARE.format(share=percent(float(derivation.result.shares[j]))),
    ]
    low, high = derivation.bounds[j].tolist()
    if error > 0:
        bound = upper_bound(max(mu - low, high - mu))
        lines.append(text.CERTAIN.format(bound=bound))
    if shown == "0":
        lines.append(text.NO_VARIANCE.format(number=j + 1))
    elif mu < 0:
        lines.append(text.NEGATIVE_VALUE.format(number=j + 1))
    return Explanation(f"μ{index} = {shown}", tuple(lines))


def of_vector(derivation: Derivation, i: int, j: int) -> Explanation:
    row, index = int(derivation.rows[i]), lowered(j + 1)
    name, matrix = derivation.name(row), derivation.matrix
    value = _entry(derivation, "vectors", i, j)
    vector = derivation.result.decomposition.eigenvectors[:, j]
    length = float(np.linalg.norm(np.asarray(vector, dtype=np.float64)))
    lines: tuple[str, ...] = (
        text.VECTOR_ENTRY.format(name=name, j=index, matrix=matrix),
        text.VECTOR_LENGTH.format(
            j=index, length=as_it_is(round(length, 9)), rows=_all_rows(derivation.n)
        ),
    )
    if derivation.without_direction[j]:
        lines, value = (text.ANY_VECTOR.format(j=index, matrix=matrix),), text.ANY
    elif equal := _equal_ones(derivation, j):
        lines = (*lines, text.TURNED_VECTORS.format(equal=equal))
    else:
        lines = (*lines, text.OTHER_SIGN.format(j=index))
    title = text.VECTOR.format(j=index, name=name, value=value)
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
    u, index = _entry(derivation, "vectors", i, j), lowered(j + 1)
    shown = plain(
        mu,
        float(derivation.errors.eigenvalues[j]),
        float(np.abs(derivation.eigenvalues).max(initial=0.0)),
    )
    root = f"√{shown}" if shown.isdecimal() else f"√({shown})"
    if not derivation.normalised:
        lines = [text.FORGOTTEN_ROOT.format(j=index, u=u)]
        if mu > 0 and derivation.coefficients[:, j].any():
            right = as_it_is(float(derivation.vectors[i, j]) / mu**0.5)
            lines.append(text.RIGHT_COEFFICIENT.format(u=u, root=root, right=right))
    elif not _has_scores(derivation, j):
        lines = [text.NO_ROOT.format(j=index, mu=shown)]
    else:
        lines = [text.ROOT.format(u=u, root=root, value=value), text.LENGTH_ONE]
    title = text.COEFFICIENT.format(j=index, name=derivation.name(row), value=value)
    cells = (("vectors", i, j), ("eigenvalues", j, 0))
    return Explanation(title, tuple(lines), rows=(row,), cells=cells)


def of_score(derivation: Derivation, i: int, j: int) -> Explanation:
    """Explain a score z: the sum Σ α K̃ over all rows."""
    row, score = int(derivation.rows[i]), float(derivation.scores[i, j])
    index, matrix = _index(derivation, row), derivation.matrix
    label = f"α{{0}}·{matrix}{{0}},{index}"
    if derivation.n < 10:
        label = label.replace(",", "")
    whole = derivation.kernel_rows.whole_centred
    lines, terms = _sum(
        derivation,
        j,
        f"{matrix}ᵢ,{index}",
        label,
        score,
        None if whole is None else whole[i],
        derivation.centred[i],
    )
    cells = tuple(
        cell
        for at in range(len(derivation.rows))
        for cell in (("coefficients", at, j), ("centred", i, at))
    )
    value = _entry(derivation, "scores", i, j)
    title = text.SCORE.format(j=lowered(j + 1), name=derivation.name(row), value=value)
    return Explanation(title, lines, terms, (row,), cells)


def of_new_entry(derivation: Derivation, new: int, i: int) -> Explanation:
    """Explain ``k(x_i, x*)`` of a new point and a row."""
    row, point = int(derivation.rows[i]), derivation.new_rows[new]
    entry = float(point.kernel[i])
    title = f"k(x{_index(derivation, row)}, x*) = {as_it_is(entry)}"
    lines = _written(derivation, _scaled_row(derivation, row), point.point, entry)
    return Explanation(title, tuple(lines), rows=(row,))


def of_new_centred(derivation: Derivation, new: int, i: int) -> Explanation:
    """Explain the centred entry of a new point by its four terms."""
    row, point = int(derivation.rows[i]), derivation.new_rows[new]
    total, index = float(point.centred[i]), _index(derivation, row)
    title = f"k̃(x{index}, x*) = {as_it_is(total)}"
    if not point.is_centred:
        why = text.NEW_FORGOTTEN if derivation.center else text.NEW_NOT_CENTRED
        return Explanation(title, (why,), rows=(row,))
    name = text.MEAN_OF_ROW.format(name=derivation.name(row))
    lines, terms = _four_terms(
        derivation,
        Term(f"k(x{index}, x*)", float(point.kernel[i])),
        Term(name, float(derivation.row_means[i]), row),
        Term(text.MEAN_OF_NEW, point.mean),
        total,
    )
    lines = (*lines, text.TRAINING_MEANS)
    return Explanation(title, lines, terms, (row,), (("means", i, 0),))


def of_new_score(derivation: Derivation, new: int, j: int) -> Explanation:
    """Explain a score of a new point: the sum Σ α k̃ over all rows."""
    point = derivation.new_rows[new]
    score = float(point.scores[j])
    what = "k̃" if point.is_centred else "k"
    lines, terms = _sum(
        derivation,
        j,
        f"{what}(xᵢ, x*)",
        f"α{{0}}·{what}(x{{0}}, x*)",
        score,
        point.whole_centred,
        point.centred,
    )
    if derivation.center and not point.is_centred:
        lines = (*lines, text.NEW_FORGOTTEN)
    value = _score_text(derivation, score, j)
    cells = tuple(("coefficients", at, j) for at in range(len(derivation.rows)))
    title = text.NEW_SCORE.format(j=lowered(j + 1), value=value)
    return Explanation(title, lines, terms, cells=cells)


def _sum(
    derivation: Derivation,
    j: int,
    term: str,
    label: str,
    score: float,
    whole: Array | None,
    shown: Array,
) -> tuple[tuple[str, ...], tuple[Term, ...]]:
    """Return Σ α k̃ along a component, as lines and as terms."""
    alpha, total = derivation.alpha(j), score
    if whole is not None:
        products = alpha * whole
        terms, total = _terms(derivation, products, label), float(products.sum())
    else:
        products = alpha[derivation.rows] * shown
        terms = _some_terms(derivation, products, score, label)
    index = lowered(j + 1)
    lines = [text.SUM.format(j=index, term=term, rows=_all_rows(derivation.n))]
    if not _has_scores(derivation, j):
        return (*lines, text.NO_SCORE.format(j=index)), terms
    lines.append(text.TOTAL.format(total=_score_text(derivation, total, j)))
    if abs(total - score) > 1e-6 * max(_score_scale(derivation, j), abs(total)):
        lines.append(text.WINDOW_SHOWS.format(score=as_it_is(score)))
    return tuple(lines), terms


def _score_text(derivation: Derivation, score: float, j: int) -> str:
    error = float(derivation.errors.scores[j])
    return plain(score, error, max(_score_scale(derivation, j), abs(score)))


def _score_scale(derivation: Derivation, j: int) -> float:
    return float(np.abs(derivation.result.scores[:, j]).max(initial=0.0))


def _terms(derivation: Derivation, values: Array, label: str) -> tuple[Term, ...]:
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
        Term(label.format(_index(derivation, row)), float(values[row]), row)
        for row in order.tolist()
    ]
    if left := len(values) - count:
        rest = float(values.sum() - values[order].sum())
        terms.append(Term(text.OTHER_TERMS.format(count=counted(left)), rest))
    return tuple(terms)


def _some_terms(
    derivation: Derivation, values: Array, total: float, label: str
) -> tuple[Term, ...]:
    """Return the summands of the rows that are written out, and the rest as one."""
    order = np.argsort(-np.abs(values), kind="stable")
    rows = derivation.rows[order].tolist()
    terms = [
        Term(label.format(_index(derivation, row)), float(value), row)
        for row, value in zip(rows, values[order], strict=True)
    ]
    left = text.OTHER_TERMS.format(count=counted(derivation.n - len(values)))
    return (*terms, Term(left, total - float(values.sum())))


def _has_scores(derivation: Derivation, j: int) -> bool:
    """Whether a component has an eigenvalue above zero."""
    return bool(derivation.scores[:, j].any() or derivation.alpha(j).any())


def _entry_lines(derivation: Derivation, a: int, b: int, entry: float) -> list[str]:
    dataset = derivation.result.dataset
    if dataset.kind == "kernel":
        return [text.AS_GIVEN]
    if dataset.kind == "distances":
        d = (float(dataset.points[a, b]) + float(dataset.points[b, a])) / 2
        return [text.DISTANCE_ENTRY.format(distance=as_it_is(d), entry=as_it_is(entry))]
    x, y = (_scaled_row(derivation, row) for row in (a, b))
    return _written(derivation, x, y, entry)


def _written(derivation: Derivation, x: Array, y: Array, entry: float) -> list[str]:
    kernel = derivation.result.kernel
    assert kernel is not None
    x, y = without_noise(np.array([x, y]))
    lines = kernel.family.computation.written(x, y, kernel.values, entry)
    if len(x) > 2 and "…" in lines[0]:
        lines.append(text.REST_OF_FEATURES.format(d=counted(len(x))))
    if derivation.is_scaled:
        lines.append(text.SCALED_PAIR)
    return lines


def _scaled_row(derivation: Derivation, row: int) -> Array:
    """Return a row of the data as the kernel sees it, shape (d,)."""
    some = derivation.result.points.take(np.array([row])).dense()
    return np.asarray(some[0], dtype=np.float64)


def _entry(derivation: Derivation, step: str, i: int, j: int) -> str:
    values: Array = getattr(derivation, step)
    errors: Array = getattr(derivation.errors, step)
    scale = float(np.abs(values[:, j]).max(initial=0.0))
    return plain(float(values[i, j]), float(errors[j]), scale)


def _number(derivation: Derivation, value: float, error: float) -> str:
    return plain(float(value), error, _scale(derivation))


def _scale(derivation: Derivation) -> float:
    return float(np.abs(derivation.kernel_block).max(initial=0.0))


def _sum_of(numbers: Sequence[str]) -> str:
    """Join numbers with their signs: "1600 − 806.667 + 965.778"."""
    first, *others = numbers
    parts = [
        f"− {number[1:]}" if number.startswith("−") else f"+ {number}"
        for number in others
    ]
    return " ".join([first, *parts])


def _rows(*rows: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(rows))


def _all_rows(n: int) -> str:
    return text.ONLY_ROW if n == 1 else text.ALL_ROWS.format(n=counted(n))


def _index(derivation: Derivation, row: int) -> str:
    """Return the number of a row as an index; rows count from 1 in their source."""
    return lowered(derivation.result.dataset.row_number(row))


def _symbol(derivation: Derivation, matrix: str, a: int, b: int) -> str:
    """Return the symbol of an entry: "K₂₃", "K₁₂,₃"."""
    first, second = (_index(derivation, row) for row in (a, b))
    apart = "" if len(first) == len(second) == 1 else ","
    return f"{matrix}{first}{apart}{second}"
