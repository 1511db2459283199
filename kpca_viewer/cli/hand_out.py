"""A lesson becomes a hand-out: its states are computed, shown on boards and painted."""

from collections.abc import Iterator
from pathlib import Path

from kpca_viewer.cli.drawing import Computed, computed, shown_board
from kpca_viewer.engine.document.files import open_data
from kpca_viewer.export.document import Picture
from kpca_viewer.export.image import all_of, image_painting, png_bytes, svg_painting
from kpca_viewer.export.image_spec import UNITS_PER_INCH, ImageSpec
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.model import Lesson, Step
from kpca_viewer.features.lessons.paper import (
    PICTURE,
    TALL,
    WIDE,
    PrintedStep,
    hand_out,
)
from kpca_viewer.features.lessons.values import LessonValues
from kpca_viewer.features.registry import board_plots, pages
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, silent
from kpca_viewer.widgets.composed_picture import ComposedPicture
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.theme import LIGHT

SHARP = 3
"""Pixels per unit of pictures that are no shapes: 288 in an inch."""

PANELS = {
    "panel:embedding": "embedding",
    "panel:data": "data",
    "panel:spectrum": "spectrum",
    "panel:linear": "pca",
}
DERIVATION = "derivation"
"""The page that lines, matrices and entries are on."""

FEW_ROWS = 4
"""Up to which its numbers are large enough on paper."""


def write_hand_out(
    path: Path, lesson: Lesson, *, solutions: bool, progress: Progress = silent
) -> None:
    """Write a PDF with one picture and the text of every step, and its question.

    ``solutions``: whether answers stand there; else blanks do, and what is covered is
    not shown.
    """
    if path.suffix.lower() != ".pdf":
        raise DataError(text.no_pdf(path.name))
    printed, known = [], dict[str, Computed]()
    before: tuple[str, str] | None = None
    for index, step in enumerate(lesson.steps):
        progress("drawing", index / len(lesson.steps))
        begin = lesson.state_of(index)
        if not begin:
            raise DataError(text.no_picture_of(step.key))
        solved = step.question.solution if solutions and step.question else ""
        shown = solved or begin
        for name in {begin, shown} - set(known):
            known[name] = _computed(lesson, name)
        few = known[shown].result.dataset.n <= FEW_ROWS
        what = next(wanted(lesson, step, shown, solutions=solutions, few=few), "")
        picture = None
        # The same picture twice would only take room.
        if what and (shown, what) != before:
            picture = _picture(lesson, shown, known[shown], what)
        before = (shown, what)
        printed.append(PrintedStep(step, _values(known[begin]), picture))
    write_atomically(path, hand_out(lesson, printed, solutions=solutions))


def _values(shown: Computed) -> LessonValues:
    scene = shown.scene
    return LessonValues.of(shown.result, shown.views, scene.notes, scene.settings)


def wanted(
    lesson: Lesson, step: Step, name: str, *, solutions: bool, few: bool = True
) -> Iterator[str]:
    """Yield the plots that suit a step, the best first; none that gives it away.

    Of few rows only, the derivation can be read on paper.
    """
    state = lesson.states[name]
    view, views = state.settings.view, state.views
    page = views.page or ""
    marks = () if solutions else step.cover
    hidden = {_plot(mark, page) for mark in marks}
    hidden |= set() if few else {DERIVATION}
    found = [_plot(step.highlight, page)]
    found.append({"pages": page}.get(views.filled or "", views.filled or ""))
    found += ["data"] if view.lift else []
    found += [page] if views.workspace == "explain" else []
    found += ["embedding", "data", "spectrum"]
    for plot in found:
        if plot in board_plots() and plot not in hidden:
            yield plot


def _plot(mark: str, page: str) -> str:
    """Return the plot that something to cover or to highlight is part of."""
    if mark in PANELS:
        return PANELS[mark]
    if mark == "panel:page":
        return page
    derived = mark.startswith(("step:", "grid:", "entry:", "panel:explanation"))
    return DERIVATION if derived else ""


def _computed(lesson: Lesson, name: str, page: str = "") -> Computed:
    state = lesson.states[name]
    return computed(state, state.settings, open_data(state).sources, LIGHT, what=page)


def _picture(lesson: Lesson, name: str, shown: Computed, what: str) -> Picture:
    plot = board_plots()[what]
    is_page = what in pages() and what != PANELS["panel:linear"]
    if is_page:
        # With what is computed for it alone.
        shown = _computed(lesson, name, what)
    width, height = TALL if what == DERIVATION else WIDE if is_page else PICTURE
    kind = "png" if plot.has_legend else "svg"
    each = SHARP if kind == "png" else 1
    spec = ImageSpec(
        kind, each * width, each * height, "px", UNITS_PER_INCH * each, title=False
    )
    with shown_board(shown) as (board, content):
        if what in pages():
            board.compare.show_page(what)
        picture = ComposedPicture(plot, board_sources(board)[what], spec, content)
        if kind == "png":
            packed = png_bytes(all_of(image_painting(spec, picture.paint)))
        else:
            packed = all_of(svg_painting(spec, picture.paint, "", plot.title))()
    return Picture(kind, packed, width, height)
