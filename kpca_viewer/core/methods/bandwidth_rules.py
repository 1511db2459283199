"""Rules for γ of the RBF kernel that need neither classes nor draws, beside each other.

Each of them is one line that looks at the distances alone. They serve as a first value
and as a warning: where they are far apart, the data have more than one scale, and no
rule can know which one is meant.
"""

from collections.abc import Callable, Sequence
from math import log10

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel, suggested_values
from kpca_viewer.core.linalg.eigenpairs import leading_values
from kpca_viewer.core.linalg.gram import kernel_matrices
from kpca_viewer.core.linalg.products import double_center
from kpca_viewer.core.methods.quality import sample_rows
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.threads import one_blas_thread

Rules = tuple[tuple[str, float], ...]

MOST_ROWS = 300
"""Of more, a fixed sample is taken, but for the median, which is the suggestion's."""

AROUND = np.arange(-3.0, 3.01, 0.25)
"""Decades around the median that are looked through."""

FINER = np.arange(-0.2, 0.21, 0.05)
"""And around the best of these."""

APART = 10.0
"""Factor between two rules from which on they disagree."""


def bandwidth_rules(X: Array, *, components: int = 2, seed: int = 0) -> Rules:
    """Return what each rule says about γ: pairs (name, value).

    - *median*: ``γ = 1 / median ‖x − y‖²``.
    - *max-variance*: the entries of K beside the diagonal vary most (``b_maxvarK`` of
      the R packages kbal and KRLS; kbal goes back to Hazlett, "Kernel balancing",
      Statistica Sinica 30, 2020).
    - *CMSE*, the criterion of the maximum sum of eigenvalues: the first components of
      K̃ hold most together (PROC KPCA of SAS; "Efficient and automated bandwidth
      selection in SAS PROC KPCA", 2022). All eigenvalues together grow with γ without
      end, so that it is the components of the picture that are meant here; in place of
      centroids it looks at a sample of the rows.

    ``X`` (n, d): the rows as they are given to the kernel; ``components``: whose
    eigenvalues CMSE adds up; Returns: empty where all rows are equal.
    """
    X = np.asarray(X)
    median = suggested_values("rbf", X).get("gamma")
    if median is None:
        return ()
    sample = np.array(X[sample_rows(len(X), MOST_ROWS, seed)], dtype=np.float64)
    beside = ~np.eye(len(sample), dtype=bool)

    def variance(K: Array) -> float:
        return float(K[beside].var())

    def eigenvalues(K: Array) -> float:
        k = min(components, len(K))
        return float(leading_values(double_center(K), k).sum())

    with one_blas_thread():
        return (
            ("median", median),
            ("max-variance", _best(sample, median, variance)),
            ("CMSE", _best(sample, median, eigenvalues)),
        )


def disagreement(rules: Sequence[tuple[str, float]]) -> str:
    """Say that the rules are more than a decade apart; nothing where they are not."""
    values = [value for _, value in rules]
    if len(values) < 2 or max(values) <= APART * min(values):
        return ""
    told = ", ".join(f"{name} {readable(value, 2)}" for name, value in rules)
    decades = log10(max(values) / min(values))
    return (
        f"Rules for γ differ by {readable(decades, 2)} decades ({told}): distances "
        "alone do not decide it here."
    )


def _best(X: Array, median: float, measure: Callable[[Array], float]) -> float:
    """Return the γ at which a measure of K is largest, to a twentieth of a decade."""
    best = median
    for steps in (AROUND, FINER):
        gammas = best * 10**steps
        kernels = [Kernel("rbf", gamma=float(gamma)) for gamma in gammas]
        found = [measure(K) for _, K in kernel_matrices(X, kernels, center=True)]
        best = float(gammas[int(np.argmax(found))])
    return best
