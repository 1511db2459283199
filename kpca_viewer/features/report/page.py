"""Report: the analysis as a document, with the paragraph for a methods section."""

from collections.abc import Mapping
from pathlib import Path
from threading import Event

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from kpca_viewer.export.file_saver import Painting
from kpca_viewer.features.report.formats import FORMATS
from kpca_viewer.features.report.pictures import pictures_painting, subject_of
from kpca_viewer.support.progress import Progress, ShouldStop
from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.controls.progress_line import ProgressLine
from kpca_viewer.widgets.export_form import Choices, add_lines, segmented
from kpca_viewer.widgets.picture_sources import Paintable

WHAT = (
    ("html", FORMATS["html"], "One page that needs nothing beside it"),
    ("pdf", FORMATS["pdf"], "Pages of A4, for print"),
)

CONTENT = (
    "In the report: data and preparation, kernel and values in all conventions, "
    "pictures, spectrum with bounds, influence of columns, odd rows, versions, and the "
    "code that gives the same numbers. It begins with this paragraph, which Copy puts "
    "onto the clipboard:"
)


class ReportPage(QWidget):
    """Shows the methods paragraph, and how far a report is that is being written."""

    choice_changed = Signal()
    _progressed = Signal(str, object)
    """Stage, and the share that is done or None; from another thread."""

    def __init__(self, choices: Choices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("export_report_page")
        self._choices = choices
        self._content: ExportContent | None = None
        self._stop = Event()
        self.progress = ProgressLine(self)
        self.progress.cancel_requested.connect(self._on_cancel_requested)
        self._progressed.connect(self.progress.report)
        self._format = segmented("export_report_format", "Format", WHAT)
        self._format.set_value(choices.text("report", "html", tuple(FORMATS)))
        self._format.value_changed.connect(self._on_changed)
        about = QLabel(CONTENT)
        about.setObjectName("export_report_about")
        about.setProperty("role", "caption")
        about.setWordWrap(True)
        self._text = QPlainTextEdit()
        self._text.setObjectName("export_methods_text")
        self._text.setAccessibleName("Methods paragraph")
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(8)
        add_lines(layout, [("Format", (self._format,))])
        layout.addWidget(about)
        layout.addWidget(self.progress)
        layout.addWidget(self._text, 1)

    def set_content(self, content: ExportContent) -> None:
        self._content = content
        self._text.setPlainText(self.methods())

    def choose(self, what: str) -> None:
        """Choose one of `WHAT`."""
        self._format.button(what).setChecked(True)

    def ending(self) -> str:
        return self._format.value()

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
        self._choices.keep("report", self.ending())
        self.choice_changed.emit()


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
        from kpca_viewer.features.report.writing import write_report

        write_report(path, subject, pack(), should_stop, progress)

    return write
