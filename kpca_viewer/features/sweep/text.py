"""Every sentence about sweeps and their gallery."""

from collections.abc import Iterable
from pathlib import Path

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.spectrum import in_words
from kpca_viewer.engine.messages import Message
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES, Measure
from kpca_viewer.engine.sweep.parameters import symbol_of, title_of
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult, Why
from kpca_viewer.engine.sweep.settings import (
    SweepSettings,
    axis_texts,
    cell_text,
)
from kpca_viewer.engine.text.describe import components_text
from kpca_viewer.engine.text.remarks import forgotten_steps, strip_of
from kpca_viewer.engine.text.scores import (
    LARGEST_CLASS,
    baselines_text,
    rows_text,
    scored_text,
    value_words,
)
from kpca_viewer.features.sweep.compute import SweepPoints

GALLERY_HINT = (
    "The pointer shows a picture on the stage, a click takes its value; the best one "
    "has an orange frame. Rows that are selected or pointed at anywhere are marked."
)
NO_PICTURES = "Start a sweep below to see its pictures"
PAGE_MODES = [
    ("pictures", "Pictures", "All pictures of the sweep"),
    ("map", "Map", "The measure over two parameters, in colours"),
]
"""Key, title and tooltip."""
BAR_BUTTONS = {
    "play": ("play", "Play the sweep (Space)"),
    "range": ("settings", "Change the range, and start again"),
    "pin": ("pin", "Pin this picture for a comparison (P)"),
    "export": ("export", "Export a film, or the table of measures"),
}
"""Icon and tooltip of what stands above the film."""
STOP_TIP = "Stop here (Space)"
METER_TIP = (
    "From linear PCA (left) to a kernel in which every point is alone (right); "
    "structure is in between"
)
FILM_KEYS = "Arrow keys step through the values, Enter takes one, Space plays."
SECOND_TIP = "A second parameter makes a grid: a row of pictures for each of its values"

NO_BEST: dict[Why, str] = {
    "": "",
    "flat": "others are as good within its error",
    "edge": "at the edge of the range; widen it",
    "open": "as good at the edge; widen the range",
    "chance": "no better than the largest class alone",
}
"""Why the highest value is not marked as the best."""

EXPLAINED_AFTER = 3
"""Seconds for which a sweep runs without a word about it."""


# What is swept, and how far it is


def row_texts(points: SweepPoints, measure: str) -> list[str]:
    """Return the value of every row of a grid, with a word at the best."""
    axes = points.sweep.axes
    if len(axes) < 2:
        return []
    best, missing = points.best_row(measure), symbol_of(axes[0].parameter)
    texts = axis_texts(axes[1])
    for row, text in enumerate(texts):
        if row == best:
            texts[row] = f"{text} · best"
        elif points.is_empty(row):
            texts[row] = f"{text} · no {missing}"
    return texts


def rows_tip(points: SweepPoints, measure: str) -> str:
    name = title_of(points.sweep.axes[-1].parameter)
    return (
        f"Which row of the grid is shown: the value of {name} (Up, Down). "
        f"“best” has the best {MEASURES[measure].title.lower()} of the grid."
    )


def state_text(points: SweepPoints, state: str, text: str) -> tuple[str, bool]:
    """Return the line about a film, and whether it matters beside the controls."""
    if state == "running":
        return progress_text(points, running=True), True
    if text or state != "done":
        return text, bool(text)
    # That all values are there is seen anyway.
    incomplete = points.done < points.total or any(
        point.failed or not point.is_measured for point in points.all()
    )
    return progress_text(points, running=False), incomplete


def progress_text(points: SweepPoints, *, running: bool) -> str:
    """Return how many values are there, are missing and have failed."""
    there = points.all()
    unmeasured = sum(1 for point in there if not point.is_measured)
    if running and points.done == points.total and unmeasured:
        return f"measured {points.total - unmeasured} of {points.total}"
    if running:
        return f"{points.done} of {points.total}"
    failed = sum(1 for point in there if point.failed)
    absent = sum(1 for point in there if not point.applies)
    missing, known = points.total - points.done, points.done - absent
    parts = [f"{known} value" if known == 1 else f"{known} values"]
    parts += [f"{missing} missing"] if missing else []
    parts += [f"{failed} failed"] if failed else []
    if unmeasured:
        pictures = known - failed
        measured = f"{pictures - unmeasured} of {pictures}"
        parts += ["no measures" if unmeasured == pictures else f"{measured} measured"]
    parts += [f"{absent} not applicable"] if absent else []
    return ", ".join(parts)


def running_text(place: str, seconds: int, waits: bool) -> str:
    """Return where a sweep is computed and for how long: " on 2 workers · 1:20"."""
    where = f" {place}" if place else ""
    if seconds < EXPLAINED_AFTER:
        return where
    if waits:
        return " · waits for the picture"
    return f"{where} · {seconds // 60}:{seconds % 60:02d}"


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


# One point


def preview_text(
    point: SweepPoint, sweep: SweepSettings, settings: SessionSettings
) -> str:
    """Return the value of a preview, and its kernel where another is chosen now."""
    text, family = cell_text(sweep, point.values), point.settings.kernel.family
    over_kernels = any(axis.is_of_kernels for axis in sweep.axes)
    if over_kernels or family == settings.kernel.family:
        return text
    return f"{FAMILIES[family].title}, {text}"


