"""Python that makes the points of a generator, here and without this package.

Texts for scikit-learn give the numbers of their namesake in `shapes`; the others are
what `shapes` runs. ``{samples}`` and the like are the values of the parameters,
``{seed}`` the seed.
"""

from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Code:
    """Lines after which ``X`` (n, d) and ``y`` (n,) or None are the points."""

    text: str
    """With places for the values."""
    imports: tuple[str, ...]
    has_position: bool = False
    """Whether ``position`` (n,) is there as well: how far along the shape a point
    is."""


def _sklearn(function: str, text: str, *, has_position: bool = False) -> Code:
    return Code(text, (f"from sklearn.datasets import {function}",), has_position)


def built_in(loader: str) -> Code:
    """Return code for one of scikit-learn's small real data sets."""
    return _sklearn(loader, f"X, y = {loader}(return_X_y=True)")


def _numpy(text: str, *, has_position: bool = False) -> Code:
    return Code(dedent(text).strip(), ("import numpy as np",), has_position)


CIRCLES = _sklearn(
    "make_circles",
    "X, y = make_circles("
    "{samples}, factor={factor!r}, noise={noise!r}, random_state={seed})",
)
MOONS = _sklearn(
    "make_moons", "X, y = make_moons({samples}, noise={noise!r}, random_state={seed})"
)
S_CURVE = _sklearn(
    "make_s_curve",
    "X, position = make_s_curve({samples}, noise={noise!r}, random_state={seed})\n"
    "y = None",
    has_position=True,
)
SWISS_ROLL = _sklearn(
    "make_swiss_roll",
    "# The roll is ten times as large as the other shapes, and so is its noise.\n"
    "X, position = make_swiss_roll(\n"
    "    {samples}, noise=10 * {noise!r}, random_state={seed}\n"
    ")\n"
    "y = None",
    has_position=True,
)
# The root spreads the points evenly along the arm, whose length grows with t².
SPIRALS = _numpy(
    """
    random = np.random.default_rng({seed})
    y = np.arange({samples}) * {classes} // {samples}
    position = np.sqrt(random.uniform(0.02, 1.0, {samples}))
    angle = 2 * np.pi * ({turns!r} * position + y / {classes})
    X = position[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = X + {noise!r} * random.standard_normal(X.shape)
    """,
    has_position=True,
)
# One in every sector: clouds that are apart wherever the dice fall.
BLOBS = _numpy(
    """
    random = np.random.default_rng({seed})
    y = np.arange({samples}) * {classes} // {samples}
    angle = (
        2 * np.pi
        * (np.arange({classes}) + random.uniform(0.2, 0.8, {classes}))
        / {classes}
    )
    distance = random.uniform(0.8, 1.0, {classes})
    centres = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    X = centres[y] + {noise!r} * random.standard_normal(({samples}, 2))
    """
)
# Ranks, not thresholds: scikit-learn's version gives the remainder to the last class,
# which is then several times as large when samples are few.
GAUSSIAN_QUANTILES = _numpy(
    """
    random = np.random.default_rng({seed})
    X = random.standard_normal(({samples}, 2))
    rank = np.argsort(np.argsort(np.linalg.norm(X, axis=1), kind="stable"))
    y = (np.arange({samples}) * {classes} // {samples})[rank]
    X = X + {noise!r} * random.standard_normal(X.shape)
    """
)
TORUS = _numpy(
    """
    random = np.random.default_rng({seed})
    around, tube = random.uniform(0, 2 * np.pi, (2, {samples}))
    radius = 1 + {factor!r} * np.cos(tube)
    X = np.column_stack(
        [
            radius * np.cos(around),
            radius * np.sin(around),
            {factor!r} * np.sin(tube),
        ]
    )
    X = X + {noise!r} * random.standard_normal(X.shape)
    position, y = around, None
    """,
    has_position=True,
)
HELIX = _numpy(
    """
    random = np.random.default_rng({seed})
    y = np.arange({samples}) * {classes} // {samples}
    position = random.uniform(0, 1, {samples})
    angle = 2 * np.pi * ({turns!r} * position + y / {classes})
    X = np.column_stack([np.cos(angle), np.sin(angle), 4 * position - 2])
    X = X + {noise!r} * random.standard_normal(X.shape)
    """,
    has_position=True,
)
# Small enough for every entry of K and both eigenvalues to be found by hand.
THREE_POINTS = _numpy(
    """
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    y = None
    """
)
RISING_POINTS = _numpy(
    """
    X = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    y = None
    """
)
TWO_RINGS = _numpy(
    """
    ring = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    X = np.vstack([ring, 2 * ring])
    y = np.repeat([0, 1], 4)
    """
)
# In a plane, so that isolines can be seen.
POINTS_ON_A_LINE = _numpy(
    """
    X = np.column_stack([np.arange(8.0), np.zeros(8)])
    y = None
    """
)
