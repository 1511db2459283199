"""What must hold if every step was done: measured on the numbers, never asserted."""

from dataclasses import dataclass

import numpy as np

from kpca_viewer.core.linalg.eigenpairs import NOISE
from kpca_viewer.core.projection import coefficient_factors
from kpca_viewer.core.solvers.problem import positive_part
from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.compute import EPS, Derivation
from kpca_viewer.features.derivation.numbers import plain
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import as_it_is, counted, lowered, percent

ALLOWED = 1e-9
"""Part of a number by which rounding may miss it, beside what its bound allows."""


VAGUE = 0.01
"""Part of a number by which it may be wrong before a check of it says nothing."""

MOST_PRODUCTS = 5_000_000
"""Of scores, that are summed up within a frame."""


@dataclass(frozen=True)
class Check:
    """One statement, with what was measured."""

    text: str
    """The statement: "αᵀK̃α = 1 (PC 1)"."""
    value: float
    """As it was measured."""
    expected: float
    """As it should be; for "at most", the most that may be."""
    holds: bool | None
    """None where too little is known to tell."""
    measured: str
    """What was measured, in words: "1.531 instead of 1"."""
    step: str = ""
    """The step that it stands beside: "centred", "eigenvalues", "coefficients" or
    "scores"."""
    component: int | None = None
    """From 0, where it is about one of them."""


def checks(derivation: Derivation) -> list[Check]:
    return [
        *_of_kernel(derivation),
        _row_sums(derivation),
        _trace(derivation),
        _count(derivation),
        *_definite(derivation),
        *_of_components(derivation),
        *_of_scores(derivation),
    ]


def _of_kernel(derivation: Derivation) -> list[Check]:
    """``K = Kᵀ``, and ``K_ii = 1`` where the kernel says so."""
    K, kernel = derivation.kernel_block, derivation.result.kernel
    size = float(np.abs(K).max(initial=0.0))
    allowed = 2 * derivation.errors.kernel + 16 * EPS * size
    largest = float(np.abs(K - K.T).max(initial=0.0))
    words = text.LARGEST_DIFFERENCE.format(
        value=plain(largest, allowed, max(size, allowed * 1e7))
    )
    found = [Check("K = Kᵀ", largest, 0.0, largest <= allowed, words, "kernel")]
    if kernel is not None and kernel.family.unit_diagonal:
        away = float(np.abs(np.diagonal(K) - 1).max(initial=0.0))
        words = text.LARGEST_DIFFERENCE.format(value=plain(away, allowed, 1.0))
        found += [Check("Kᵢᵢ = 1", away, 0.0, away <= allowed, words, "kernel")]
    return found


def _definite(derivation: Derivation) -> list[Check]:
    """No eigenvalue below 0, where all are known."""
    found = derivation.result.decomposition
    if not found.complete:
        return []
    least = float(np.min(found.spectrum))
    error = eigenvalue_error(derivation) + ALLOWED * _scale(derivation)
    words = text.SMALLEST_VALUE.format(value=plain(least, error, _scale(derivation)))
    name = text.SEMI_DEFINITE.format(matrix=derivation.matrix)
    kernel = derivation.result.kernel
    if kernel is not None and not kernel.psd and least >= -error:
        words = text.OF_THESE_ALONE.format(words=words)
    return [Check(name, least, 0.0, least >= -error, words, "eigenvalues")]


def _row_sums(derivation: Derivation) -> Check:
    """``K̃·1 = 0``: every row of the centred matrix sums to zero."""
    known = derivation.kernel_rows
    rows = known.matrix_centred
    if rows is None:
        rows = known.whole_centred
    name = f"{derivation.matrix}·1 = 0"
    if rows is None:
        words = text.TOO_MANY_ROWS.format(n=counted(derivation.n))
        return Check(name, np.nan, 0.0, None, words, "centred")
    sums = rows.sum(axis=1)
    largest = float(np.abs(sums).max(initial=0.0))
    size = float(np.abs(known.block).max(initial=0.0))
    allowed = derivation.n * (16 * EPS * size + derivation.errors.kernel)
    # The means of many rows are the model's: as good as its eigenvalues.
    allowed += derivation.result.decomposition.error * _scale(derivation)
    words = text.LARGEST_ROW_SUM.format(
        value=plain(largest, allowed, max(size, allowed * 1e7))
    )
    return Check(name, largest, 0.0, largest <= allowed, words, "centred")


