"""What a pass over all rows adds up, and the eigenvalues and bounds that follow.

Whoever passes over the rows (all of them in memory, or block by block from elsewhere)
gives these sums; the small eigenproblem and the certificate are the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.solvers.landmark_features import LandmarkFeatures
from kpca_viewer.core.solvers.packing import Eigenpairs, packed, small_eigenpairs
from kpca_viewer.core.solvers.problem import FAILURE, Decomposition, Grade, Problem
from kpca_viewer.core.solvers.row_sums import divided_out
from kpca_viewer.core.solvers.sampled_norm import (
    foreseen_bound,
    norm_bound,
    sample_norm,
)

Array = NDArray[Any]

Draw = Callable[[int], tuple[Points, Array] | None]
"""Gives so many points, drawn in proportion to what is left of them, and that of each;
None where nobody could draw them."""

MOST_PASSES = 3
"""Over all rows: landmarks are added where a pass shows more than the sample did."""


MOST_CERTIFYING = 10_000
"""Rows from which the norm of what is left is told."""

LOOKS = 2
"""At such rows after every pass: at more of them where some were not quite enough."""


@dataclass(frozen=True, eq=False)
class FeatureSums:
    """Sums over all n rows with their features F."""

    problem: Problem
    features: LandmarkFeatures
    corner: Array
    """Shape (r, r). R."""
    n: int
    products: Array
    """Shape (r, r). ``FᵀF``."""
    sums: Array
    """Shape (r,). Of F."""
    left: float
    """What is left of the diagonal of K."""
    excess: float
    """By how much rounding has made it negative, in all."""
    total: float
    """The trace of K."""
    kernel_rounding: float
    """Bound on what rounding of its entries does to the norm of K."""
    inexact: float
    """How far rounding has moved the features of a row."""
    moved: float = 0.0
    """Bound on what rounding of these sums does, where the root was divided out of them
    at the end."""

    def divided(self, additions: int) -> "FeatureSums":
        """Return sums of features, where these are still sums of kernel values.

        Parameters
        ----------
        additions : int
            Partial sums that were added up one after another, at most.
        """
        if not self.is_deferred:
            return self
        found = divided_out(self.features, self.products, self.sums, self.n, additions)
        left = self.total - float(np.trace(found.products))
        return replace(
            self,
            products=found.products,
            sums=found.sums,
            left=max(left, 0.0) + found.moved,
            excess=max(-left, 0.0),
            moved=found.moved,
        )

    @cached_property
    def mean(self) -> Array:
        """Of the features, shape (r,); zero without centring."""
        mean = self.sums / self.n
        return mean if self.problem.center else np.zeros_like(mean)

    @cached_property
    def eigenpairs(self) -> tuple[Array, Array, int]:
        """All r values, U (r, r), and how many of the first k are no noise."""
        G = self.products - self.n * np.outer(self.mean, self.mean)
        return small_eigenpairs(G, self.problem.k, self.features.inverse.dtype)

    @cached_property
    def directions(self) -> Array:
        """``U / √μ``, shape (r, live): times F − mean they are the eigenvectors."""
        values, U, live = self.eigenpairs
        return np.asarray(U[:, :live] / np.sqrt(values[:live]))

    def decomposed(
        self,
        landmarks: Array,
        vectors: Array,
        draw: Draw,
        certifying: int,
        n: int | None = None,
    ) -> Decomposition:
        """Return the k leading eigenpairs of ``H K̂ H`` with their bounds.

        Parameters
        ----------
        landmarks : ndarray of shape (r,)
        vectors : ndarray of shape (m, live)
            Eigenvectors, of all rows or of some.
        certifying : int
            Rows to draw for a bound on the norm of what is left.
        n : int, optional
            All rows, where these are some.
        """
        values, U, _ = self.eigenpairs
        norm_left, grade = self._norm_left(draw, certifying)
        return packed(
            self.problem,
            Eigenpairs(values, U, vectors, self.mean),
            landmarks=landmarks,
            corner=self.corner,
            total=self.total,
            trace_left=self.left,
            norm_left=norm_left,
            rounding=self._rounding,
            certificate=grade,
            n=n,
        )

    @property
    def rounding_alone(self) -> float:
        """The part of an error that no landmark and no other pass takes away."""
        lasting = self._rounding - self.moved
        return lasting / self._largest if self._largest > 0 else np.inf

    @property
    def is_deferred(self) -> bool:
        """Whether the root was divided out at the end: features would say more."""
        return self.features.around is not None

    @property
    def _largest(self) -> float:
        return float(self.eigenpairs[0].max(initial=0.0))

    @property
    def _rounding(self) -> float:
        """What floating point may have added to an eigenvalue."""
        moved = self.features.rounding(self.inexact, self.n, self._largest, self.total)
        return moved + self.moved + self.excess + self.kernel_rounding

    def _norm_left(self, draw: Draw, certifying: int) -> tuple[float, Grade]:
        """Bound the norm of what is left, by the trace if that is good enough."""
        trace, wanted = self.left, self.problem.certificate
        enough = trace <= self.problem.wanted * self._largest
        if wanted == "proven" or trace == 0 or (wanted == "auto" and enough):
            return trace, "proven"
        if self.is_deferred:
            # Only a part of the rows could have been drawn.
            return trace, "proven"
        bound = self._sampled_bound(draw, certifying)
        return (bound, "statistical") if bound < trace else (trace, "proven")

    def _sampled_bound(self, draw: Draw, certifying: int) -> float:
        """Bound the norm by rows drawn, by more of them if these will reach the goal.

        A second look costs a part of what another pass would.
        """
        trace, bound = self.left, self.left
        # Any of the looks after any of the passes may be the one that is reported.
        failure = FAILURE / (MOST_PASSES * LOOKS)
        goal = self.problem.wanted * self._largest - self._rounding
        for _ in range(LOOKS):
            drawn = draw(certifying)
            if drawn is None:
                break
            seen, sampled = len(drawn[1]), self._sampled_norm(*drawn)
            bound = min(bound, norm_bound(sampled, trace, seen, failure))
            most = min(self.n, MOST_CERTIFYING)
            foreseen = foreseen_bound(sampled, trace, seen, most, failure)
            if bound <= goal or seen >= most or foreseen > goal:
                break
            certifying = most
        return bound

    def _sampled_norm(self, points: Points, residual: Array) -> float:
        F = self.features.of(points)
        E = self.features.kernel.block(points, points)
        E -= F @ F.T
        sampled = sample_norm(self.problem, E, residual, self.left)
        return sampled + 2 * self.inexact * self.n
