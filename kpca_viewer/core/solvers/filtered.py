"""Whether a matrix ends below a limit: a polynomial of it, on random vectors.

With ``p(λ) = λ/b · T_q(2λ/b − 1)``, T a Chebyshev polynomial and b the edge where R is
thought to end, an eigenvector u for an eigenvalue λ has

    ``‖p(R)G‖ ≥ ‖uᵀp(R)G‖ = p(λ)‖Gᵀu‖``.

Beyond b, p grows. So where ``‖p(R)G‖ < p(limit)δ``, no eigenvalue is above the limit,
unless ``‖Gᵀu‖`` is shorter than δ. A wrong edge makes the left-hand side large, nothing
else. The factor λ keeps the many eigenvalues near 0 out of it. There is no basis to be
kept orthonormal, so that a pass costs little more than its product.

Rounding of ν in the j-th product adds ``U_{q−j}(x)ν`` to ``uᵀp(R)G``, with U of the
second kind and ``x = 2λ/b − 1`` (``T_q(x)ν`` in the first one). Beside ``T_q(x)`` that
becomes less as x grows, as the zeros of T and U show, so that the limit is the worst.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.solvers.basis import Operator, norm
from kpca_viewer.core.solvers.problem import Problem
from kpca_viewer.support.progress import check

Array = NDArray[Any]

LEAST_EDGE, MOST_EDGE = 1e-3, 0.9
"""Edges, as parts of the limit, from which a polynomial gets there soon."""

MOST_DEGREE = 8
"""Of the polynomial."""

LEAST_GAIN = 2.0
"""Of a pass; where it is less, the edge was wrong."""


def ends_below(
    limit: float,
    problem: Problem,
    operator: Operator,
    G: Array,
    edge: float,
    enough: float,
    noise: float,
    most: int,
) -> tuple[int, bool]:
    """Check that R has no eigenvalue above a limit.

    Parameters
    ----------
    operator : Operator
        R.
    G : ndarray of shape (n, b)
        Random vectors.
    edge : float
        Where R is thought to end.
    enough : float
        δ, which ``‖Gᵀu‖`` is no shorter than.
    noise : float
        What rounding may add to the product with a unit vector.
    most : int
        The largest number of passes.

    Returns
    -------
    tuple of (passes, shown)
    """
    if not LEAST_EDGE * limit < edge < MOST_EDGE * limit:
        return 0, False
    x = 2 * limit / edge - 1
    first, second = [1.0, x], [1.0, 2 * x]
    before, Z = G, operator.dot(G, problem.should_stop) / edge
    noises = [noise * norm(G) / edge]
    nearest = np.inf
    for q in range(min(MOST_DEGREE, most)):
        size = norm(Z)
        off = noises[0] * first[q]
        off += sum(second[q - j] * noises[j] for j in range(1, q + 1))
        distance = (size + off) / (enough * limit / edge * first[q])
        if distance < 1:
            return q + 1, True
        if distance > nearest / LEAST_GAIN:
            break
        nearest = distance
        check(problem.should_stop)
        problem.progress(f"checking that none is missing, pass {q + 2}", None)
        image = operator.dot(Z, problem.should_stop) * (2 / edge) - Z
        twice = 1 if q == 0 else 2
        noises.append(twice * 2 * noise / edge * size)
        before, Z = Z, image if q == 0 else 2 * image - before
        first.append(2 * x * first[-1] - first[-2])
        second.append(2 * x * second[-1] - second[-2])
    return q + 1, False
