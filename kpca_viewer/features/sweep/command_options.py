"""Options of ``kpca-viewer sweep``: ranges, kernels and a measure."""

import argparse
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from kpca_viewer.console.options import Chosen, chosen, dataset_of
from kpca_viewer.console.terminal import Watch
from kpca_viewer.core.kernels.composition import parsed
from kpca_viewer.core.kernels.families import FAMILIES, kernel_parameters
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.generators import generator_parameters
from kpca_viewer.data.table import Table
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import KernelSettings, SessionSettings, as_values
from kpca_viewer.engine.stages import find_dataset, suggested_for
from kpca_viewer.engine.sweep.jobs import Sweep
from kpca_viewer.engine.sweep.measures import (
    DEFAULT_MEASURE,
    MEASURES,
    defined_measure,
    measure_called,
    missing_measures,
)
from kpca_viewer.engine.sweep.parameters import (
    COMPONENTS,
    KERNEL,
    is_whole,
    parameter_named,
    sweep_parameters,
    sweepable,
    with_value,
)
from kpca_viewer.engine.sweep.settings import (
    STEPS,
    SweepAxis,
    SweepScale,
    SweepSettings,
    default_axis,
)
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.support.numerals import with_minus

Ranges = dict[str, SweepAxis | float]

MATRICES = {"kernel": "kernel values", "distances": "distances"}


def range_options() -> tuple[str, ...]:
    """Return what takes a number, or a range LOW:HIGH[:STEPS[:log|linear]]."""
    return (*kernel_parameters(), COMPONENTS.name)


def read_base(options: argparse.Namespace, ranges: Ranges, watch: Watch) -> Chosen:
    """Read the data; the kernels come later, one after another."""
    nothing = dict.fromkeys((*range_options(), KERNEL))
    values = {**vars(options), **nothing}
    components = ranges.get(COMPONENTS.name)
    if isinstance(components, float):
        values[COMPONENTS.name] = int(components)
    request = chosen(argparse.Namespace(**values), watch)
    # A table becomes data here, once for all points and processes.
    opened: dict[str, Dataset | Table] = {
        n: dataset_of(request) for n in request.opened
    }
    return replace(request, opened=opened)


def read_sweeps(
    options: argparse.Namespace, base: Chosen, ranges: Ranges
) -> list[Sweep]:
    # Commas in brackets stand between the values of one kernel.
    families = re.split(r",(?![^()]*\))", options.kernel or "rbf")
    axes = [axis for axis in ranges.values() if isinstance(axis, SweepAxis)]
    if len(axes) > 2:
        raise DataError(
            f"{len(axes)} ranges were given, but a grid has two; give a single number "
            "for the others."
        )
    cache = StageCache()
    dataset = find_dataset(AnalysisRequest(base.settings, base.opened), cache)
    measure = _defined_measure(options.measure, dataset)
    common = _with_data_values(base, ranges)
    sweeps = []
    for said in dict.fromkeys(map(str.strip, families)):
        if said.isidentifier() and said not in FAMILIES:
            raise KernelError(
                f"There is no kernel “{said}”; choose one of {', '.join(FAMILIES)}."
            )
        family, own = parsed(said, FAMILIES)
        known = [p.name for p in FAMILIES[family].parameters]
        for name in ranges:
            if name in kernel_parameters() and name not in known:
                has = ", ".join(known) or "none"
                raise KernelError(
                    f"The {family} kernel has no parameter “{name}”; it has {has}."
                )
        fixed = own | {
            name: value
            for name, value in ranges.items()
            if isinstance(value, float) and name in kernel_parameters()
        }
        Kernel(family, **fixed)  # refuses a value that this kernel does not take
        settings = replace(common, kernel=KernelSettings(family, as_values(fixed)))
        for axis in axes:
            _refuse_unknown(axis.parameter, settings, dataset.kind)
        request = AnalysisRequest(settings, base.opened)
        first, *rest = axes or [_default_axis(request)]
        sweep = replace(SweepSettings.along(first, *rest), measure=measure)
        sweeps.append(Sweep(request, sweep))
    return sweeps


