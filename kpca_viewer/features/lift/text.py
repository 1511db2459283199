"""What is said of a lift and of both sides of a kernel: only what was measured."""

from collections.abc import Sequence
from math import isinf

import numpy as np

from kpca_viewer.core.kernels.family import Operations
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.claims.verdict import is_beyond_guessing
from kpca_viewer.engine.lifts import Lift
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.lift.both_sides import BothSides, written_alike
from kpca_viewer.features.lift.compute import LiftedSpace, Separation
from kpca_viewer.support.numerals import as_it_is, counted, lowered, percent, readable

# Controls

LIFT_TIP = "Raise the plane into a feature space; a drag turns it"
HEIGHT, HEIGHT_TIP = (
    "Height",
    "How far the plane is raised: 0 is flat, 1 is the map φ.",
)
MAP, MAP_TIP = (
    "Map that raises the plane",
    "Into what the plane of the data is raised.",
)
USE_KERNEL, USE_KERNEL_TIP = "Use kernel", "Let the whole window compute with {formula}"
COMPONENTS = "Directions of PC 1–3"

ABOUT = {
    "paraboloid": "The squared length as height: the map of the paraboloid kernel.",
    "square": (
        "All products of two: the map of the polynomial kernel with γ = 1, c = 0 and "
        "p = 2."
    ),
    "offset_square": (
        "All products of up to two, three of which are drawn: the map of the "
        "polynomial kernel with γ = 1, c = 1 and p = 2."
    ),
    "components": (
        "Where the plane lies along the first three components of the kernel that "
        "computes, whatever its map is."
    ),
}
"""What each lift shows, by its key."""

# Why there is no lift

NO_PLANE = "A given matrix has no plane that could be raised; open points."
OTHER_FEATURES = (
    "Only a plane can be raised, and these data have {features}; choose data with two."
)
TOO_MANY_POINTS = (
    "{n:,} points are too many to be raised while a slider moves; choose {most:,} or "
    "fewer."
)

MOST_ROWS = 20_000
"""That are lifted while a slider moves; mapping more takes longer than a frame."""

# The line below the plot

PLANE = "The plane itself. Arrows: components of what is drawn."
ON_THE_WAY = (
    "{share} of the way from the plane to φ. Arrows: components of what is drawn."
)
ONE_PLACE = "All points lie in one place: no component."
ARROWS_OF_KERNEL = "Arrows: {which} of the {kernel} kernel, {where}."
ARROWS_OF_POINTS = (
    "Arrows: {which} of these points, {where}; the {kernel} kernel has another map."
)
AROUND_MEAN, FROM_ORIGIN = "around the mean", "from the origin (not centred)"
DIRECTIONS_WITHOUT_MAP = "{count} directions, {share} of the variance. {why}"
DIRECTIONS_OF_INFINITE = (
    "{count} of infinitely many directions, {share} of the variance."
)
DIRECTIONS_OF_MANY = "{count} of {all} directions, {share} of the variance."
ALL_DIRECTIONS = "All {count} directions, {share} of the variance."
THREE_DRAWN = "Drawn: three of {count} coordinates."
BEST_COMPONENT = (
    "PC {number} tells the classes apart best: {measure}{rate}, guessing {guessing}."
)

# Both sides

PAGE_TITLE = "Both sides of the kernel"
LABELS = {
    "rows": "Which points are compared",
    "map": "The map",
    "phi_a": "φ(a)",
    "phi_b": "φ(b)",
    "expansion": "The products that φ(a)·φ(b) consists of",
    "taylor": "First coordinates of an infinite map",
    "kernel": "The kernel",
    "product": "φ(a)·φ(b), all digits",
    "value": "k(a, b), all digits",
    "map_count": "Operations by φ",
    "kernel_count": "Operations by the kernel",
    "agreement": "How far they agree",
    "cost": "Which way takes less",
    "size": "Dimension of the feature space",
    "said": "What cannot be computed",
}
"""What the lines of the page are called for assistive technology."""
BY_MAP, BY_KERNEL = "By φ", "By k"
COVERED = "?"
PRODUCTS = "Their products"
MATRIX = "A given matrix has no kernel to compute by hand; open points."
NO_LOGARITHM = "A value has no logarithm here; move the points to larger values."
ROWS_COMPARED = "a is {first}, b is {second}; select two rows to compare those."
SCALED = "Scaled, as the kernel sees them: a = {a}, b = {b}."
POINT_MARKER = "{point} of both sides"
FIELD, FIELD_TIP = "{name} of {point}", "Where {point} lies along {name}."
EQUAL = "Equal in all digits."
ROUNDED = "Equal up to rounding: they differ by {difference}."
EQUAL_DIGITS, NOT_EQUAL = "Equal in the first {count} digits", "Not equal"
REST_IS_ROUNDING = "{how_far}; the rest is rounding."
DIFFERENT = "{how_far}; they differ by {difference}."
INFINITE_MAP = "φ has infinitely many coordinates."
SAME_COST = "For this kernel both ways cost the same; {other} to see a difference."
CHOOSE_POLYNOMIAL, RAISE_DEGREE = "choose Polynomial", "raise the degree"
SIZE = "φ has {formula}{count} coordinates."
SIZE_TOO_MANY = "φ has {formula}{count} coordinates; too many to be written out."

