"""Pins in the window: the key that keeps a picture, and the page that compares two."""

from PySide6.QtCore import QObject, Slot

from kpca_viewer.engine.messages import Message, noticed
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.pins.page import ComparePage, CompareView
from kpca_viewer.features.pins.pins import Pin, Pins, content_of
from kpca_viewer.features.pins.text import first_pin, pin_names
from kpca_viewer.widgets.thumbnails import Shades
from kpca_viewer.widgets.workbench import Workbench


class PinsController(QObject):
    """Connects the page with the pins of the store."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._sources = workbench.presenter.data.sources
        self._said: Message | None = None
        self.pins = Pins(workbench.store, self._sources, self)
        page = workbench.window.board.compare.views["pins"]
        assert isinstance(page, ComparePage)
        page.content = self._content
        self.view = page.view
        self.view.adopted.connect(workbench.window.changes.request)
        self.view.removed.connect(self.pins.remove)
        self.pins.pins_changed.connect(self.view.set_pins)
        self.pins.failed.connect(self._on_failed)
        workbench.store.changed.connect(self._on_store_changed)
        workbench.more_sources.append(self.sources)

    def close(self) -> None:
        self.pins.close()

    @Slot()
    def pin(self) -> None:
        """Keep what is shown; a second pin is compared with the first at once."""
        scene, messages = self._workbench.presenter.scene, self._workbench.messages
        if scene.result is None:
            return
        pin = Pin.of_result(scene.result, Shades.of_scene(scene))
        self.pins.add(pin)
        if self._said is not None:
            messages.withdraw(self._said)
            self._said = None
        if len(self._workbench.store.notes.pins) > 1:
            self.show()
        else:
            self._said = first_pin(pin_names([pin])[0])
            messages.show(self._said)

    @Slot()
    def show(self) -> None:
        self._workbench.window.board.compare.show_page("pins")

    def sources(self) -> dict[str, CompareView]:
        """Return what the export panel can draw; nothing before there are two pins."""
        return {"pins_ab": self.view} if len(self.view.pins) > 1 else {}

    def _content(self, data: DataSettings) -> str:
        return content_of(self._sources, data)

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        if old.data.source != new.data.source:
            self.pins.look_again()

    @Slot(object)
    def _on_failed(self, text: str) -> None:
        self._workbench.messages.show(noticed("warning", text))
