"""Ranges that are proposed for a sweep, and that follow when other data are opened."""

from collections.abc import Mapping
from dataclasses import replace

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings, default_axis

SECOND_STEPS = 6
"""Rows of a grid nobody has described further."""


def proposed_second(
    settings: SessionSettings,
    parameter: str,
    suggested: Mapping[str, float] | None = None,
) -> SweepAxis:
    """Return a range for the rows of a grid: a few of what a whole sweep would have."""
    axis = default_axis(settings, parameter, suggested)
    return replace(axis, steps=min(axis.steps, SECOND_STEPS))


def range_subject(settings: SessionSettings) -> tuple[object, ...]:
    """Return what a range is about; a slider of the data or the kernel is not it."""
    return *film_subject(settings), settings.kernel.family


def film_subject(settings: SessionSettings) -> tuple[object, ...]:
    """Return what a film that is there is about: it outlives the choice of a kernel."""
    data = settings.data
    return data.source, data.importing, data.scaling


def refitted(
    sweep: SweepSettings,
    then: tuple[SessionSettings, Mapping[str, float]],
    now: tuple[SessionSettings, Mapping[str, float]],
) -> SweepSettings:
    """Return a sweep for other data: ranges that had been proposed are proposed anew.

    What somebody has typed stays.

    Parameters
    ----------
    then, now : tuple of (settings, suggested)
        For which it was started, and for which it is wanted.
    """
    axes = []
    for axis, propose in zip(sweep.axes, (default_axis, proposed_second), strict=False):
        before, after = (propose(s, axis.parameter, known) for s, known in (then, now))
        if axis == replace(before, steps=axis.steps):
            # How many pictures somebody wants to see has little to do with the data.
            steps = after.steps if axis == before else axis.steps
            axis = replace(after, steps=steps)
        axes.append(axis)
    first, *rest = axes
    return replace(
        sweep,
        low=first.low,
        high=first.high,
        steps=first.steps,
        scale=first.scale,
        kernels=first.kernels,
        second=rest[0] if rest else None,
    )
