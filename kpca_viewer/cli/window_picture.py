"""A session becomes a picture of the whole window, as it would be seen."""

from dataclasses import replace
from pathlib import Path

from kpca_viewer.cli.drawing import Computed, show_notes_and_views, temporary
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.export.image import png_bytes
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.features.sweep.text import stale_text
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import KpcaError, sentence_of
from kpca_viewer.support.threads import one_blas_thread
from kpca_viewer.widgets.style import apply_theme, set_palette_and_font
from kpca_viewer.window.application import application, settle, unseen
from kpca_viewer.window.main_window import MainWindow


def save_window(path: Path, shown: Computed, size: tuple[int, int]) -> None:
    """Save what the window would show as a PNG.

    Raises
    ------
    KpcaError
        If the file cannot be written.
    """
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
        with one_blas_thread():
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