def _with_data_values(base: Chosen, ranges: Ranges) -> SessionSettings:
    """Return the settings with single numbers for noise and samples in them."""
    settings = base.settings
    for name in generator_parameters():
        value = ranges.get(name)
        if isinstance(value, float):
            _refuse_unknown(name, settings, "points")
            settings = with_value(settings, name, value)
    return settings


def _refuse_unknown(name: str, settings: SessionSettings, kind: str) -> None:
    """Refuse to vary what these data do not have: every value would be the same."""
    names = sweepable(settings, kind)
    if name not in names:
        what = "" if kind == "points" else f" is a matrix of {MATRICES[kind]}; it"
        raise DataError(
            f"“{Path(settings.data.source).name}”{what} has no {name} to sweep; choose "
            f"one of {', '.join(names)}."
        )


def _defined_measure(name: str | None, dataset: Dataset) -> str:
    """Return the measure of the curve: the one that is named, or another."""
    key, missing = read_measure(name), missing_measures(dataset.labels, dataset.kind)
    if name is not None and key in missing:
        defined = [known for known in MEASURES if known not in missing]
        raise DataError(
            f"{MEASURES[key].title} is not defined: {missing[key]}; choose one of "
            f"{', '.join(defined)}."
        )
    return defined_measure(key, missing)


def _default_axis(request: AnalysisRequest) -> SweepAxis:
    """Return two decades around what suits the data."""
    cache = StageCache()
    dataset = find_dataset(request, cache)
    suggested = suggested_for(dataset, request.settings, cache)
    parameter = sweepable(request.settings, dataset.kind)[0]
    if parameter == KERNEL:
        # A kernel without parameters is one point of a comparison.
        return SweepAxis(KERNEL, kernels=(request.settings.kernel.family,))
    return default_axis(request.settings, parameter, suggested)


def read_ranges(options: argparse.Namespace) -> Ranges:
    """Return what every option with a range says: an axis, or a single number."""
    texts = {
        name: getattr(options, name)
        for name in range_options()
        if getattr(options, name) is not None
    }
    for text in options.sweep or ():
        name, equals, rest = text.partition("=")
        if not equals:
            raise DataError(
                f"“{text}” is not NAME=RANGE, such as noise=0:0.4:20:linear."
            )
        texts[name.strip().replace("-", "_")] = rest
    return {name: parse_range(name, text) for name, text in texts.items()}


def parse_range(name: str, text: str) -> SweepAxis | float:
    """Return the axis or the number that a text such as ``0.01:100:50:log`` means."""
    known = sweep_parameters()
    if name not in known:
        raise DataError(f"“{name}” cannot be swept; choose one of {', '.join(known)}.")
    if name == KERNEL:
        names = tuple(part for part in text.split(",") if part) or tuple(FAMILIES)
        return SweepAxis(KERNEL, kernels=names)
    scale: SweepScale = "log" if parameter_named(name).scale == "log" else "linear"
    parts = with_minus(text).split(":")
    try:
        numbers = [float(part) for part in parts[:2]]
        steps = int(parts[2]) if len(parts) > 2 else None
    except ValueError as error:
        raise DataError(
            f"“{text}” is not a range for {name}; write LOW:HIGH:STEPS:log, for "
            "example 0.01:100:50:log, or a single number."
        ) from error
    if len(parts) == 1:
        return numbers[0]
    if len(parts) > 4 or (len(parts) == 4 and parts[3] not in get_args(SweepScale)):
        raise DataError(
            f"“{text}” is not a range for {name}: after LOW:HIGH:STEPS comes log or "
            "linear, and nothing else."
        )
    if len(parts) == 4:
        scale = "log" if parts[3] == "log" else "linear"
    if steps is None:
        counted = is_whole(name) and math.isfinite(numbers[1] - numbers[0])
        steps = round(numbers[1] - numbers[0]) + 1 if counted else STEPS
    return SweepAxis(name, numbers[0], numbers[1], steps, scale)


def read_measure(name: str | None) -> str:
    """Return the key of a measure, given by its key or a short name."""
    found = measure_called(name or DEFAULT_MEASURE)
    if found is None:
        raise DataError(
            f"There is no measure “{name}”; choose one of {', '.join(MEASURES)}."
        )
    return found.key
