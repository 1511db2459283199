"""The table of all widgets that can be previewed."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEventLoop, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.widgets.controls import ProgressLine
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.application import application, settle, unseen
from tools.preview import plots, widgets

MARGIN = 16


@dataclass(frozen=True)
class Preview:
    """A widget with sample data."""

    make: Callable[[Theme], QWidget]
    """Builds it in the colours of a theme."""
    width: int
    height: int = 0
    """In pixels; a height of 0 is what the widget asks for."""

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return self.make.__name__.replace("_", "-")

    @property
    def about(self) -> str:
        return (self.make.__doc__ or "").strip()


_ALL = (
    Preview(widgets.number_row, 320),
    Preview(widgets.segmented, 240),
    Preview(widgets.switch, 320),
    Preview(widgets.card, 320),
    Preview(widgets.message_bar, 720),
    Preview(widgets.formula_label, 320),
    Preview(widgets.formula_text, 320),
    Preview(widgets.lesson_strip, 1030),
    Preview(widgets.search_combo, 240),
    Preview(widgets.progress_line, 480, 60),
    Preview(widgets.plot_panel, 560, 420),
    Preview(plots.legend, 400),
    Preview(plots.legend_scale, 400),
    Preview(plots.shape_legend, 400),
    Preview(plots.size_legend, 160),
    Preview(plots.scatter_2d, 520, 400),
    Preview(plots.scatter_3d, 520, 400),
    Preview(plots.isolines, 480, 460),
    Preview(plots.lift, 520, 460),
    Preview(plots.both_sides, 440, 320),
    Preview(plots.spectrum, 520, 300),
    Preview(plots.matrix, 460, 440),
    Preview(plots.rebuilt_matrix, 640, 380),
    Preview(plots.three_ways, 520, 400),
    Preview(plots.columns, 760, 400),
    Preview(plots.odd_rows, 860, 380),
    Preview(plots.is_it_real, 760, 340),
    Preview(plots.kernel_curve, 292),
    Preview(plots.table, 800, 320),
    Preview(plots.derivation, 960, 720),
    Preview(plots.board, 1050, 700),
    Preview(widgets.data_card, 316),
    Preview(widgets.kernel_card, 316),
    Preview(widgets.components_card, 316),
    Preview(widgets.appearance_card, 316),
    Preview(widgets.sidebar, 316, 760),
    Preview(widgets.kernel_bar, 1000),
    Preview(widgets.verdict_line, 1000),
    Preview(widgets.looks_panel, 160),
    Preview(widgets.help_panel, 360, 760),
    Preview(widgets.sweep_setup, 1030),
    Preview(widgets.sweep_strip, 1030),
    Preview(widgets.gallery, 1000, 680),
    Preview(widgets.heat_map, 480, 360),
    Preview(widgets.compare, 960, 620),
    Preview(widgets.choice, 340, 560),
    Preview(widgets.choice_evidence, 380, 300),
    Preview(widgets.import_sheet, 860, 600),
    Preview(widgets.export_panel, 860, 620),
    Preview(widgets.compute_sheet, 460, 240),
)

PAGES = {page.name: page for page in _ALL}
"""Every page by its name, in the order in which they are listed."""


def preview(
    page: Preview, theme: Theme, size: tuple[int, int] | None = None
) -> QWidget:
    """Return a window that holds nothing but the widget of a page.

    Parameters
    ----------
    size : tuple of int, optional
        Of the widget, in pixels; by default what suits it.
    """
    apply_theme(application(), theme)
    frame = QWidget()
    frame.setWindowTitle(f"{page.name} – kpca_viewer")
    layout = QVBoxLayout(frame)
    layout.setContentsMargins(MARGIN, MARGIN, MARGIN, MARGIN)
    layout.addWidget(page.make(theme))
    width, height = size or (page.width, page.height)
    frame.resize(QSize(width, height).grownBy(layout.contentsMargins()))
    if not height:
        asked = layout.heightForWidth(frame.width()), layout.sizeHint().height()
        frame.resize(frame.width(), max(asked))
    # No control is marked before Tab moves the focus to it.
    frame.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    frame.setFocus()
    return frame


def picture(window: QWidget) -> QImage:
    """Return what a window shows once everything in it is drawn."""
    with unseen():
        window.show()
        settle(window)
        for line in window.findChildren(ProgressLine):
            # Short work is not worth a line; this one has just begun.
            while line.is_working and not line.is_shown():
                wait = QEventLoop.ProcessEventsFlag.WaitForMoreEvents
                QEventLoop().processEvents(wait)
        return window.grab().toImage()
