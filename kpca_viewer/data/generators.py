"""Data sets made on the spot, each described once for sliders, tests and scripts.

`GENERATORS` is the table; `generate` is the only way in. The same seed gives the same
points, on every machine with the same numpy.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.random import Generator as Random
from numpy.typing import NDArray

from kpca_viewer.core.errors import DataError
from kpca_viewer.core.parameters import Parameter
from kpca_viewer.data.dataset import Dataset

FloatArray = NDArray[np.float64]
Values = Mapping[str, float]

SAMPLES = Parameter(
    name="samples",
    symbol="n",
    title="Samples",
    low=3,
    high=20_000,
    default=400,
    scale="integer",
    help="More points draw the shape more densely and take longer to analyse.",
)
NOISE = Parameter(
    name="noise",
    symbol="",
    title="Noise",
    low=0.0,
    high=0.5,
    default=0.05,
    help="A larger value scatters the points further from their shape.",
)
CLASSES = Parameter(
    name="classes",
    symbol="",
    title="Classes",
    low=2,
    high=8,
    default=3,
    scale="integer",
    help="How many groups there are, each with a colour of its own.",
)
TURNS = Parameter(
    name="turns",
    symbol="",
    title="Turns",
    low=0.5,
    high=5.0,
    default=1.5,
    help="A larger value winds the curve around more often.",
)
FACTOR = Parameter(
    name="factor",
    symbol="",
    title="Factor",
    low=0.05,
    high=0.95,
    default=0.3,
    help="The inner radius as a share of the outer one; near 1 the rings touch.",
)


@dataclass(frozen=True)
class Generator:
    """One source of points.

    Attributes
    ----------
    key : str
        The name in files and on the command line.
    title : str
        The name in the window.
    help : str
        What there is to see, in one sentence.
    parameters : tuple of Parameter
    make : callable
        ``(values, seed) -> Dataset``.
    seeded : bool
        Whether another seed gives other points.
    """

    key: str
    title: str
    help: str
    parameters: tuple[Parameter, ...]
    make: Callable[[Values, int], Dataset]
    seeded: bool = True


def generate(key: str = "circles", *, seed: int = 0, **values: float) -> Dataset:
    """Make the points of a generator.

    Parameters
    ----------
    key : str
        A key of `GENERATORS`.
    seed : int
        Non-negative. The same seed gives the same points.
    **values : float
        ``samples``, ``noise``, ``classes``, ``turns``, ``factor``. What is left out
        takes the generator's default; what this generator does not use is ignored, so
        that one group of settings serves all of them.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If the key, a parameter or its value is unknown or out of range.
    """
    generator = GENERATORS.get(key)
    if generator is None:
        raise DataError(
            f"There is no generator “{key}”; choose one of {', '.join(GENERATORS)}."
        )
    if unknown := sorted(set(values) - _KNOWN_NAMES):
        raise DataError(
            f"No generator has a parameter “{unknown[0]}”; "
            f"choose from {', '.join(sorted(_KNOWN_NAMES))}."
        )
    if seed < 0:
        raise DataError(f"The seed {seed} is negative; give 0 or a positive number.")
    chosen = {
        parameter.name: _checked(parameter, values.get(parameter.name))
        for parameter in generator.parameters
    }
    if chosen.get("classes", 0) > chosen.get("samples", np.inf):
        raise DataError(
            f"{chosen['samples']:.0f} samples cannot fill {chosen['classes']:.0f} "
            "classes; ask for more samples or fewer classes."
        )
    return generator.make(chosen, seed)


def _checked(parameter: Parameter, value: float | None) -> float:
    """Return the value, or the default; refuse what no shape can be made from."""
    if value is None:
        return parameter.default
    # The upper end of samples is a matter of patience, not of meaning.
    high = np.inf if parameter.name == "samples" else parameter.high
    if not parameter.low <= value <= high or not np.isfinite(value):
        raise DataError(
            f"{parameter.title} is {value:g}, which lies outside "
            f"{parameter.low:g} … {high:g}; choose a value inside."
        )
    return float(round(value)) if parameter.scale == "integer" else float(value)


def _with(parameter: Parameter, **changes: float) -> Parameter:
    """Return the parameter with another default or range."""
    return replace(parameter, **changes)  # type: ignore[arg-type]


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


def _circles(values: Values, seed: int) -> Dataset:
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


def _moons(values: Values, seed: int) -> Dataset:
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


def _s_curve(values: Values, seed: int) -> Dataset:
    random = np.random.RandomState(seed)
    samples = int(values["samples"])
    position = 3 * np.pi * (random.uniform(size=(1, samples)) - 0.5)
    points = np.empty((samples, 3))
    points[:, 0] = np.sin(position)
    points[:, 1] = 2.0 * random.uniform(size=samples)
    points[:, 2] = np.sign(position) * (np.cos(position) - 1)
    points += values["noise"] * random.standard_normal(size=(3, samples)).T
    return Dataset(points, columns={"position": position[0]}, name="S-curve")


def _swiss_roll(values: Values, seed: int) -> Dataset:
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
    return Dataset(points, columns={"position": position}, name="Swiss roll")


def _spirals(values: Values, seed: int) -> Dataset:
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
        columns={"position": position},
        name="Spirals",
    )


def _blobs(values: Values, seed: int) -> Dataset:
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


def _gaussian_quantiles(values: Values, seed: int) -> Dataset:
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
        name="Gaussian quantiles",
    )


def _torus(values: Values, seed: int) -> Dataset:
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
        columns={"position": around, "tube angle": tube},
        name="Torus",
    )


def _helix(values: Values, seed: int) -> Dataset:
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
        columns={"position": position},
        name="Helix",
    )


def _three_points(_values: Values, _seed: int) -> Dataset:
    # Small enough for every entry of K and both eigenvalues to be found by hand.
    return Dataset(
        np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]),
        row_names=("a", "b", "c"),
        name="Three points",
    )


def _built_in(loader: str, title: str) -> Callable[[Values, int], Dataset]:
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


_ROWS = (
    Generator(
        "circles",
        "Circles",
        "Two rings, one inside the other: no straight line separates them.",
        (SAMPLES, NOISE, FACTOR),
        _circles,
    ),
    Generator(
        "moons",
        "Moons",
        "Two half moons that reach into each other.",
        (SAMPLES, _with(NOISE, default=0.1)),
        _moons,
    ),
    Generator(
        "s_curve",
        "S-curve",
        "A sheet bent into an S in three dimensions.",
        (SAMPLES, NOISE),
        _s_curve,
    ),
    Generator(
        "swiss_roll",
        "Swiss roll",
        "A sheet rolled up in three dimensions.",
        (SAMPLES, NOISE),
        _swiss_roll,
    ),
    Generator(
        "spirals",
        "Spirals",
        "Arms wound around each other.",
        (SAMPLES, _with(NOISE, default=0.02), _with(CLASSES, default=2), TURNS),
        _spirals,
    ),
    Generator(
        "blobs",
        "Blobs",
        "Round clouds, for which linear PCA is already enough.",
        (SAMPLES, _with(NOISE, default=0.12), CLASSES),
        _blobs,
    ),
    Generator(
        "gaussian_quantiles",
        "Gaussian quantiles",
        "One round cloud, divided into shells by the distance from its middle.",
        (SAMPLES, _with(NOISE, default=0.0), CLASSES),
        _gaussian_quantiles,
    ),
    Generator(
        "torus",
        "Torus",
        "The surface of a ring in three dimensions.",
        (SAMPLES, _with(NOISE, default=0.02), _with(FACTOR, default=0.4)),
        _torus,
    ),
    Generator(
        "helix",
        "Helix",
        "Strands wound around an axis in three dimensions.",
        (
            SAMPLES,
            NOISE,
            _with(CLASSES, low=1, default=2),
            _with(TURNS, default=2.0),
        ),
        _helix,
    ),
    Generator(
        "three_points",
        "Three points",
        "Small enough to follow the whole calculation by hand.",
        (),
        _three_points,
        seeded=False,
    ),
    Generator(
        "iris",
        "Iris",
        "150 flowers of three species, four measurements each.",
        (),
        _built_in("load_iris", "Iris"),
        seeded=False,
    ),
    Generator(
        "wine",
        "Wine",
        "178 wines of three growers, 13 measurements of very different scale.",
        (),
        _built_in("load_wine", "Wine"),
        seeded=False,
    ),
    Generator(
        "breast_cancer",
        "Breast cancer",
        "569 tissue samples, 30 measurements, benign or malignant.",
        (),
        _built_in("load_breast_cancer", "Breast cancer"),
        seeded=False,
    ),
    Generator(
        "digits",
        "Digits",
        "1,797 handwritten digits of 8 × 8 grey values.",
        (),
        _built_in("load_digits", "Digits"),
        seeded=False,
    ),
)

GENERATORS: Mapping[str, Generator] = MappingProxyType({row.key: row for row in _ROWS})
"""Every generator by its key, in the order in which the window lists them."""

_KNOWN_NAMES = {parameter.name for row in _ROWS for parameter in row.parameters}
