"""Opens the export panel and keeps it in step with the window."""

from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Slot

from kpca_viewer.engine import messages
from kpca_viewer.features.export_panel.text import NOTHING_TO_EXPORT
from kpca_viewer.widgets.workbench import Workbench

if TYPE_CHECKING:
    from kpca_viewer.features.export_panel.panel import ExportPanel
    from kpca_viewer.widgets.composed_picture import ExportContent
    from kpca_viewer.widgets.picture_sources import Paintable

SINGLE_SHOT = Qt.ConnectionType.SingleShotConnection


class Exporting(QObject):
    """The panel follows every result and selection while it is open."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window = workbench.window
        self._workbench = workbench
        self._window = window
        self._presenter = workbench.presenter
        self._panel: ExportPanel | None = None
        workbench.picture_requested.connect(self.open_source)
        # In a turn of its own: the plots have just been drawn, and this draws one more.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)
        window.board.shown.connect(self._on_changed)
        window.board.shown.connect(self._on_first_shown, SINGLE_SHOT)
        window.board.linking.selection_changed.connect(self._on_changed)
        window.board.linking.names_changed.connect(self._on_changed)

    def panel(self) -> "ExportPanel | None":
        """Return the panel, made on first use; None while there is no result."""
        content = self._content()
        if content is None:
            self._presenter.messages.show(NOTHING_TO_EXPORT)
            return None
        if self._panel is None:
            # Imported on first use: nothing is exported in the first second.
            from kpca_viewer.features.export_panel.panel import ExportPanel

            self._panel = ExportPanel(
                self._sources(),
                content,
                self._window,
                store=self._workbench.preferences.store,
            )
            self._panel.saved.connect(self._on_saved)
            self._panel.copied.connect(self._on_copied)
        else:
            self._panel.image.set_sources(self._sources())
            self._panel.set_content(content)
        return self._panel

    def _sources(self) -> "dict[str, Paintable]":
        from kpca_viewer.widgets.picture_sources import board_sources

        sources = board_sources(self._window.board)
        for more in self._workbench.more_sources:
            sources |= more()
        return sources

    @Slot(object)
    def _on_first_shown(self, _scene: object) -> None:
        """Load what a panel is made of beside the window: later it would be a pause."""
        modules = "kpca_viewer.features.export_panel.panel", *self._workbench.preloads

        def load() -> None:
            for module in modules:
                import_module(module)

        Thread(target=load, name="loader").start()

    @Slot()
    def refresh(self) -> None:
        if self._panel is not None and self._panel.isVisible():
            content = self._content()
            if content is not None:
                self._panel.image.set_sources(self._sources())
                self._panel.set_content(content)

    @Slot()
    def _on_changed(self, *_changed: object) -> None:
        if self._panel is not None and self._panel.isVisible():
            self._soon.start()

    def _content(self) -> "ExportContent | None":
        from kpca_viewer.widgets.composed_picture import ExportContent

        scene, board = self._presenter.scene, self._window.board
        if scene.result is None:
            return None
        return ExportContent(
            scene,
            board.linking.selection,
            self._workbench.document(),
            board.hidden,
            self._presenter.stages,
            self._window.sweep_strip.result(),
        )

    def open_source(self, key: str) -> None:
        panel = self._open("image")
        if panel is not None:
            panel.image.choose(key)

    def _open(self, page: str, what: str = "") -> "ExportPanel | None":
        panel = self.panel()
        if panel is not None:
            panel.show_page(page, what)
            panel.show()
            panel.raise_()
        return panel

    @Slot()
    def open_pictures(self) -> None:
        front = self._window.board.front()
        panel = self._open("image")
        if (
            panel is not None
            and front is not None
            and front in panel.image.source_keys()
        ):
            panel.image.choose(front)

    @Slot()
    def open_numbers(self) -> None:
        self._open("numbers")

    @Slot()
    def open_report(self) -> None:
        panel = self._open("report")
        if panel is not None and panel.report.is_page:
            panel.report.choose("html")

    @Slot()
    def open_page(self) -> None:
        self._open("report", "page")

    @Slot()
    def open_selected_rows(self) -> None:
        panel = self._open("numbers")
        if panel is not None:
            panel.numbers.choose("coordinates")
            panel.numbers.choose_selected()

    @Slot()
    def copy_code(self) -> None:
        panel = self._open("code")
        if panel is not None:
            # It says "as Python": a notebook is never meant.
            panel.code.choose_script()
            panel.copy()

    @Slot(object)
    def _on_saved(self, path: Path) -> None:
        # The panel says it itself, unless it was closed meanwhile.
        if self._panel is None or not self._panel.isVisible():
            self._presenter.messages.show(messages.exported(path))

    @Slot(object)
    def _on_copied(self, what: str) -> None:
        self._presenter.messages.show(messages.copied(what))
