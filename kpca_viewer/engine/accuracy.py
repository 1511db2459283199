"""How exactly the window computes.

Few rows to six digits, many to what a few seconds show, and roughly while a hand moves
a slider.
"""

from dataclasses import replace

from kpca_viewer.core.solvers import Decomposition, Problem
from kpca_viewer.core.solvers.choice import MANY_ROWS

TOLERANCE = 1e-6
"""Asked of the solvers: below a pixel, and quick enough for a drag."""

LARGE_TOLERANCE = 1e-3
"""Asked for large data: still below a pixel of a density picture, at a third of the
rank, in single precision. Cost grows with the square of the rank."""

LARGE_FROM = 50_000
"""Rows from which that is asked."""

PATIENT_RANK = 1000
"""Landmarks of many rows beyond which somebody has to ask for more: a few seconds."""

MOVING_TOLERANCE = 1e-2
"""Asked while a slider moves: a picture is there in a few hundredths of a second, and
what a person sees of it is right."""

MOVING_RANK = 128
"""Landmarks of many rows meanwhile."""

MOVING_FROM = 3000
"""Rows from which that is asked; fewer are quick enough."""


def tolerance(n: int, *, refined: bool = False) -> float:
    """Return the error of the eigenvalues, relative to the largest, to ask for."""
    return TOLERANCE if refined or n < LARGE_FROM else LARGE_TOLERANCE


def is_missed(found: Decomposition) -> bool:
    """Whether many rows are known to fewer digits than few rows would be."""
    return len(found.eigenvectors) >= MANY_ROWS and found.error > 1.05 * TOLERANCE


def asked(problem: Problem, *, refined: bool, moving: bool) -> Problem:
    """Return a problem with the accuracy that its rows and the moment call for."""
    n = problem.gram.n
    problem = replace(problem, tol=tolerance(n, refined=refined))
    if n >= MANY_ROWS and not refined:
        problem = replace(problem, most_landmarks=PATIENT_RANK)
    if moving and n >= MOVING_FROM:
        most = MOVING_RANK if n >= MANY_ROWS else None
        # The next picture is on its way; a draft of this one would only hold it up.
        problem = replace(
            problem, tol=MOVING_TOLERANCE, most_landmarks=most, publish=None
        )
    return problem
