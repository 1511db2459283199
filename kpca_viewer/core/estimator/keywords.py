"""What the estimator calls the parameters of kernels; known without scikit-learn."""

from collections.abc import Mapping
from typing import Any

KEYWORDS = ("gamma", "degree", "coef0", "length_scale", "nu", "mixture")
"""Parameters of kernels that the estimator has a keyword for, as scikit-learn has;
those of any other kernel are given by ``kernel_params``."""


def as_keywords(values: Mapping[str, float]) -> dict[str, Any]:
    """Return the parameters of a kernel as the estimator takes them."""
    own = {name: value for name, value in values.items() if name in KEYWORDS}
    others = {name: value for name, value in values.items() if name not in KEYWORDS}
    return {**own, "kernel_params": others} if others else own
