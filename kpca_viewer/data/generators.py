"""Data sets made on the spot, each described once for sliders, tests and scripts.

`GENERATORS` is the table; `generate` is the only way in. The same seed gives the same
points, on every machine with the same numpy. One more generator is one more row here
and a function in `shapes`: sidebar, command line and generated code find it.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import attrgetter

import numpy as np

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.data import shape_code, shapes
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.shape_code import Code
from kpca_viewer.data.shapes import Values
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.registry import Registry

LARGEST_SEED = 2**32 - 1
"""NumPy takes no larger ones."""

SAMPLE_BYTES = 100
"""That a sample takes while it is made: coordinates, class, noise and copies."""

SAMPLES = Parameter(
    name="samples",
    symbol="n",
    title="Samples",
    low=3,
    high=20_000,
    default=400,
    scale="integer",
    help="More points draw the shape more densely and take longer to analyse.",
    secondary=True,
    open_ended=True,
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
    swept=False,
)
TURNS = Parameter(
    name="turns",
    symbol="",
    title="Turns",
    low=0.5,
    high=5.0,
    default=1.5,
    help="A larger value winds the curve around more often.",
    swept=False,
)
FACTOR = Parameter(
    name="factor",
    symbol="",
    title="Factor",
    low=0.05,
    high=0.95,
    default=0.3,
    help="The inner radius as a share of the outer one; near 1 the rings touch.",
    swept=False,
)


@dataclass(frozen=True)
class Generator:
    key: str
    """The name in files and on the command line."""
    title: str
    """The name in the window."""
    help: str
    """What there is to see, in one sentence."""
    parameters: tuple[Parameter, ...]
    make: Callable[[Values, int], Dataset]
    """``(values, seed) -> Dataset``."""
    code: Code | None = None
    """Python that makes the same points without this package; None where there is
    nothing so short."""
    seeded: bool = True
    """Whether another seed gives other points."""
    real: bool = False
    """Whether they were measured and not made up."""
    in_space: bool = False
    """Whether they fill three dimensions, and are shown so at first."""
    standardise: bool = False
    """Whether their columns differ so much in scale that they are standardised
    first."""
    kernel: tuple[str, tuple[tuple[str, float], ...]] | None = None
    """Family and pairs (name, value) that belong to a worked example: its numbers are
    those of this kernel. None where the person's own kernel is as good."""

    @property
    def is_plane(self) -> bool:
        return not self.real and not self.in_space


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

    See Also
    --------
    read : the same of a file.
    show : opens it in the window.

    Examples
    --------
    >>> from kpca_viewer import generate
    >>> rings = generate("circles", samples=100)
    >>> rings.points.shape
    (100, 2)
    """
    generator = GENERATORS.get(key)
    if generator is None:
        raise DataError(
            f"There is no generator “{key}”; choose one of {', '.join(GENERATORS)}."
        )
    if unknown := sorted(set(values) - set(generator_parameters())):
        raise DataError(
            f"No generator has a parameter “{unknown[0]}”; "
            f"choose from {', '.join(sorted(generator_parameters()))}."
        )
    if seed < 0:
        raise DataError(f"The seed {seed} is negative; give 0 or a positive number.")
    if seed > LARGEST_SEED:
        raise DataError(f"A seed is at most {LARGEST_SEED:,}; give a smaller one.")
    chosen = {
        parameter.name: _checked(parameter, values.get(parameter.name))
        for parameter in generator.parameters
    }
    if chosen.get("classes", 0) > chosen.get("samples", np.inf):
        raise DataError(
            f"{chosen['samples']:.0f} samples cannot fill {chosen['classes']:.0f} "
            "classes; ask for more samples or fewer classes."
        )
    if (samples := chosen.get("samples", 0)) > SAMPLES.high:
        memory.require(
            int(samples) * SAMPLE_BYTES,
            f"A set of {readable(samples)} samples",
            "ask for fewer",
        )
    return generator.make(chosen, seed)


def generator_parameters() -> dict[str, Parameter]:
    """Return every parameter by its name, as the first generator that has it tells."""
    found: dict[str, Parameter] = {}
    for generator in GENERATORS.values():
        for parameter in generator.parameters:
            found.setdefault(parameter.name, parameter)
    return found


def _checked(parameter: Parameter, value: float | None) -> float:
    """Return the value, or the default; refuse what no shape can be made from."""
    if value is None:
        return parameter.default
    high = np.inf if parameter.open_ended else parameter.high
    if not parameter.low <= value <= high or not np.isfinite(value):
        raise DataError(
            f"{parameter.title} is {readable(value)}, which lies outside "
            f"{readable(parameter.low)} … {readable(high)}; choose a value inside."
        )
    return float(round(value)) if parameter.scale == "integer" else float(value)


def _with(parameter: Parameter, **changes: float) -> Parameter:
    return replace(parameter, **changes)  # type: ignore[arg-type]


_ROWS = (
    Generator(
        "circles",
        "Circles",
        "Two rings, one inside the other: no straight line separates them.",
        (SAMPLES, NOISE, FACTOR),
        shapes.circles,
        shape_code.CIRCLES,
    ),
    Generator(
        "moons",
        "Moons",
        "Two half moons that reach into each other.",
        (SAMPLES, _with(NOISE, default=0.1)),
        shapes.moons,
        shape_code.MOONS,
    ),
    Generator(
        "s_curve",
        "S-curve",
        "A sheet bent into an S in three dimensions.",
        (SAMPLES, NOISE),
        shapes.s_curve,
        shape_code.S_CURVE,
        in_space=True,
    ),
    Generator(
        "swiss_roll",
        "Swiss roll",
        "A sheet rolled up in three dimensions.",
        (SAMPLES, NOISE),
        shapes.swiss_roll,
        shape_code.SWISS_ROLL,
        in_space=True,
    ),
    Generator(
        "spirals",
        "Spirals",
        "Arms wound around each other.",
        (SAMPLES, _with(NOISE, default=0.02), _with(CLASSES, default=2), TURNS),
        shapes.by_code(
            shape_code.SPIRALS, "Spirals", ("arm {}",), columns={"position": "position"}
        ),
        shape_code.SPIRALS,
    ),
    Generator(
        "blobs",
        "Blobs",
        "Round clouds, for which linear PCA is already enough.",
        (SAMPLES, _with(NOISE, default=0.12), CLASSES),
        shapes.by_code(shape_code.BLOBS, "Blobs", ("class {}",)),
        shape_code.BLOBS,
    ),
    Generator(
        "gaussian_quantiles",
        "Gaussian shells",
        "One round cloud, divided into shells by the distance from its middle.",
        (SAMPLES, _with(NOISE, default=0.0), CLASSES),
        shapes.by_code(shape_code.GAUSSIAN_QUANTILES, "Gaussian shells", ("shell {}",)),
        shape_code.GAUSSIAN_QUANTILES,
    ),
    Generator(
        "torus",
        "Torus",
        "The surface of a ring in three dimensions.",
        (SAMPLES, _with(NOISE, default=0.02), _with(FACTOR, default=0.4)),
        shapes.by_code(
            shape_code.TORUS,
            "Torus",
            columns={"position": "around", "tube angle": "tube"},
        ),
        shape_code.TORUS,
        in_space=True,
    ),
    Generator(
        "helix",
        "Helix",
        "Strands wound around an axis in three dimensions.",
        (SAMPLES, NOISE, _with(CLASSES, low=1, default=2), _with(TURNS, default=2.0)),
        shapes.by_code(
            shape_code.HELIX, "Helix", ("strand {}",), columns={"position": "position"}
        ),
        shape_code.HELIX,
        in_space=True,
    ),
    Generator(
        "three_points",
        "Three points",
        "Small enough to follow the whole calculation by hand.",
        (),
        shapes.by_code(
            shape_code.THREE_POINTS, "Three points", row_names=("a", "b", "c")
        ),
        shape_code.THREE_POINTS,
        seeded=False,
        kernel=("poly", (("gamma", 1.0), ("degree", 2.0), ("coef0", 0.0))),
    ),
    Generator(
        "rising_points",
        "Points (1, 2), (3, 4), (5, 6)",
        "Whole numbers: of (1 + xᵀy)² every entry of K is a square number.",
        (),
        shapes.by_code(
            shape_code.RISING_POINTS,
            "Points (1, 2), (3, 4), (5, 6)",
            row_names=("a", "b", "c"),
        ),
        shape_code.RISING_POINTS,
        seeded=False,
        kernel=("poly", (("gamma", 1.0), ("degree", 2.0), ("coef0", 1.0))),
    ),
    Generator(
        "two_rings",
        "Two rings of four points",
        "Radii 1 and 2: rings of so few points that all of K can be read.",
        (),
        shapes.by_code(
            shape_code.TWO_RINGS, "Two rings of four points", ("inner", "outer")
        ),
        shape_code.TWO_RINGS,
        seeded=False,
        kernel=("rbf", (("gamma", 0.5),)),
    ),
    Generator(
        "points_on_a_line",
        "Points 0 … 7 on a line",
        "Evenly spaced: groups among them are made by the kernel alone.",
        (),
        shapes.by_code(
            shape_code.POINTS_ON_A_LINE,
            "Points 0 … 7 on a line",
            row_names=tuple("01234567"),
        ),
        shape_code.POINTS_ON_A_LINE,
        seeded=False,
        kernel=("rbf", (("gamma", 0.5),)),
    ),
    Generator(
        "iris",
        "Iris",
        "150 flowers of three species, four measurements each.",
        (),
        shapes.built_in("iris.csv", "Iris"),
        shape_code.built_in("load_iris"),
        seeded=False,
        real=True,
    ),
    Generator(
        "wine",
        "Wine",
        "178 wines of three growers, 13 measurements of very different scale.",
        (),
        shapes.built_in("wine_data.csv", "Wine"),
        shape_code.built_in("load_wine"),
        seeded=False,
        real=True,
        standardise=True,
    ),
    Generator(
        "breast_cancer",
        "Breast cancer",
        "569 tissue samples, 30 measurements, benign or malignant.",
        (),
        shapes.built_in("breast_cancer.csv", "Breast cancer"),
        shape_code.built_in("load_breast_cancer"),
        seeded=False,
        real=True,
        standardise=True,
    ),
    Generator(
        "digits",
        "Digits",
        "1,797 handwritten digits of 8 × 8 grey values.",
        (),
        shapes.built_in("digits.csv.gz", "Digits"),
        shape_code.built_in("load_digits"),
        seeded=False,
        real=True,
    ),
)


GENERATORS: Registry[Generator] = Registry(attrgetter("key"), _ROWS)
"""Every generator by its key, in the order in which the window lists them."""
