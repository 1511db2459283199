"""How the points of every generator are made: ``(values, seed) -> Dataset``."""

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.data.shape_code import Code

FloatArray = NDArray[np.float64]
Values = Mapping[str, float]


_COUNTS = ("samples", "classes")


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


def by_code(
    code: Code,
    title: str,
    classes: tuple[str, ...] = (),
    row_names: tuple[str, ...] | None = None,
    columns: Mapping[str, str] = MappingProxyType({}),
) -> Callable[[Values, int], Dataset]:
    """Return a maker that runs the code of a generator: scripts give the same points.

    ``classes``: what they are called, or one name with a place for their number from 1;
    ``columns``: names of columns to names in the code.
    """

    def make(values: Values, seed: int) -> Dataset:
        found: dict[str, Any] = {"np": np}
        whole = {name: int(v) for name, v in values.items() if name in _COUNTS}
        exec(code.text.format(seed=seed, **{**values, **whole}), found)
        labels = found["y"]
        count = 0 if labels is None else int(labels.max()) + 1
        return Dataset(
            found["X"],
            labels,
            tuple(classes[k % len(classes)].format(k + 1) for k in range(count)),
            row_names=row_names,
            columns={name: MetaColumn(found[key]) for name, key in columns.items()},
            name=title,
        )

    return make


_OF_CELLS = (
    "radius",
    "texture",
    "perimeter",
    "area",
    "smoothness",
    "compactness",
    "concavity",
    "concave points",
    "symmetry",
    "fractal dimension",
)
_FEATURES = {
    "iris.csv": tuple(
        f"{part} {way} (cm)"
        for part in ("sepal", "petal")
        for way in ("length", "width")
    ),
    "wine_data.csv": (
        "alcohol",
        "malic_acid",
        "ash",
        "alcalinity_of_ash",
        "magnesium",
        "total_phenols",
        "flavanoids",
        "nonflavanoid_phenols",
        "proanthocyanins",
        "color_intensity",
        "hue",
        "od280/od315_of_diluted_wines",
        "proline",
    ),
    "breast_cancer.csv": (
        *(f"mean {what}" for what in _OF_CELLS),
        *(f"{what} error" for what in _OF_CELLS),
        *(f"worst {what}" for what in _OF_CELLS),
    ),
    "digits.csv.gz": tuple(f"pixel_{i}_{j}" for i in range(8) for j in range(8)),
}
"""Of scikit-learn's small real data sets, whose files lack the names."""


def built_in(file: str, title: str) -> Callable[[Values, int], Dataset]:
    """Return a maker for one of scikit-learn's small real data sets."""

    def make(_values: Values, _seed: int) -> Dataset:
        # Its file is read, and no module of scikit-learn imported, which takes longer.
        package = find_spec("sklearn")
        assert package is not None
        assert package.origin is not None
        path = Path(package.origin).parent / "datasets" / "data" / file
        classes = tuple("0123456789")
        if path.suffix == ".csv":
            with path.open(encoding="utf-8") as lines:
                classes = tuple(lines.readline().strip().split(",")[2:])
        table = np.loadtxt(path, delimiter=",", skiprows=int(path.suffix == ".csv"))
        labels = table[:, -1].astype(np.int64)
        return Dataset(
            table[:, :-1].copy(), labels, classes, _FEATURES[file], name=title
        )

    return make
