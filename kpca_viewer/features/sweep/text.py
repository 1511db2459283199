"""What the line above a film says: what is swept, and how far it is."""

from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.parameters import (
    parameter_named,
    symbol_of,
    title_of,
    value_text,
)
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings, axis_texts
from kpca_viewer.engine.text.describe import components_text
from kpca_viewer.features.sweep.film import Reel


def range_text(axis: SweepAxis) -> str:
    """Return a parameter and its ends: "γ 0.05 … 500"."""
    values = axis.values()
    if axis.is_of_kernels:
        return title_of(axis.parameter)
    known_as = parameter_named(axis.parameter)
    ends = (value_text(axis.parameter, v) for v in (values[0], values[-1]))
    return f"{known_as.symbol or known_as.title} {' … '.join(ends)}"


def row_texts(reel: Reel, measure: str) -> list[str]:
    """Return the value of every row of a grid, with a word at the best."""
    axes = reel.sweep.axes
    if len(axes) < 2:
        return []
    best, missing = reel.best_row(measure), symbol_of(axes[0].parameter)
    texts = axis_texts(axes[1])
    for row, text in enumerate(texts):
        if row == best:
            texts[row] = f"{text} · best"
        elif reel.is_empty(row):
            texts[row] = f"{text} · no {missing}"
    return texts


def rows_tip(reel: Reel, measure: str) -> str:
    """Return what choosing another row does."""
    name = title_of(reel.sweep.axes[-1].parameter)
    return (
        f"Which row of the grid is shown: the value of {name} (Up, Down). "
        f"“best” has the best {MEASURES[measure].title.lower()} of the grid."
    )


def is_incomplete(reel: Reel) -> bool:
    """Whether values of a sweep that runs no more are missing or have failed."""
    return reel.done < reel.total or any(
        point.failed or not point.is_measured for point in reel.points()
    )


def state_text(reel: Reel, state: str, text: str) -> tuple[str, bool]:
    """Return what is said of a film, and whether that matters beside the controls."""
    if state == "running":
        return progress_text(reel, running=True), True
    if text or state != "done":
        return text, bool(text)
    # That all values are there is seen anyway.
    return progress_text(reel, running=False), is_incomplete(reel)


def progress_text(reel: Reel, *, running: bool) -> str:
    """Return how many values are there, are missing and have failed."""
    points = reel.points()
    unmeasured = sum(1 for point in points if not point.is_measured)
    if running and reel.done == reel.total and unmeasured:
        return f"measured {reel.total - unmeasured} of {reel.total}"
    if running:
        return f"{reel.done} of {reel.total}"
    failed = sum(1 for point in points if point.failed)
    absent = sum(1 for point in points if not point.applies)
    missing, there = reel.total - reel.done, reel.done - absent
    parts = [f"{there} value" if there == 1 else f"{there} values"]
    parts += [f"{missing} missing"] if missing else []
    parts += [f"{failed} failed"] if failed else []
    if unmeasured:
        pictures = there - failed
        measured = f"{pictures - unmeasured} of {pictures}"
        parts += ["no measures" if unmeasured == pictures else f"{measured} measured"]
    parts += [f"{absent} not applicable"] if absent else []
    return ", ".join(parts)


def stale_text(
    sweep: SweepSettings, base: SessionSettings, now: SessionSettings
) -> str:
    """Return what is not true any more of a sweep around ``base``; empty if all is."""
    # With the swept values set alike, what differs is what the person changed.
    then, now = sweep.apply(base, 0), sweep.apply(now, 0)
    # The pictures of a sweep show no new points.
    then = then.with_centred_new_rows(now.analysis.centers_new)
    if (then.kernel, then.analysis) != (now.kernel, now.analysis):
        return "the settings have changed"
    measured, shown = then.view.shown_axes, now.view.shown_axes
    if set(measured) != set(shown):
        return f"still measured on {components_text(measured)}"
    return "" if measured == shown else "the axes have changed"
