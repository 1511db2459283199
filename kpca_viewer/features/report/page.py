"""The page Report of the export panel, and the pictures of a report."""

from collections.abc import Callable, Generator, Mapping
from functools import partial
from pathlib import Path
from threading import Event

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.claims.choice import tried_words
from kpca_viewer.export.document import Picture, Pictures
from kpca_viewer.export.file_saver import Painting
from kpca_viewer.export.image import image_painting, png_bytes, svg_painting
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.export.page import (
    contents,
    film_of,
    page_columns,
    page_html,
    page_parts,
)
from kpca_viewer.features.registry import board_plots
from kpca_viewer.features.report.subject import FORMATS, Subject
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.progress import Progress, ShouldStop
from kpca_viewer.widgets.composed_picture import ComposedPicture, ExportContent
from kpca_viewer.widgets.controls.progress_line import ProgressLine
from kpca_viewer.widgets.export_form import Choices, add_lines, segmented
from kpca_viewer.widgets.picture_sources import Paintable

LARGE, SMALL = (760, 460), (460, 380)
"""Of a picture over the whole width, and of one beside another, in 1/96 inch."""

SIZES = {"embedding": LARGE, "spectrum": (760, 320), "data": SMALL, "pca": SMALL}

MOST_SHAPES = 500
"""Rows beyond which points are pixels. As shapes they would make a large file, and Qt
packs a page of a PDF in one go, during which no other thread runs Python."""

MOST_COLUMNS = 500
"""Columns that the list of a page offers."""

SHARP = 2
"""Pixels per unit: 192 in an inch."""


def subject_of(content: ExportContent) -> Subject:
    """Return what a report of the window is about."""
    settings, notes = content.scene.settings, content.scene.notes
    note = notes.choice
    known = note is not None and note.is_of(settings.data)
    return Subject(
        content.result,
        settings.view,
        content.document.data.file,
        note.choice() if note is not None and known else None,
        note.taken if note is not None and known else None,
        tried_words(notes, settings.data),
    )


def pictures_painting(
    sources: Mapping[str, Paintable], content: ExportContent
) -> Generator[None, None, Callable[[], Pictures]]:
    """Paint the plots one after the other; what is returned packs them, anywhere."""
    packs: dict[str, Callable[[], Picture]] = {}
    for key in subject_of(content).figure_keys:
        packs[key] = yield from _painting(sources, content, key)
        yield

    def pack() -> Pictures:
        return {key: make() for key, make in packs.items()}

    return pack


def _painting(
    sources: Mapping[str, Paintable], content: ExportContent, key: str
) -> Generator[None, None, Callable[[], Picture]]:
    plot, (width, height) = board_plots()[key], SIZES[key]
    kind = "png" if _is_of_pixels(content, key) else "svg"
    sharp = SHARP if kind == "png" else 1
    spec = ImageSpec(kind, sharp * width, sharp * height, "px", 96 * sharp, title=False)
    paint = ComposedPicture(plot, sources[key], spec, content).paint
    pack: Callable[[], bytes]
    if kind == "svg":
        pack = yield from svg_painting(spec, paint, "", plot.title)
    else:
        pack = partial(png_bytes, (yield from image_painting(spec, paint)))
    return lambda: Picture(kind, pack(), width, height)


def _is_of_pixels(content: ExportContent, key: str) -> bool:
    """Return whether shapes would be too many, or reach beyond the frame of a plot."""
    result, view = content.result, content.scene.settings.view
    if key == "data" and result.grid is not None and view.isolines:
        # SVG does not clip the field between isolines.
        return True
    return board_plots()[key].has_legend and result.all_rows.dataset.n > MOST_SHAPES


WHAT = (
    ("html", FORMATS["html"], "One page that needs nothing beside it"),
    ("pdf", FORMATS["pdf"], "Pages of A4, for print"),
    ("page", "Page to share", "The embedding to zoom, hover and colour in any browser"),
)

CONTENT = (
    "In the report: data and preparation, kernel and values in all conventions, "
    "pictures, in HTML the scores of all rows to zoom and hover, spectrum with bounds, "
    "influence of columns, odd rows, versions, and the code that gives the same "
    "numbers. It begins with this paragraph, which Copy puts onto the clipboard:"
)


IN_PAGE = (
    "One HTML file that needs no network: the embedding with hover, legend, search and "
    "lasso, the sweep of the window as a slider, the spectrum with its bounds, and the "
    "paragraph below. Only what is checked here leaves this machine:"
)


