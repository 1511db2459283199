"""A session becomes a picture: it is computed, shown on a board, and painted.

There is no store, no runner and no presenter: nothing changes what a picture shows.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.files import reopened
from kpca_viewer.engine.document.in_picture import metadata_of
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Lost, Notes, follow
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.sources import Source, Sources
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.views import Views
from kpca_viewer.export.image import png_bytes, save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.preimage.controller import show_without_worker
from kpca_viewer.features.preimage.probe import PAGE as PREIMAGE
from kpca_viewer.features.registry import board_plots, pages, stages
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.features.sweep.text import stale_text
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import KpcaError, sentence_of
from kpca_viewer.support.progress import Progress, silent
from kpca_viewer.widgets.composed_picture import ComposedPicture, ExportContent
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.style import apply_theme, set_palette_and_font
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window import messages
from kpca_viewer.window.application import application, settle, unseen
from kpca_viewer.window.board import Board
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.poses import show_views

Widget = TypeVar("Widget", bound=QWidget)

BOARD = (1046, 619)
"""Of a board whose panels are placed as in the window, in pixels."""


@dataclass(frozen=True, eq=False)
class Computed:
    """A session with everything that a picture shows of it."""

    document: Document
    opened: Mapping[str, Dataset | Table]
    """The data that its settings may name."""
    scene: Scene
    result: AnalysisResult
    """Of the scene."""
    views: Views | None = None
    """How the plots are looked at."""
    news: tuple[str, ...] = ()
    """What is not as it was when the session was saved."""


def computed(
    document: Document,
    settings: SessionSettings,
    sources: Mapping[str, Dataset | Table],
    theme: Theme,
    progress: Progress = silent,
    what: str = "",
) -> Computed:
    """Compute what a document shows.

    ``settings``: over which it is opened: a preset has no data of its own; ``sources``:
    its data; ``what``: the plot that is wanted, a key of `board_plots`; some pages show
    more than others.
    """
    opened = Sources()
    found = reopened(document, settings, Notes(), opened, sources)
    page = what
    if what not in pages() and found.views is not None:
        page = found.views.page or ""
    request = AnalysisRequest(found.settings, dict(opened), page=page, stages=stages())
    result = run(request, StageCache(), progress=progress)
    data, view = found.settings.data, found.settings.view
    # Where there are fewer components than before, none is looked for in vain.
    settings = replace(found.settings, view=view.within(result.scores.shape[1]))
    notes, lost = _followed(found.notes, result.dataset, opened.get(data.source))
    scene = Scene().changed(settings=settings, notes=notes, result=result, theme=theme)
    news = [lost.text(result.dataset.name)] if lost else []
    if gone := result.dataset.lost:
        news.append(messages.rows_of_groups_lost(result.dataset.name, gone).text)
    return Computed(document, opened, scene, result, found.views, tuple(news))


def _followed(
    notes: Notes, dataset: Dataset, source: Source | None
) -> tuple[Notes, Lost]:
    """Let notes be about the rows that they were made for, also in a changed file."""
    lost, before = Lost(), notes.anchor
    if before is not None and len(notes.noted_rows) and isinstance(source, Table):
        stamp = source.content_hash
        if stamp not in ("", before.stamp):
            notes, lost = follow(notes, dataset, RowAnchor.of(dataset, stamp))
    if notes.selected is not None and notes.selected.rows != dataset.n:
        notes = replace(notes, selected=None)
    return notes, lost


def save_plot(
    path: Path,
    spec: ImageSpec,
    shown: Computed,
    what: str,
    folder: Path,
    at: tuple[float, float] | None = None,
) -> None:
    """Save a plot of the board, or all of it, as the export panel does.

    ``what``: a key of `board_plots`; ``folder``: where the picture ends up: the session
    inside it finds its data from there; ``at``: a place of the embedding, for the page
    that says what lies there.
    """
    with shown_board(shown, visible=what == "board") as (board, content):
        if PREIMAGE in (what, board.compare.pages.value()):
            board.compare.show_page(PREIMAGE)
            show_without_worker(board.preimages, board.walk, at)
        plot = board_plots()[what]
        picture = ComposedPicture(plot, board_sources(board)[what], spec, content)
        metadata = metadata_of(shown.result, shown.document, folder)
        save_image(path, spec, picture.paint, metadata)


@contextmanager
def shown_board(
    shown: Computed, *, visible: bool = False
) -> Iterator[tuple[Board, ExportContent]]:
    """Give a board that shows a session, and what there is to export of it.

    ``visible``: whether its panels get their places, which they have once they are
    seen.
    """
    theme = shown.scene.theme
    # Put together without a sheet, as the window is.
    set_palette_and_font(application(), theme)
    with unseen(), temporary(Board()) as board:
        apply_theme(application(), theme)
        board.resize(*BOARD)
        board.show_scene(shown.scene)
        show_notes_and_views(board, shown)
        if visible:
            board.show()
        selection = board.linking.selection
        yield (
            board,
            ExportContent(shown.scene, selection, shown.document, board.hidden),
        )


def show_notes_and_views(board: Board, shown: Computed) -> None:
    """Show what a scene leaves to others: names, selection, how plots are seen."""
    notes = shown.scene.notes
    board.settle()
    board.linking.set_names(dict(notes.row_names))
    if notes.selected is not None:
        board.linking.apply_selection(notes.selected.mask(), "replace")
    if shown.views is not None:
        show_views(board, shown.views)


@contextmanager
def temporary(widget: Widget) -> Iterator[Widget]:
    """Delete a widget at the end: a program that draws many pictures keeps none."""
    try:
        yield widget
    finally:
        widget.close()
        widget.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def save_window(path: Path, shown: Computed, size: tuple[int, int]) -> None:
    """Save what the window would show as a PNG, or raise `KpcaError`."""
    theme = shown.scene.theme
    set_palette_and_font(application(), theme)
    with unseen(), temporary(MainWindow()) as window:
        apply_theme(application(), theme)
        window.resize(*size)
        _show_in(window, shown)
        window.show()
        settle(window)
        picture = window.grab().toImage()
    write_atomically(path, png_bytes(picture))


def _show_in(window: MainWindow, shown: Computed) -> None:
    """Show a session in a window, with its sweep."""
    scene, strip, actions = shown.scene, window.sweep_strip, window.actions_table
    window.show_scene(scene)
    show_notes_and_views(window.board, shown)
    selected = scene.notes.selected
    for key in ("undo", "redo"):
        # Nothing was done yet.
        actions[key].setEnabled(False)
    strip.set_selected(None if selected is None else selected.mask())
    strip.show_scene(scene)
    _show_sweep(strip, shown)


def _show_sweep(strip: SweepStrip, shown: Computed) -> None:
    """Compute the sweep of a session; its pictures are part of the window."""
    note = shown.scene.notes.sweep
    if note is None:
        return
    strip.show_sweep(note.sweep)
    try:
        request = AnalysisRequest(note.base, dict(shown.opened))
        swept = run_sweep(request, note.sweep, StageCache())
    except KpcaError as error:
        strip.show_state("failed", sentence_of(error))
        return
    strip.show_result(swept)
    nearest = strip.film.nearest_point()
    if nearest is not None:
        # A film as a whole is oriented by the board.
        signs = nearest.signs_towards(shown.result)
        points = tuple(point.oriented(signs) for point in swept.points)
        strip.show_result(replace(swept, points=points))
    strip.show_stale(stale_text(note.sweep, note.base, shown.scene.settings))
