"""SweepSettings: which parameter takes which values; and ranges that are proposed."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Literal, Self

import numpy as np

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.measures import DEFAULT_MEASURE
from kpca_viewer.engine.sweep.parameters import (
    COMPONENTS,
    KERNEL,
    Value,
    current_value,
    is_of_kernel,
    is_whole,
    parameter_named,
    parameter_of,
    sweep_parameters,
    sweepable,
    symbol_of,
    value_text,
    with_value,
)
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import readable

SweepScale = Literal["log", "linear"]
STEPS = 30
"""Values of a sweep by default."""

SECOND_STEPS = 6
"""Rows of a grid by default."""

MOST_CELLS = 2000
"""Analyses of one sweep at most."""


@dataclass(frozen=True)
class SweepAxis:
    """One parameter and the values that it takes."""

    parameter: str
    low: float = 0.1
    high: float = 10.0
    steps: int = STEPS
    scale: SweepScale = "log"
    kernels: tuple[str, ...] = ()
    """The families in turn, where the parameter is the kernel itself; empty for all."""

    def __post_init__(self) -> None:
        known = sweep_parameters()
        if self.parameter not in known and not is_of_kernel(self.parameter):
            raise DataError(
                f"“{self.parameter}” cannot be swept; choose one of {', '.join(known)}."
            )
        for name in self.kernels:
            if name not in FAMILIES:
                raise DataError(
                    f"There is no kernel “{name}”; choose one of {', '.join(FAMILIES)}."
                )
        if self.is_of_kernels:
            return
        if not (np.isfinite(self.low) and np.isfinite(self.high)):
            raise DataError("A sweep needs finite ends; give two numbers.")
        if self.high < self.low:
            raise DataError(
                f"{readable(self.low)} to {readable(self.high)} runs downwards; give "
                "the smaller end first."
            )
        if not 1 <= self.steps <= MOST_CELLS:
            raise DataError(
                f"A sweep has 1 to {MOST_CELLS:,} steps, not {readable(self.steps)}; "
                f"choose {'more' if self.steps < 1 else 'fewer'}."
            )
        if self.scale == "log" and self.low <= 0:
            raise DataError(
                f"A logarithmic sweep cannot begin at {readable(self.low)}; begin "
                "above 0 or choose a linear one."
            )

    @property
    def is_of_kernels(self) -> bool:
        """Whether its values are names of kernels instead of numbers."""
        return self.parameter == KERNEL

    def values(self) -> tuple[Value, ...]:
        return self._values

    @cached_property
    def _values(self) -> tuple[Value, ...]:
        if self.is_of_kernels:
            return self.kernels or tuple(FAMILIES)
        if choices := parameter_named(self.parameter).choices:
            # Other smoothness has no closed form; these are all there are.
            kept = tuple(v for v in choices if self.low <= v <= self.high)
            return kept or (min(choices, key=lambda v: abs(v - self.low)),)
        whole = is_whole(self.parameter)
        if self.steps == 1 or self.low == self.high:
            return (_rounded(self.low, whole=whole),)
        make = np.geomspace if self.scale == "log" else np.linspace
        steps = make(self.low, self.high, self.steps)
        return tuple(dict.fromkeys(_rounded(float(v), whole=whole) for v in steps))

    def nearest(self, value: Value | None) -> int:
        """Return the position whose value is nearest; the middle for no number."""
        values = self.values()
        if value in values:
            return values.index(value)
        if value is None or isinstance(value, str) or self.is_of_kernels:
            return len(values) // 2
        at = np.array(values, dtype=np.float64)
        if self.scale == "log" and value > 0 and at.min() > 0:
            return int(np.argmin(np.abs(np.log(at / value))))
        return int(np.argmin(np.abs(at - value)))

    def place_of(self, value: Value | None) -> float | None:
        """Return where a value stands, between two others perhaps; None if outside."""
        values = self.values()
        if value in values:
            return float(values.index(value))
        if value is None or isinstance(value, str) or self.is_of_kernels:
            return None
        at = np.array(values, dtype=np.float64)
        if len(at) < 2 or not at[0] <= value <= at[-1]:
            return None
        if self.scale == "log" and at[0] > 0:
            return float(np.interp(np.log(value), np.log(at), np.arange(len(at))))
        return float(np.interp(value, at, np.arange(len(at))))


def _rounded(value: float, *, whole: bool) -> float:
    if whole:
        return float(round(value))
    # Twelve digits: 10 stays 10 and not 10.000000000000002.
    return float(f"{value:.11e}")


@dataclass(frozen=True)
class SweepSettings:
    """A sweep over one parameter, or over two as a grid."""

    parameter: str = "gamma"
    low: float = 0.1
    high: float = 10.0
    steps: int = STEPS
    scale: SweepScale = "log"
    kernels: tuple[str, ...] = ()
    """Of the first parameter; see `SweepAxis`."""
    second: SweepAxis | None = None
    """The rows of a grid."""
    measure: str = DEFAULT_MEASURE
    """Key of the measure whose curve is shown."""

    def __post_init__(self) -> None:
        if self.second is not None and self.second.parameter == self.parameter:
            raise DataError(
                f"Both parameters of the grid are {self.parameter}; choose two "
                "different ones."
            )
        count = len(self.cells())
        if count > MOST_CELLS:
            raise DataError(
                f"The grid has {count:,} values, more than {MOST_CELLS:,}; choose "
                "fewer steps."
            )

    @classmethod
    def along(cls, first: SweepAxis, second: SweepAxis | None = None) -> Self:
        return cls(**asdict(first), second=second)

    @cached_property
    def axes(self) -> tuple[SweepAxis, ...]:
        first = SweepAxis(
            self.parameter, self.low, self.high, self.steps, self.scale, self.kernels
        )
        return (first,) if self.second is None else (first, self.second)

    @cached_property
    def shape(self) -> tuple[int, int]:
        """Columns and rows of the grid; one row for one parameter."""
        lengths = [len(axis.values()) for axis in self.axes]
        return lengths[0], lengths[1] if len(lengths) > 1 else 1

    def values(self) -> tuple[Value, ...]:
        return self.axes[0].values()

    def cells(self) -> tuple[tuple[Value, ...], ...]:
        """Return what every point of the sweep sets, row by row of a grid."""
        return self._cells

    @cached_property
    def _cells(self) -> tuple[tuple[Value, ...], ...]:
        first, *rest = (axis.values() for axis in self.axes)
        if not rest:
            return tuple((value,) for value in first)
        return tuple((value, other) for other in rest[0] for value in first)

    def cell(self, index: int) -> tuple[int, int]:
        row, column = divmod(index, self.shape[0])
        return column, row

    def order(self, current: tuple[Value | None, ...] = ()) -> list[int]:
        """Return all points, most useful first.

        The value that is shown now comes first and the ends follow; then ever finer
        steps fill the gaps, near before far. Wherever it is stopped, what is there is
        spread over the whole range.
        """
        padded = (*current, None, None)
        middle = [
            axis.nearest(value) for axis, value in zip(self.axes, padded, strict=False)
        ]
        columns, rows = self.shape
        cx, cy = middle[0], middle[1] if len(middle) > 1 else 0

        def usefulness(index: int) -> tuple[int, float]:
            y, x = divmod(index, columns)
            level = max(_level(x - cx, x, columns), _level(y - cy, y, rows))
            return level, abs(x - cx) + abs(y - cy)

        return sorted(range(columns * rows), key=usefulness)

    def place_of(
        self, settings: SessionSettings, suggested: Mapping[str, float] | None = None
    ) -> tuple[float | None, float | None]:
        """Return the column and the row of settings, each None if it is outside."""
        places = [
            axis.place_of(current_value(settings, axis.parameter, suggested))
            for axis in self.axes
        ]
        return places[0], places[1] if len(places) > 1 else None

    def why_absent(self, index: int) -> str:
        """Return why a point has nothing to show by its nature; empty if it has.

        A grid over kernels and one of their parameters has such points: not every
        kernel has that parameter.
        """
        cell = {
            axis.parameter: v
            for axis, v in zip(self.axes, self.cells()[index], strict=True)
        }
        family = FAMILIES.get(str(cell.pop(KERNEL, "")))
        if family is None:
            return ""
        known = [parameter.name for parameter in family.parameters]
        missing = [n for n in cell if is_of_kernel(n) and n not in known]
        return f"{family.title} has no {symbol_of(missing[0])}." if missing else ""

    def judged_axes(self, settings: SessionSettings, count: int) -> list[int]:
        """Return the judged components of a point: the shown, or all if they vary."""
        if any(axis.parameter == COMPONENTS.name for axis in self.axes):
            return list(range(count))
        return settings.view.judged_axes(count)

    def apply(self, base: SessionSettings, index: int) -> SessionSettings:
        """Return the settings of a point: the base with its values set."""
        settings = base
        cell = self.cells()[index]
        # The family first: another one would forget the values set before it.
        for axis, value in sorted(
            zip(self.axes, cell, strict=True), key=lambda p: not p[0].is_of_kernels
        ):
            settings = with_value(settings, axis.parameter, value)
        return settings


def _level(away: int, at: int, count: int) -> int:
    """0 at the current value, 1 at the ends, then more the finer the step."""
    if away == 0:
        return 0
    if at in (0, count - 1):
        return 1
    step = away & -away  # the largest power of two that divides it
    return 2 + count.bit_length() - step.bit_length()


def default_axis(
    settings: SessionSettings,
    parameter: str | None = None,
    suggested: Mapping[str, float] | None = None,
) -> SweepAxis:
    """Return a sensible range: two decades around the value now, or all there is."""
    parameter = parameter or sweepable(settings)[0]
    if parameter == KERNEL:
        return SweepAxis(KERNEL)
    known_as = parameter_of(settings, parameter) or parameter_named(parameter)
    now = current_value(settings, parameter, suggested)
    value = known_as.default if now is None or isinstance(now, str) else now
    if known_as.scale == "choice":
        low, high = min(known_as.choices), max(known_as.choices)
        return SweepAxis(parameter, low, high, len(known_as.choices), "linear")
    if known_as.open_ended:
        low = max(value / 10, 10 * known_as.low)
        high = max(min(value * 10, known_as.high), low)
        return SweepAxis(parameter, round(low), round(high), 12, "log")
    if known_as.scale == "log":
        # Two digits are enough for an end, and easier to read in a field.
        low, high = (float(f"{value * factor:.1e}") for factor in (0.1, 10))
        return SweepAxis(parameter, low, high, STEPS, "log")
    if known_as.scale == "integer":
        high = max(known_as.high, value)
        steps = round(high - known_as.low) + 1
        # A degree that was typed may be any number.
        steps = steps if steps <= MOST_CELLS else STEPS
        return SweepAxis(parameter, known_as.low, high, steps, "linear")
    return SweepAxis(parameter, known_as.low, known_as.high, STEPS, "linear")


def axis_texts(axis: SweepAxis) -> list[str]:
    """Return every value of an axis with its name: "γ = 0.32", or a kernel."""
    name = "" if axis.is_of_kernels else f"{symbol_of(axis.parameter)} = "
    return [f"{name}{value_text(axis.parameter, value)}" for value in axis.values()]


def cell_text(sweep: SweepSettings, values: tuple[Value, ...]) -> str:
    """Return all values of a point: "γ = 0.32, p = 3"."""
    return ", ".join(
        value_text(axis.parameter, value)
        if axis.is_of_kernels
        else f"{symbol_of(axis.parameter)} = {value_text(axis.parameter, value)}"
        for axis, value in zip(sweep.axes, values, strict=True)
    )


def propose_second_axis(
    settings: SessionSettings,
    parameter: str,
    suggested: Mapping[str, float] | None = None,
) -> SweepAxis:
    """Return a range for the rows of a grid: a few of what a whole sweep would have."""
    axis = default_axis(settings, parameter, suggested)
    return replace(axis, steps=min(axis.steps, SECOND_STEPS))


def film_subject(settings: SessionSettings) -> tuple[object, ...]:
    """Return what a film that is there is about: it outlives the choice of a kernel."""
    data = settings.data
    return data.source, data.importing, data.scaling, data.column_scaling