class ReportPage(QWidget):
    """Shows the methods paragraph, and how far a report is that is being written."""

    choice_changed = Signal()
    _progressed = Signal(str, object)
    """Stage, and the share that is done or None; from another thread."""

    def __init__(self, choices: Choices) -> None:
        super().__init__()
        self.setObjectName("export_report_page")
        self._choices = choices
        self._content: ExportContent | None = None
        self._parts: list[str] = []
        self._stop = Event()
        self.progress = ProgressLine(self)
        self.progress.cancel_requested.connect(self._on_cancel_requested)
        self._progressed.connect(self.progress.report)
        self._format = segmented("export_report_format", "Format", WHAT)
        known = tuple(key for key, *_ in WHAT)
        self._format.set_value(choices.text("report", "html", known))
        self._format.value_changed.connect(self._on_changed)
        self._about = QLabel()
        self._about.setObjectName("export_report_about")
        self._about.setProperty("role", "caption")
        self._about.setWordWrap(True)
        self.columns = QListWidget()
        self.columns.setObjectName("export_page_columns")
        self.columns.setAccessibleName("Columns of the page")
        self.columns.setToolTip("Space checks a column.")
        self.columns.itemChanged.connect(self._show_inside)
        self.inside = QLabel()
        self.inside.setObjectName("export_page_inside")
        self.inside.setProperty("role", "caption")
        self.inside.setWordWrap(True)
        self._text = QPlainTextEdit()
        self._text.setObjectName("export_methods_text")
        self._text.setAccessibleName("Methods paragraph")
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        add_lines(layout, [("Format", (self._format,))])
        layout.addWidget(self._about)
        layout.addWidget(self.columns, 1)
        layout.addWidget(self.inside)
        layout.addWidget(self.progress)
        layout.addWidget(self._text, 1)
        self._show_format()

    def set_content(self, content: ExportContent) -> None:
        self._content = content
        self._text.setPlainText(self.methods())
        self._parts = page_parts(content.result)
        names = [*self._parts, *page_columns(content.result)[:MOST_COLUMNS]]
        if names != [item.text() for item in self._items()]:
            with QSignalBlocker(self.columns):
                self.columns.clear()
                for place, name in enumerate(names):
                    item = QListWidgetItem(name, self.columns)
                    known = place < len(self._parts)
                    states = Qt.CheckState
                    item.setCheckState(states.Checked if known else states.Unchecked)
        self._show_inside()

    def choose(self, what: str) -> None:
        """Choose one of `WHAT`."""
        self._format.button(what).setChecked(True)

    def ending(self) -> str:
        return "html" if self.is_page else self._format.value()

    @property
    def is_page(self) -> bool:
        return self._format.value() == "page"

    def _items(self) -> list[QListWidgetItem]:
        return [self.columns.item(i) for i in range(self.columns.count())]

    def checked(self) -> tuple[list[str], list[str]]:
        """Return the columns that a page takes along, and what it leaves here."""
        count = len(self._parts)
        on = [i.checkState() == Qt.CheckState.Checked for i in self._items()]
        names = [item.text() for item in self._items()]
        columns = [name for name, is_on in zip(names, on, strict=True) if is_on]
        kept = sum(on[:count])
        without = [
            name for name, is_on in zip(self._parts, on, strict=False) if not is_on
        ]
        return columns[kept:], without

    @Slot()
    def _show_inside(self) -> None:
        if self._content is not None:
            self.inside.setText(contents(self._content.result, *self.checked()))

    def methods(self) -> str:
        """Return the methods paragraph; empty while there is no result."""
        # Imported on first use: it asks all libraries for their versions.
        from kpca_viewer.features.report.methods import methods_paragraph

        if self._content is None:
            return ""
        return methods_paragraph(subject_of(self._content))

    def painting(self, path: Path, sources: Mapping[str, Paintable]) -> Painting:
        """Return what paints the pictures, and then what writes the file."""
        assert self._content is not None
        if self.is_page:
            return page_painting(path, self._content, *self.checked(), self.methods())
        self._stop = Event()
        self.progress.begin("pictures")
        return report_painting(
            path, sources, self._content, self._stop.is_set, self._progressed.emit
        )

    @Slot()
    def _on_cancel_requested(self) -> None:
        self._stop.set()

    @Slot()
    def _on_changed(self) -> None:
        self._choices.keep("report", self._format.value())
        self._show_format()
        self.choice_changed.emit()

    def _show_format(self) -> None:
        self._about.setText(IN_PAGE if self.is_page else CONTENT)
        self.columns.setVisible(self.is_page)
        self.inside.setVisible(self.is_page)


def page_painting(
    path: Path,
    content: ExportContent,
    columns: list[str],
    without: list[str],
    methods: str,
) -> Painting:
    """Return what writes a page; nothing has to be painted before."""
    yield

    def write() -> None:
        page = page_html(
            content.result,
            columns=columns,
            without=without,
            film=film_of(content.sweep, content.result),
            methods=methods,
        )
        write_atomically(path, page.encode())

    return write


def report_painting(
    path: Path,
    sources: Mapping[str, Paintable],
    content: ExportContent,
    should_stop: ShouldStop,
    progress: Progress,
) -> Painting:
    """Return what paints the pictures of a report, and then what writes it."""
    pack = yield from pictures_painting(sources, content)
    subject = subject_of(content)

    def write() -> None:
        # Imported beside the window: it brings scikit-learn along.
        from kpca_viewer.features.report.report import write_report

        write_report(path, subject, pack(), should_stop, progress)

    return write