def _trace(derivation: Derivation) -> Check:
    """``Σμ = tr K̃``, where all eigenvalues are known."""
    found = derivation.result.decomposition
    matrix = derivation.kernel_rows.matrix_centred
    trace = float(np.trace(matrix)) if matrix is not None else float(found.trace)
    known = np.asarray(found.spectrum, dtype=np.float64)
    total, name = float(known.sum()), derivation.matrix
    error = eigenvalue_error(derivation) * len(known) + ALLOWED * _scale(derivation)
    if matrix is not None:
        error += _trace_rounding(derivation)
    scale = max(_scale(derivation), error * 1e7)
    shown = [plain(value, error, scale) for value in (total, trace)]
    if found.complete:
        holds = abs(total - trace) <= error
        words = text.TRACES.format(total=shown[0], trace=shown[1])
        if not holds and shown[0] == shown[1]:
            words = text.BUT_FOR.format(
                value=shown[0], difference=as_it_is(total - trace)
            )
        return Check(f"Σμ = tr {name}", total, trace, holds, words, "eigenvalues")
    share = percent(total / trace) if trace > 0 else ""
    words = text.PART_OF_TRACE.format(
        count=counted(len(known)),
        n=counted(derivation.n),
        total=shown[0],
        part=text.PART_OF_IT.format(share=share) if share else "",
        matrix=name,
        trace=shown[1],
    )
    exceeded = found.psd and total > trace + error
    statement = f"Σμ ≤ tr {name}" if found.psd else f"Σμ = tr {name}"
    known_to_hold = not exceeded if found.psd else None
    return Check(statement, total, trace, known_to_hold, words, "eigenvalues")


def _trace_rounding(derivation: Derivation) -> float:
    """Bound what rounding adds to tr K̃ as it is formed here, from K and its means."""
    # Far from the origin the entries of K are large and nearly equal, and centring
    # takes most of their digits away; the solver moves points to their mean before.
    matrix = derivation.kernel_rows.matrix
    size = 0.0 if matrix is None else float(np.abs(matrix).max(initial=0.0))
    return derivation.n * (derivation.errors.centred + 16 * EPS * size)


def _count(derivation: Derivation) -> Check:
    """At most n components, and n − 1 where centred rows sum to zero."""
    found, n = derivation.result.decomposition, derivation.n
    most, symbol = (n - 1, "n − 1") if derivation.center else (n, "n")
    values = np.asarray(found.spectrum, dtype=np.float64)
    noise = NOISE[found.eigenvectors.dtype] * values.max(initial=0.0)
    noise = max(noise, eigenvalue_error(derivation))
    count = int((values > noise).sum())
    among = text.AMONG_KNOWN.format(count=counted(len(values)))
    words = text.POSITIVE_VALUES.format(
        count=counted(count), among="" if found.complete else among
    )
    statement = text.MOST_COMPONENTS.format(symbol=symbol, count=counted(most))
    return Check(statement, count, most, count <= most, words, "eigenvalues")


def _of_components(derivation: Derivation) -> list[Check]:
    """``αᵀK̃α = 1`` and ``zᵀz = μ`` of every component that has scores."""
    found, name = derivation.result.decomposition, derivation.matrix
    lengths, squares = _measured(derivation)
    first, second = [], []
    for j in np.flatnonzero(positive_part(found) > 0).tolist():
        symbol, mu = lowered(j + 1), float(derivation.eigenvalues[j])
        allowed = _relative(derivation, j)
        length, square = float(lengths[j]), float(squares[j])
        # Of eigenvalues that count as one, αᵀK̃α is a mean over the μ of this one.
        mixed = allowed + float(derivation.errors.spreads[j]) / mu
        words, holds = _compared(length, 1.0, mixed)
        statement = f"α{symbol}ᵀ{name}α{symbol} = 1"
        first.append(Check(statement, length, 1.0, holds, words, "coefficients", j))
        words, holds = _compared(square, mu, allowed * mu)
        statement = f"z{symbol}ᵀz{symbol} = μ{symbol}"
        second.append(Check(statement, square, mu, holds, words, "scores", j))
    return [*first, *second]


