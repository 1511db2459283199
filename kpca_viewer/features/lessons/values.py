"""The values that lessons may name, and the places in texts that they fill."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kpca_viewer.core.methods.random_baseline import NINE, Round
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import centred
from kpca_viewer.engine.views import Views
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.expressions import Name, Value, parse
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError, excerpt
from kpca_viewer.support.numerals import fixed, percent, readable

NOISE = 1e-12
"""Part of the largest eigenvalue below which another is 0."""

INDICES: Mapping[str, int] = {
    **dict.fromkeys(("mu", "share", "new_point", "new_place"), 1),
    **dict.fromkeys(("score", "x", "K", "Kc"), 2),
}
"""How many indices a name has; all others have none."""

MATRICES = ("K", "Kc")


@dataclass(frozen=True, eq=False)
class LessonValues:
    """What one state of the window is, by the published names."""

    result: AnalysisResult
    views: Views = field(default_factory=Views)
    notes: Notes = field(default_factory=Notes)
    settings: SessionSettings | None = None
    """Of the window, where its view has changed since the result."""

    @classmethod
    def of(
        cls,
        result: AnalysisResult,
        views: Views | None = None,
        notes: Notes | None = None,
        settings: SessionSettings | None = None,
    ) -> "LessonValues":
        return cls(result, views or Views(), notes or Notes(), settings)

    def lookup(self, name: Name) -> Value:
        """Return a value."""
        check_name(name)
        found = _VALUES[name.name](self, *(index - 1 for index in name.indices))
        if found is None or (isinstance(found, float) and not math.isfinite(found)):
            raise DataError(text.no_value(str(name)))
        return found

    def matrix(self, name: str) -> Array:
        """Return K or Kc of shape (n, n), in the order of the rows."""
        picture = self.result.picture
        if picture.sampled:
            raise DataError(text.no_value(name))
        matrix = picture.centred if name == "Kc" else picture.raw
        if name == "K" and self.result.dataset.kind == "distances":
            matrix = -0.5 * np.square(matrix)
        ordered = np.empty_like(matrix)
        ordered[np.ix_(picture.rows, picture.rows)] = matrix
        return ordered

    @property
    def view(self) -> Any:
        return (self.settings or self.result.settings).view

    @property
    def eigenvalues(self) -> Array:
        """Shape (m,). All that are known; rounding around zero is zero."""
        found = self.result.decomposition
        values = found.spectrum if found.complete else found.eigenvalues
        noise = NOISE * float(np.abs(values).max(initial=0.0))
        return np.where(np.abs(values) > noise, values, 0.0)

    def _parameter(self, name: str) -> float | None:
        kernel = self.result.kernel
        return None if kernel is None else kernel.values.get(name)

    def _signs(self, sign: int) -> float | None:
        if not self.result.decomposition.complete:
            return None
        return float((np.sign(self.eigenvalues) == sign).sum())

    def _accuracy(self, *, linear: bool) -> float | None:
        comparison = self.result.comparison
        if comparison is None:
            return None
        found = comparison.linear if linear else comparison.kernel
        if found is None or found.predictions is None:
            return None
        return found.predictions.balanced_accuracy

    def _kernel(self) -> str:
        kernel = self.result.kernel
        return self.result.dataset.kind if kernel is None else kernel.family.name

    def _new_point(self, j: int) -> float | None:
        places = self.notes.new_points
        if not places or self.result.kernel is None or self.result.dataset.d != 2:
            return None
        return _entry(self.result.projected(np.array(places[-1:])), 0, j)

    def _new_place(self, j: int) -> float | None:
        places = self.notes.new_points
        return _entry(np.array(places[-1]), j) if places else None

    def _features(self) -> float | None:
        kernel, d = self.result.kernel, self.result.dataset.d
        return None if kernel is None else float(kernel.feature_dimension(d))


def _entry(array: Array, *place: int) -> float | None:
    """Return an entry of an array; None outside of it."""
    inside = all(i < size for i, size in zip(place, array.shape, strict=True))
    return float(array[place]) if inside else None


_VALUES: Mapping[str, Callable[..., Value | None]] = {
    "kernel": LessonValues._kernel,
    "gamma": lambda values: values._parameter("gamma"),
    "degree": lambda values: values._parameter("degree"),
    "coef0": lambda values: values._parameter("coef0"),
    "centred": lambda values: float(
        centred(values.result.dataset, values.result.settings)
    ),
    "normalised": lambda values: float(values.result.scoring.normalised),
    "centred_new": lambda values: float(values.result.scoring.centers_new),
    "n": lambda values: float(values.result.dataset.n),
    "d": lambda values: float(values.result.dataset.d),
    "mu": lambda values, j: _entry(values.eigenvalues, j),
    "share": lambda values, j: _entry(values.result.shares, j),
    "rank": lambda values: values._signs(1),
    "negative": lambda values: values._signs(-1),
    "effective_rank": lambda values: values.result.effective_rank,
    "accuracy": lambda values: values._accuracy(linear=False),
    "linear_accuracy": lambda values: values._accuracy(linear=True),
    "score": lambda values, i, j: _entry(values.result.scores, i, j),
    "x": lambda values, i, j: _entry(values.result.dataset.points, i, j),
    "K": lambda values, i, j: _entry(values.matrix("K"), i, j),
    "Kc": lambda values, i, j: _entry(values.matrix("Kc"), i, j),
    "new_point": LessonValues._new_point,
    "new_place": LessonValues._new_place,
    "features": LessonValues._features,
    "yours": lambda values: Round.of(values.view.null_draw, NINE).place + 1.0,
    "axis.x": lambda values: values.view.axes[0] + 1.0,
    "axis.y": lambda values: values.view.axes[1] + 1.0,
    "workspace": lambda values: values.views.workspace or "explore",
    "page": lambda values: values.views.page or "",
    "source": lambda values: values.result.settings.data.source,
    "lift": lambda values: values.view.lift,
    "selection": lambda values: float(
        0 if values.notes.selected is None else values.notes.selected.count
    ),
}

NAMES = tuple(_VALUES)
"""All that are published."""


def check_name(name: Name) -> None:
    """Raise a `DataError` if there is no such value, or with other indices."""
    if name.name not in _VALUES:
        raise DataError(text.unknown_value(excerpt(name.name)))
    count = INDICES.get(name.name, 0)
    if len(name.indices) != count:
        raise DataError(text.wrong_indices(name.name, count))


# Places in texts

_FORMULA = re.compile(r"(\$[^$]*\$)")
_PLACE = re.compile(r"\{([^{}$]*)\}")
_SPEC = re.compile(r",?d|,?(?:\.[0-9]{1,2})?[fge]|\.[0-9]{1,2}%")


@dataclass(frozen=True)
class Place:
    """A name in a text, and how its value is written."""

    name: Name
    spec: str = ""

    @classmethod
    def of(cls, content: str) -> "Place":
        """Read what stands in braces; raises `DataError` for what is no place."""
        name, colon, spec = content.partition(":")
        parsed = parse(name)
        if not isinstance(parsed, Name):
            raise DataError(text.no_place(excerpt(content)))
        check_name(parsed)
        if colon and not _SPEC.fullmatch(spec):
            raise DataError(text.no_format(excerpt(spec)))
        return cls(parsed, spec)

    def filled(self, values: LessonValues) -> str:
        """Return the value as it is written."""
        value = values.lookup(self.name)
        if isinstance(value, str):
            if self.spec:
                raise DataError(text.no_number_but(value))
            return value
        return _written(value, self.spec)


def _written(value: float, spec: str) -> str:
    if not spec:
        return readable(value)
    if spec.endswith("d"):
        value, spec = round(value), spec.replace("d", "")
    decimals = re.fullmatch(r"\.([0-9]+)([f%])", spec)
    if decimals:
        write = fixed if decimals[2] == "f" else percent
        # No line ends between a number and its sign.
        return write(value, int(decimals[1])).replace(" ", "\N{NO-BREAK SPACE}")
    return f"{value:{spec}}".replace("-", "−")


def places_in(content: str) -> Iterator[Place]:
    """Yield the places of a text."""
    for part, is_formula in _parts(content):
        for found in _PLACE.finditer(part):
            if not is_formula or _is_place(found[1]):
                yield Place.of(found[1])
        if not is_formula and re.search("[{}]", _PLACE.sub("", part)):
            raise DataError(text.LONE_BRACE)


def fill(content: str, values: LessonValues) -> str:
    """Return a text with its places filled."""
    found = []
    for part, is_formula in _parts(content):

        def filled(match: re.Match[str], in_formula: bool = is_formula) -> str:
            if in_formula and not _is_place(match[1]):
                return match[0]
            written = Place.of(match[1]).filled(values)
            return written.replace("−", "-") if in_formula else written

        found.append(_PLACE.sub(filled, part))
    return "".join(found)


def _parts(content: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, and whether they are formulas."""
    for index, part in enumerate(_FORMULA.split(content)):
        yield part, index % 2 == 1


def _is_place(content: str) -> bool:
    return bool(re.fullmatch(r"[A-Za-z_.0-9]+(\[[0-9, ]+\])?(:[^:]*)?", content)) and (
        "[" in content or ":" in content
    )