FEW = 10
"""Digits below which those that agree are not worth counting."""

SHOWN = 10
"""Coordinates of φ that are written out."""


def title(lift: Lift, variables: Sequence[str]) -> str:
    """Return the map as a person writes it: "(x, y, x² + y²)"."""
    features = lift.features
    if features is None:
        return COMPONENTS
    return f"({', '.join(features.plain(variables))})"


def why_not(dataset: Dataset, kernel: Kernel | None) -> str:
    """Say why data cannot be lifted, and what can; nothing where they can be."""
    if dataset.kind != "points" or kernel is None:
        return NO_PLANE
    if dataset.d != 2:
        features = f"{dataset.d:,} {'feature' if dataset.d == 1 else 'features'}"
        return OTHER_FEATURES.format(features=features)
    if dataset.n > MOST_ROWS:
        return TOO_MANY_POINTS.format(n=dataset.n, most=MOST_ROWS)
    return ""


def caption(
    result: AnalysisResult,
    space: LiftedSpace,
    height: float,
    separated: Separation | None,
) -> str:
    parts = [_what(result, space, height)]
    if len(space.names) > 3:
        parts.append(THREE_DRAWN.format(count=len(space.names)))
    if separated is not None and height >= 1:
        parts.append(best_component(separated))
    return " ".join(part for part in parts if part)


def best_component(separated: Separation) -> str:
    """Name the best one; nothing where none is better than guessing."""
    found = separated.predictions
    best = max(found, key=lambda one: one.balanced_accuracy)
    if not is_beyond_guessing(best):
        return ""
    return BEST_COMPONENT.format(
        number=found.index(best) + 1,
        measure="" if np.ptp(best.sizes) <= 1 else "balanced accuracy ",
        rate=percent(best.balanced_accuracy, 0),
        guessing=percent(best.balanced_guessing, 0),
    )


def _what(result: AnalysisResult, space: LiftedSpace, height: float) -> str:
    kernel = result.kernel
    assert kernel is not None
    if height <= 0:
        return PLANE
    if height < 1:
        return ON_THE_WAY.format(share=percent(height, 0))
    if not space.lift.family:
        return _share_of_directions(result, kernel)
    count = min(3, space.components.directions.shape[1])
    if count == 0:
        return ONE_PLACE
    template = ARROWS_OF_POINTS if space.exact is None else ARROWS_OF_KERNEL
    return template.format(
        which="PC 1" if count == 1 else f"PC 1–{count}",
        kernel=_called(kernel),
        where=AROUND_MEAN if space.centred else FROM_ORIGIN,
    )


def _share_of_directions(result: AnalysisResult, kernel: Kernel) -> str:
    shown = min(3, result.scores.shape[1])
    share = f"{result.mass.mark}{percent(float(result.shares[:shown].sum()), 0)}"
    size = kernel.feature_dimension(result.dataset.d)
    many = ("No", "One", "Two", "Three")[shown]
    if kernel.why_no_map:
        return DIRECTIONS_WITHOUT_MAP.format(
            count=many, share=share, why=kernel.why_no_map
        )
    if isinf(size):
        return DIRECTIONS_OF_INFINITE.format(count=many, share=share)
    if size <= shown:
        return ALL_DIRECTIONS.format(count=shown, share=share)
    return DIRECTIONS_OF_MANY.format(count=many, all=counted(size), share=share)


