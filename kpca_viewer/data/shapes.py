"""How the points of every generator are made: ``(values, seed) -> Dataset``."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.random import Generator as Random
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.metadata import MetaColumn

FloatArray = NDArray[np.float64]
Values = Mapping[str, float]


def _balanced(samples: int, classes: int) -> NDArray[np.int64]:
    """Class codes in runs, group sizes differing by at most one."""
    return np.arange(samples, dtype=np.int64) * classes // samples


def _class_names(classes: int) -> tuple[str, ...]:
    return tuple(f"class {code + 1}" for code in range(classes))


def _jitter(random: Random, points: FloatArray, noise: float) -> FloatArray:
    return points + noise * random.standard_normal(points.shape)


# The next four give the numbers that scikit-learn gives for the same seed. They are
# written out because importing scikit-learn takes longer than everything else at start.


def _shuffled(
    random: np.random.RandomState, points: FloatArray, labels: NDArray[np.int64]
) -> tuple[FloatArray, NDArray[np.int64]]:
    order = np.arange(len(points))
    random.shuffle(order)
    return points[order], labels[order]


def circles(values: Values, seed: int) -> Dataset:
    """Two rings, one inside the other."""
    random = np.random.RandomState(seed)
    samples = int(values["samples"])
    counts = (samples // 2, samples - samples // 2)
    angles = [np.linspace(0, 2 * np.pi, count, endpoint=False) for count in counts]
    rings = [np.column_stack([np.cos(angle), np.sin(angle)]) for angle in angles]
    points = np.vstack([rings[0], rings[1] * values["factor"]])
    labels = np.repeat(np.arange(2), counts)
    points, labels = _shuffled(random, points, labels)
    points = points + random.normal(scale=values["noise"], size=points.shape)
    return Dataset(points, labels, ("outer ring", "inner ring"), name="Circles")


def moons(values: Values, seed: int) -> Dataset:
    """Two half moons that reach into each other."""
    random = np.random.RandomState(seed)
    samples = int(values["samples"])
    counts = (samples // 2, samples - samples // 2)
    upper, lower = (np.linspace(0, np.pi, count) for count in counts)
    points = np.vstack(
        [
            np.column_stack([np.cos(upper), np.sin(upper)]),
            np.column_stack([1 - np.cos(lower), 1 - np.sin(lower) - 0.5]),
        ]
    )
    points, labels = _shuffled(random, points, np.repeat(np.arange(2), counts))
    points = points + random.normal(scale=values["noise"], size=points.shape)
    return Dataset(points, labels, ("upper moon", "lower moon"), name="Moons")


def s_curve(values: Values, seed: int) -> Dataset:
    """Bend a sheet into an S."""
    random = np.random.RandomState(seed)
    samples = int(values["samples"])
    position = 3 * np.pi * (random.uniform(size=(1, samples)) - 0.5)
    points = np.empty((samples, 3))
    points[:, 0] = np.sin(position)
    points[:, 1] = 2.0 * random.uniform(size=samples)
    points[:, 2] = np.sign(position) * (np.cos(position) - 1)
    points += values["noise"] * random.standard_normal(size=(3, samples)).T
    return Dataset(
        points, columns={"position": MetaColumn(position[0])}, name="S-curve"
    )


def swiss_roll(values: Values, seed: int) -> Dataset:
    """Roll a sheet up."""
    random = np.random.RandomState(seed)
    samples = int(values["samples"])
    position = 1.5 * np.pi * (1 + 2 * random.uniform(size=samples))
    height = 21 * random.uniform(size=samples)
    points = np.column_stack(
        [position * np.cos(position), height, position * np.sin(position)]
    )
    # The roll is about ten times as large as the other shapes; the noise slider
    # should do the same to the picture.
    points += 10 * values["noise"] * random.standard_normal(size=(3, samples)).T
    return Dataset(
        points, columns={"position": MetaColumn(position)}, name="Swiss roll"
    )


def spirals(values: Values, seed: int) -> Dataset:
    """Arms wound around each other."""
    random = np.random.default_rng(seed)
    samples, classes = int(values["samples"]), int(values["classes"])
    labels = _balanced(samples, classes)
    # The root spreads the points evenly along the arm, whose length grows with t².
    position = np.sqrt(random.uniform(0.02, 1.0, samples))
    angle = 2 * np.pi * (values["turns"] * position + labels / classes)
    points = position[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(
        _jitter(random, points, values["noise"]),
        labels,
        tuple(f"arm {code + 1}" for code in range(classes)),
        columns={"position": MetaColumn(position)},
        name="Spirals",
    )


def blobs(values: Values, seed: int) -> Dataset:
    """Round clouds, one in every sector."""
    random = np.random.default_rng(seed)
    samples, classes = int(values["samples"]), int(values["classes"])
    labels = _balanced(samples, classes)
    # One in every sector: clouds that are apart wherever the dice fall.
    angle = (
        2 * np.pi * (np.arange(classes) + random.uniform(0.2, 0.8, classes)) / classes
    )
    distance = random.uniform(0.8, 1.0, classes)
    centres = distance[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return Dataset(
        _jitter(random, centres[labels], values["noise"]),
        labels,
        _class_names(classes),
        name="Blobs",
    )


def gaussian_quantiles(values: Values, seed: int) -> Dataset:
    """One round cloud in shells of equal size."""
    random = np.random.default_rng(seed)
    samples, classes = int(values["samples"]), int(values["classes"])
    points = random.standard_normal((samples, 2))
    # Ranks, not thresholds: scikit-learn's version gives the remainder to the last
    # class, which is then several times as large when samples are few.
    rank = np.argsort(np.argsort(np.linalg.norm(points, axis=1), kind="stable"))
    return Dataset(
        _jitter(random, points, values["noise"]),
        _balanced(samples, classes)[rank],
        tuple(f"shell {code + 1}" for code in range(classes)),
        name="Gaussian shells",
    )


def torus(values: Values, seed: int) -> Dataset:
    """Scatter points over the surface of a ring."""
    random = np.random.default_rng(seed)
    samples = int(values["samples"])
    around, tube = random.uniform(0, 2 * np.pi, (2, samples))
    radius = 1 + values["factor"] * np.cos(tube)
    points = np.column_stack(
        [
            radius * np.cos(around),
            radius * np.sin(around),
            values["factor"] * np.sin(tube),
        ]
    )
    return Dataset(
        _jitter(random, points, values["noise"]),
        columns={"position": MetaColumn(around), "tube angle": MetaColumn(tube)},
        name="Torus",
    )


def helix(values: Values, seed: int) -> Dataset:
    """Strands wound around an axis."""
    random = np.random.default_rng(seed)
    samples, classes = int(values["samples"]), int(values["classes"])
    labels = _balanced(samples, classes)
    position = random.uniform(0, 1, samples)
    angle = 2 * np.pi * (values["turns"] * position + labels / classes)
    points = np.column_stack([np.cos(angle), np.sin(angle), 4 * position - 2])
    return Dataset(
        _jitter(random, points, values["noise"]),
        labels,
        tuple(f"strand {code + 1}" for code in range(classes)),
        columns={"position": MetaColumn(position)},
        name="Helix",
    )


def three_points(_values: Values, _seed: int) -> Dataset:
    """Three corners of a square."""
    # Small enough for every entry of K and both eigenvalues to be found by hand.
    return Dataset(
        np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        row_names=("a", "b", "c"),
        name="Three points",
    )


def rising_points(_values: Values, _seed: int) -> Dataset:
    """Three points on a line, in whole numbers."""
    return Dataset(
        np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        row_names=("a", "b", "c"),
        name="Points (1, 2), (3, 4), (5, 6)",
    )


def two_rings(_values: Values, _seed: int) -> Dataset:
    """Four points on each of two rings, on the axes."""
    ring = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return Dataset(
        np.vstack([ring, 2 * ring]),
        np.repeat([0, 1], 4),
        ("inner", "outer"),
        name="Two rings of four points",
    )


def points_on_a_line(_values: Values, _seed: int) -> Dataset:
    """Eight points at 0, 1, …, 7, in a plane so that isolines can be seen."""
    return Dataset(
        np.column_stack([np.arange(8.0), np.zeros(8)]),
        row_names=tuple(str(place) for place in range(8)),
        name="Points 0 … 7 on a line",
    )


def built_in(loader: str, title: str) -> Callable[[Values, int], Dataset]:
    """Return a maker for one of scikit-learn's small real data sets."""

    def make(_values: Values, _seed: int) -> Dataset:
        from sklearn import datasets

        bunch = getattr(datasets, loader)()
        return Dataset(
            bunch.data,
            bunch.target,
            tuple(str(name) for name in bunch.target_names),
            tuple(str(name) for name in bunch.feature_names),
            name=title,
        )

    return make