def point_lines(
    sweep: SweepSettings, point: SweepPoint, measure: Measure, *more: str
) -> str:
    """Return what is said beside the pointer, a line for each fact."""
    lines = [cell_text(sweep, point.values), point.error]
    if not point.error:
        lines += [
            value_words(point, measure),
            scored_text(point, measure),
            baselines_text(point, measure),
            *more,
        ]
    return "\n".join(line for line in lines if line)


def film_lines(points: SweepPoints, point: SweepPoint, measure: Measure) -> str:
    """Return the same for a picture of the film, and what is remarkable about it."""
    position = points.place_of(point)[0]
    return point_lines(
        points.sweep,
        point,
        measure,
        point.meter,
        # Pictures of a sweep are quick ones: what that means is said here.
        in_words(point.measures.get("certificate") or 0.0),
        _unmarked_text(points, position, measure),
    )


def _unmarked_text(points: SweepPoints, position: int, measure: Measure) -> str:
    """Return why the value that is highest, or lowest, is not marked as best."""
    why, extreme = NO_BEST[points.why_no_best(measure.key)], points.extreme(measure.key)
    if not why or position not in extreme:
        return ""
    return f"{'lowest' if measure.better == 'low' else 'highest'}, but {why}"


def absent_text(point: SweepPoint) -> str:
    """Return in two words why there can be no picture: "no γ"; empty if there can."""
    return "" if point.applies else f"no {point.error.rstrip('.').split()[-1]}"


def undefined_text(measure: Measure) -> str:
    return f"{measure.title} is not defined here"


# Gallery, sheet and film


def gallery_title(result: SweepResult, measure: Measure) -> str:
    """Return the parameters, how many pictures are there, and of which rows."""
    names = " × ".join(title_of(axis.parameter) for axis in result.sweep.axes)
    absent = sum(1 for point in result.points if not point.applies)
    done, total = len(result.points) - absent, len(result.sweep.cells()) - absent
    count = f"{done} pictures" if done == total else f"{done} of {total} pictures"
    count += f", {absent} not applicable" if absent else ""
    sample = sample_text(result.points, measure)
    sample = f"{measure.title.lower()} of {sample}" if sample else ""
    pitfalls = strip_of(result.base.analysis)
    return " · ".join(filter(None, (pitfalls, f"{names}: {count}", sample)))


def sample_text(points: Iterable[SweepPoint], measure: Measure) -> str:
    """Return of how many rows a measure is where it is of a sample; else empty."""
    texts = {rows_text(p.yardstick, p.n, measure) for p in points} - {""}
    if not texts:
        return ""
    return texts.pop() if len(texts) == 1 else "samples of the rows"


def sheet_title(result: SweepResult, data: str) -> str:
    """Return what a sheet shows: data, kernel and the range of the parameter."""
    sweep, points = result.sweep, result.points
    names = " and ".join(symbol_of(axis.parameter) for axis in sweep.axes)
    varies = any(axis.is_of_kernels for axis in sweep.axes)
    family = "" if varies else f", {result.base.kernel.family}"
    rows = {sweep.cell(point.index)[1] for point in points}
    if len(sweep.axes) > 1 and len(rows) == 1:
        # One row of a grid: the second parameter stands still.
        names = symbol_of(sweep.parameter)
        family += f", {axis_texts(sweep.axes[1])[rows.pop()]}"
    left_out = "".join(f", {words}" for words in forgotten_steps(result.base.analysis))
    return f"{data}{family}{left_out}: sweep of {names}, {len(points)} values"


def key_text(result: SweepResult, measure: Measure) -> str:
    sample = sample_text(result.points, measure)
    return f"Below each: {measure.title}{f' of {sample}' if sample else ''}"


def frame_title(result: SweepResult, point: SweepPoint, measure: Measure) -> str:
    value = measure.text(point.measures.get(measure.key))
    title = f"{result.text(point)} · {measure.title} {value}"
    title += _guessing(point, measure)
    return " · ".join(filter(None, (strip_of(result.base.analysis), title)))


def _guessing(point: SweepPoint, measure: Measure) -> str:
    """Return what an accuracy is held against: ", largest class 44 %"."""
    chance = point.yardstick.chance
    if not measure.is_accuracy or chance is None:
        return ""
    return f", {LARGEST_CLASS} {measure.text(chance)}"


def best_text(result: SweepResult, measure: Measure, first: SweepPoint | None) -> str:
    """Return which value is best; of the ``first`` of others, why it is not."""
    best = result.best(measure.key)
    point = best or first
    value = None if point is None else point.measures.get(measure.key)
    if point is None or value is None or measure.better == "neither":
        return ""
    word = "lowest" if measure.better == "low" else "highest"
    why = NO_BEST[result.why_no_best(measure.key)]
    title = measure.title[0].lower() + measure.title[1:]
    what = f"{'best' if best else word} {title} {measure.text(value)}"
    held = _guessing(point, measure)
    return f"{what} at {result.text(point)}{held}{f' ({why})' if why else ''}"


START = "Start"
NO_SWEEP = Message(
    "info",
    "There is no sweep to step through yet; Start in the workspace Sweep computes one.",
    (START,),
)


def sweep_being_written(path: Path, percent: int | None = None) -> Message:
    """Say how far the file of a sweep is; it can be cancelled."""
    far = " …" if percent is None else f": {percent} %"
    return Message("info", f"Writing {path.name}{far}", ("Cancel",))


def sweep_written(path: Path) -> Message:
    return Message("info", f"Saved {path.name}.")


def sweep_not_written(path: Path) -> Message:
    return Message("info", f"{path.name} was not written.")


def sweep_still_written(path: Path) -> Message:
    text = f"{path.name} is still being written; wait for it, or cancel it."
    return Message("warning", text)
