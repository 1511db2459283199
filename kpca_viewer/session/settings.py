"""Frozen values for everything that a person can choose.

Undo, session files, sweeps and generated code are all made of these.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import PurePath
from typing import Any, Literal, Self

from kpca_viewer.core.kernels import FAMILIES
from kpca_viewer.core.numerals import readable
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.importing.settings import ROLE_TITLES
from kpca_viewer.data.preparation import SCALING_TITLES, Scaling

Values = tuple[tuple[str, float], ...]
Axes = tuple[int, int, int]

_IN_SPACE = ("s_curve", "swiss_roll", "torus", "helix")
"""Generators whose points fill three dimensions."""


def as_values(values: Mapping[str, float]) -> Values:
    """Return a mapping as sorted pairs, which can be compared and hashed."""
    return tuple(sorted((name, float(value)) for name, value in values.items()))


@dataclass(frozen=True)
class DataSettings:
    """Where the points come from.

    Attributes
    ----------
    source : str
        Key of a generator, or of a data set that was opened.
    values : tuple of (name, value)
        Parameters of the generator that differ from its defaults.
    seed : int
    scaling : {"none", "standardise", "minmax", "unit"}
    importing : ImportSettings or None
        What the columns of an opened file mean; None for generators.
    """

    source: str = "circles"
    values: Values = ()
    seed: int = 0
    scaling: Scaling = "none"
    importing: ImportSettings | None = None

    @classmethod
    def of_source(cls, source: str, seed: int = 0) -> "DataSettings":
        """Return the settings with which a source is first shown."""
        very_different_scales = source in ("wine", "breast_cancer")
        return cls(
            source=source,
            seed=seed,
            scaling="standardise" if very_different_scales else "none",
        )

    def of_points(self) -> Self:
        """Return a copy that says nothing of columns that are no features."""
        if self.importing is None:
            return self
        return replace(self, importing=self.importing.of_features())

    def with_value(self, name: str, value: float) -> Self:
        """Return a copy with one parameter set."""
        return replace(self, values=as_values({**dict(self.values), name: value}))


@dataclass(frozen=True)
class KernelSettings:
    """Which kernel, with which parameters.

    Attributes
    ----------
    family : str
    values : tuple of (name, value)
        What the person has set. The rest follows the suggestion for the data, so a
        value that was set is never changed behind anybody's back.
    """

    family: str = "rbf"
    values: Values = ()

    def with_value(self, name: str, value: float | None) -> Self:
        """Return a copy with one parameter set, or following the suggestion again."""
        values = dict(self.values)
        values.pop(name, None)
        if value is not None:
            values[name] = value
        return replace(self, values=as_values(values))


@dataclass(frozen=True)
class AnalysisSettings:
    """How the decomposition is done."""

    components: int = 10
    center: bool = True
    solver: str = "auto"


@dataclass(frozen=True)
class ViewSettings:
    """What is shown of a result; changing it takes no new decomposition.

    Attributes
    ----------
    axes : tuple of int
        Components on the x, y and z axis, from 0.
    embedding_3d, data_3d : bool
    data_axes : tuple of int or None
        Features on the axes of the data plot; None shows the most telling ones.
    color_by : str
        "label", "column:NAME", "feature:J", "component:J" or "none".
    isolines : bool
    isoline_component : int
    spectrum : {"linear", "log"}
    cumulative : bool
    gram_centred : bool
    point_size : float
    motion : bool
    equal_scale : bool
        Whether one unit is equally long on both axes of embedding and linear PCA.
    flipped, linear_flipped : tuple of int
        Components of kernel PCA and of linear PCA that the person wants the other way
        round, from 0, sorted.
    """

    axes: Axes = (0, 1, 2)
    embedding_3d: bool = False
    data_3d: bool = False
    data_axes: Axes | None = None
    color_by: str = "label"
    isolines: bool = True
    isoline_component: int = 0
    spectrum: Literal["linear", "log"] = "linear"
    cumulative: bool = True
    gram_centred: bool = True
    point_size: float = 7.0
    motion: bool = True
    equal_scale: bool = False
    flipped: tuple[int, ...] = ()
    linear_flipped: tuple[int, ...] = ()

    def with_axis(self, position: int, component: int) -> Self:
        """Return a copy with a component on an axis; one shown trades places."""
        return replace(self, axes=traded(self.axes, position, component))

    def with_flip(self, component: int, *, linear: bool = False) -> Self:
        """Return a copy in which a component is the other way round than before."""
        before = self.linear_flipped if linear else self.flipped
        flipped = tuple(sorted({*before} ^ {component}))
        if linear:
            return replace(self, linear_flipped=flipped)
        return replace(self, flipped=flipped)

    @property
    def shown_axes(self) -> tuple[int, ...]:
        """The components that the embedding shows, two or three."""
        return self.axes[: 3 if self.embedding_3d else 2]

    def judged_axes(self, count: int) -> list[int]:
        """Return which of the first ``count`` components a picture is judged by.

        Those that are shown; where none of them is there, the first.
        """
        return [axis for axis in self.shown_axes if axis < count] or [0]

    def within(self, count: int) -> Self:
        """Return a copy whose axes are among the first ``count`` components.

        An axis that shows none of them takes the first that is free, if there is one.
        """
        axes = list(self.axes)
        free = [j for j in range(count) if j not in axes]
        for position, axis in enumerate(axes):
            if axis >= count and free:
                axes[position] = free.pop(0)
        return replace(self, axes=(axes[0], axes[1], axes[2]))

    def for_source(self, source: str) -> Self:
        """Return what is kept when other data are chosen: habits, not axes."""
        first = ViewSettings()
        return replace(
            self,
            axes=first.axes,
            data_axes=first.data_axes,
            data_3d=source in _IN_SPACE,
            color_by=first.color_by,
            isoline_component=first.isoline_component,
            flipped=first.flipped,
            linear_flipped=first.linear_flipped,
        )


def traded(axes: Axes, position: int, chosen: int) -> Axes:
    """Return axes with the chosen one at a position.

    Where another axis shows it already, the two trade places: the same values along
    both would be a diagonal line.
    """
    before = axes[position]
    x, y, z = (before if axis == chosen else axis for axis in axes)
    found = [x, y, z]
    found[position] = chosen
    return (found[0], found[1], found[2])


@dataclass(frozen=True)
class SessionSettings:
    """Everything together: one value is one state of the window."""

    data: DataSettings = field(default_factory=DataSettings)
    kernel: KernelSettings = field(default_factory=KernelSettings)
    analysis: AnalysisSettings = field(default_factory=AnalysisSettings)
    view: ViewSettings = field(default_factory=ViewSettings)

    def with_center(self, center: bool) -> "SessionSettings":
        """Return the state with centring on or off.

        The kernel matrix is then shown as it is decomposed.
        """
        return replace(
            self,
            analysis=replace(self.analysis, center=center),
            view=replace(self.view, gram_centred=center),
        )

    def needs_analysis(self, old: "SessionSettings") -> bool:
        """Whether going from ``old`` to this needs a computation.

        Isolines and the verdict on the shown axes are computed too, but quickly:
        everything before them is remembered.
        """
        return (
            (self.data, self.kernel, self.analysis)
            != (old.data, old.kernel, old.analysis)
            or self.view.shown_axes != old.view.shown_axes
            or self.view.flipped != old.view.flipped
            or self.view.linear_flipped != old.view.linear_flipped
            or (self.view.isolines and not old.view.isolines)
        )


def describe_change(old: SessionSettings, new: SessionSettings) -> str:
    """Name the step from one state to another: "γ 10 → 12.5"."""
    for part in ("data", "kernel", "analysis", "view"):
        before, after = getattr(old, part), getattr(new, part)
        if before != after:
            return _describe_part(before, after)
    return "nothing"


def _describe_part(before: Any, after: Any) -> str:
    changed = [
        f.name
        for f in fields(after)
        if getattr(before, f.name) != getattr(after, f.name)
    ]
    first = changed[0]
    if first == "values":
        return _describe_value(dict(before.values), dict(after.values), after)
    a, b = getattr(before, first), getattr(after, first)
    names = {
        "source": source_title,
        "family": _family_title,
        "scaling": _scaling_title,
        "color_by": _color_title,
    }
    word = WORDS.get(first, first.replace("_", " "))
    if first in names:
        return f"{word} {names[first](a)} → {names[first](b)}"
    if isinstance(b, bool):
        return f"{word} {'on' if b else 'off'}"
    if first in ("axes", "data_axes"):
        return _describe_axes(word, "PC" if first == "axes" else "feature", a, b)
    if first in ("flipped", "linear_flipped"):
        return f"{word} " + ", ".join(f"PC {j + 1}" for j in sorted({*a} ^ {*b}))
    if first == "importing":
        return _describe_import(word, a, b)
    if first == "isoline_component":
        a, b = a + 1, b + 1  # a person counts components from one
    return f"{word} {_text(a)} → {_text(b)}"


def _describe_axes(
    word: str, each: str, a: tuple[int, ...] | None, b: tuple[int, ...] | None
) -> str:
    """Name the one axis that has changed, or all of them; a person counts from one."""
    if a is not None and b is not None:
        changed = [j for j in range(len(b)) if a[j] != b[j]]
        if len(changed) == 1:
            j = changed[0]
            which = word.replace("axes", f"{'xyz'[j]} axis")
            return f"{which} {each} {a[j] + 1} → {each} {b[j] + 1}"
    ends = [
        "automatic"
        if axes is None
        else f"{each} " + ", ".join(str(j + 1) for j in axes)
        for axes in (a, b)
    ]
    return f"{word} {' → '.join(ends)}"


def _describe_import(
    word: str, a: ImportSettings | None, b: ImportSettings | None
) -> str:
    """Name the one column whose role has changed, or what happens to gaps."""
    if a is None or b is None:
        return word
    if a.missing != b.missing:
        return f"{word}, gaps {MISSING_WORDS[a.missing]} → {MISSING_WORDS[b.missing]}"
    before, after = dict(a.roles), dict(b.roles)
    changed = [name for name in after if before.get(name) != after[name]]
    if len(changed) != 1:
        return word
    name = changed[0]
    roles = [
        ROLE_TITLES[roles.get(name, "ignore")].lower() for roles in (before, after)
    ]
    return f"{word}, “{name}” {' → '.join(roles)}"


MISSING_WORDS = {"drop": "left out", "median": "filled"}

WORDS = {
    "source": "data",
    "values": "values",
    "seed": "seed",
    "scaling": "scaling",
    "importing": "columns of the file",
    "family": "kernel",
    "components": "components",
    "center": "centring",
    "solver": "solver",
    "axes": "axes",
    "embedding_3d": "3-D embedding",
    "data_3d": "3-D data",
    "data_axes": "axes of the data",
    "color_by": "colour by",
    "isolines": "isolines",
    "isoline_component": "isolines of component",
    "spectrum": "spectrum",
    "cumulative": "cumulative line",
    "gram_centred": "centred kernel matrix",
    "point_size": "point size",
    "motion": "animation",
    "equal_scale": "equal scale",
    "flipped": "flip of",
    "linear_flipped": "flip of linear",
}
"""What a person calls each field, in the words of the window."""


def _describe_value(
    before: dict[str, float], after: dict[str, float], part: Any
) -> str:
    for name in (*after, *before):
        if before.get(name) != after.get(name):
            unset = _unset(name, part)
            a, b = _text(before.get(name, unset)), _text(after.get(name, unset))
            return f"{_symbol(name, part)} {a} → {b}"
    return "values"


def _unset(name: str, part: Any) -> float | str:
    """Return what holds for a parameter that nobody has set."""
    if isinstance(part, DataSettings) and part.source in GENERATORS:
        for parameter in GENERATORS[part.source].parameters:
            if parameter.name == name:
                return parameter.default
    return "suggested"


def _symbol(name: str, part: Any) -> str:
    if isinstance(part, KernelSettings) and part.family in FAMILIES:
        for parameter in FAMILIES[part.family].parameters:
            if parameter.name == name:
                return parameter.symbol
    return name


def source_title(key: str) -> str:
    """Return what a person calls a source: a generator's title or a file's name."""
    return GENERATORS[key].title if key in GENERATORS else PurePath(key).name


def _family_title(key: str) -> str:
    return FAMILIES[key].title if key in FAMILIES else key


def _scaling_title(key: Scaling) -> str:
    return SCALING_TITLES.get(key, key).lower()


def _color_title(key: str) -> str:
    """Return what points are coloured by as the sidebar calls it, without the data."""
    kind, _, rest = key.partition(":")
    if kind in ("component", "feature") and rest.isdecimal():
        word = "PC" if kind == "component" else "feature"
        return f"{word} {int(rest) + 1}"
    if kind == "column" and rest:
        return rest
    return {"label": "class", "none": "nothing"}.get(key, key)


def _text(value: Any) -> str:
    if isinstance(value, int | float) and float(value).is_integer():
        return f"{value:.0f}"
    return readable(value) if isinstance(value, int | float) else str(value)