def _of_scores(derivation: Derivation) -> list[Check]:
    """``Σz = 0``, and ``z_iᵀz_j = 0`` of different components."""
    live = np.flatnonzero(positive_part(derivation.result.decomposition) > 0)
    z = np.asarray(derivation.result.scores, dtype=np.float64)[:, live]
    if not live.size:
        return []
    size = float(np.sqrt(np.einsum("ij,ij->j", z, z).max()))
    allowed = max(_relative(derivation, int(j)) for j in live) * size
    # A unit vector over n rows sums to √n at most.
    most = allowed * derivation.n**0.5
    largest = float(np.abs(z.sum(axis=0)).max())
    words = text.LARGEST_SUM.format(value=plain(largest, most, max(size, most * 1e7)))
    found = [Check("Σz = 0", largest, 0.0, largest <= most, words, "scores")]
    if len(live) > 1 and len(z) * len(live) ** 2 > MOST_PRODUCTS:
        words = text.TOO_MANY_ROWS.format(n=counted(derivation.n))
        found += [Check(text.ORTHOGONAL, np.nan, 0.0, None, words, "scores")]
    elif len(live) > 1:
        G = np.einsum("ij,ik->jk", z, z)
        np.fill_diagonal(G, 0.0)
        largest, most = float(np.abs(G).max()), allowed * size
        words = text.LARGEST_PRODUCT.format(
            value=plain(largest, most, max(size**2, most * 1e7))
        )
        holds = largest <= most
        found += [Check(text.ORTHOGONAL, largest, 0.0, holds, words, "scores")]
    return found


def _measured(derivation: Derivation) -> tuple[Array, Array]:
    """Return ``αᵀK̃α`` and ``zᵀz`` of every component, shape (k,) each."""
    result = derivation.result
    found, matrix = result.decomposition, derivation.kernel_rows.matrix_centred
    factors = coefficient_factors(found, result.scoring)
    z = np.asarray(result.scores, dtype=np.float64)
    vectors = np.asarray(found.eigenvectors, dtype=np.float64)
    # Of many rows, K̃α is what the window shows as scores.
    product = z
    if matrix is not None:
        product = np.einsum("ij,jk->ik", matrix, vectors * factors)
    # Not by BLAS: its threads would wait for each other over so little work.
    lengths = np.einsum("ij,ij->j", vectors, product) * factors
    return lengths, np.einsum("ij,ij->j", z, z)


def _compared(value: float, expected: float, allowed: float) -> tuple[str, bool | None]:
    """Return what was measured, and whether it is so; None if errors hide it."""
    if allowed > VAGUE * abs(expected):
        return text.TOO_NEAR_ZERO, None
    shown = plain(value, allowed, abs(expected))
    if abs(value - expected) <= allowed:
        return shown, True
    right = plain(expected, allowed, abs(expected))
    if shown == right:
        # They differ in digits that are not written.
        difference = as_it_is(value - expected)
        return text.BUT_FOR.format(value=right, difference=difference), False
    return text.INSTEAD_OF.format(value=shown, expected=right), False


def _relative(derivation: Derivation, j: int) -> float:
    """Return by which part of itself a component may miss what is expected of it."""
    mu = float(derivation.eigenvalues[j])
    error = float(derivation.errors.eigenvalues[j]) + derivation.errors.kernel
    eps = float(np.finfo(derivation.result.decomposition.eigenvectors.dtype).eps)
    return ALLOWED + 64 * eps + 4 * error / mu


def eigenvalue_error(derivation: Derivation) -> float:
    return float(derivation.errors.eigenvalues.max(initial=0.0))


def _scale(derivation: Derivation) -> float:
    return float(np.abs(derivation.eigenvalues).max(initial=0.0))
