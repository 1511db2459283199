"""One file a method, one signature: ``solve(problem) -> Decomposition``."""

from kpca_viewer.core.solvers.choice import choose, solve
from kpca_viewer.core.solvers.problem import Decomposition, Problem, WarmStart

__all__ = ["Decomposition", "Problem", "WarmStart", "choose", "solve"]