def _called(kernel: Kernel) -> str:
    name = kernel.family.short or kernel.family.title
    return name if name.isupper() else name.lower()


def agreement(sides: BothSides) -> str:
    """Say how far the two agree; nothing where there is only one of them."""
    product = sides.product
    if product is None:
        return ""
    if product == sides.value:
        return EQUAL
    first, second, _ = written_alike(product, sides.value, sides.largest)
    same = _equal_digits(first, second)
    difference = readable(abs(product - sides.value))
    if sides.is_rounding and same < FEW:
        # 0.999… and 1.000… share no digit.
        return ROUNDED.format(difference=difference)
    how_far = EQUAL_DIGITS.format(count=same) if same else NOT_EQUAL
    template = REST_IS_ROUNDING if sides.is_rounding else DIFFERENT
    return template.format(how_far=how_far, difference=difference)


def same_cost(sides: BothSides) -> str:
    """Say that no way is shorter, and where one is; nothing where they differ."""
    first, second = sides.by_map, sides.by_kernel
    if first is None or second is None or first.total != second.total:
        return ""
    has_degree = "degree" in sides.kernel.values
    return SAME_COST.format(other=RAISE_DEGREE if has_degree else CHOOSE_POLYNOMIAL)


def _equal_digits(first: str, second: str) -> int:
    """Count the significant digits that two texts share from the left."""
    same = 0
    if len(first) != len(second):
        return 0
    for x, y in zip(first, second, strict=True):
        if x != y:
            break
        same += x.isdigit() and (same > 0 or x != "0")
    return same


def size_of_map(sides: BothSides) -> str:
    """Say how many coordinates φ has, with the binomial of a polynomial."""
    d, size, values = len(sides.a), sides.dimension, sides.kernel.values
    if sides.kernel.why_no_map:
        return sides.kernel.why_no_map
    if isinf(size):
        return INFINITE_MAP
    formula = ""
    if {"degree", "coef0"} <= set(values):
        p = int(values["degree"])
        less = " − 1" if values["coef0"] == 0 else ""
        formula = f"C({d:,} + {p}{less}, {p}) = "
    template = SIZE_TOO_MANY if sides.features is None else SIZE
    return template.format(formula=formula, count=counted(size))


def coordinates(sides: BothSides, which: int) -> str:
    """Return φ(a) or φ(b) with numbers: "(0.25, −0.8485, 1.44)"."""
    texts = [readable(value) for value in sides.images[which, :SHOWN].tolist()]
    if sides.images.shape[1] > SHOWN:
        texts.append(f"… {counted(sides.images.shape[1] - SHOWN)} more")
    return f"({', '.join(texts)})"


def expansion(sides: BothSides) -> str:
    """Write φ(a)·φ(b) as the sum of its products; nothing for many or for sums."""
    features = sides.features
    if (
        features is None
        or features.starts is not None
        or features.of_unit_rows
        or len(features) > SHOWN
    ):
        return ""
    names = [f"{point}{lowered(j + 1)}" for point in "ab" for j in range(features.d)]
    both = FeatureMap(features.weights**2, np.hstack([features.powers] * 2))
    values = (sides.images[0] * sides.images[1]).tolist()
    written = " + ".join(as_it_is(round(value, 10)) for value in values)
    lines = " + ".join(both.plain(names)), f"= {written}".replace("+ −", "− ")
    return f"{lines[0]}\n{lines[1]} = {as_it_is(sides.value)}"


def formula_of_map(sides: BothSides, variables: list[str]) -> str:
    """Return φ with the names of the features: "(x₁², √2x₁x₂, x₂²)"."""
    if sides.features is None:
        return ""
    names = sides.features.plain(variables)
    more = ["…"] if len(names) > SHOWN else []
    return f"({', '.join(names[:SHOWN] + more)})"


def operations_words(operations: Operations) -> str:
    """Return a count by kind: "13 operations: 11 ×, 2 +"."""
    kinds = (
        (operations.products, "×"),
        (operations.additions, "+"),
        (operations.functions, "functions" if operations.functions > 1 else "function"),
    )
    each = ", ".join(f"{counted(count)} {kind}" for count, kind in kinds if count)
    plural = "operation" if operations.total == 1 else "operations"
    return f"{counted(operations.total)} {plural}: {each}"
