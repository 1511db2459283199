"""GalleryWindow: all pictures of the strip in a window of their own."""

from PySide6.QtCore import QObject, Qt, Signal, Slot

from kpca_viewer.features.sweep.gallery import Gallery
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades


class GalleryWindow(QObject):
    """Shows what is on the strip, from the first time that somebody wants to see it.

    Attributes
    ----------
    view : Gallery or None
        None until it was wanted.
    """

    pin_requested = Signal(object)
    """The `SweepPoint` to remember for a comparison."""
    export_requested = Signal()

    def __init__(self, strip: SweepStrip, linking: Linking, parent: QObject) -> None:
        super().__init__(parent)
        self._strip = strip
        self._linking = linking
        self._theme = LIGHT
        self.view: Gallery | None = None

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.view is not None:
            self.view.set_theme(theme)

    def open(self, shades: Shades) -> None:
        """Bring it to the front, if there is anything to show."""
        result = self._strip.result()
        if result is None:
            return
        view = self.view or self._made()
        view.set_shades(shades)
        missing = self._strip.bar.measure.missing()
        view.show_result(result, self._strip.measure(), missing)
        view.show()
        view.raise_()
        view.activateWindow()
        view.multiples.setFocus()
        self.mark()

    def close(self) -> None:
        if self.view is not None:
            self.view.close()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows, if it is open."""
        if self.view is not None and self.view.isVisible():
            self.view.set_shades(shades)

    @Slot()
    def mark(self) -> None:
        """Mark the point that the playhead stands on."""
        if self.view is not None and self.view.isVisible():
            current = self._strip.current_point()
            self.view.set_current(None if current is None else current.index)

    def refresh(self) -> None:
        """Follow the points as they come."""
        result = self._strip.result()
        if self.view is not None and self.view.isVisible() and result:
            self.view.show_result(result, missing=self._strip.bar.measure.missing())

    def _made(self) -> Gallery:
        view = self.view = Gallery(self._linking, self._strip.window())
        view.setWindowFlag(Qt.WindowType.Window)
        view.set_theme(self._theme)
        view.adopted.connect(self._strip.adopt)
        view.pin_requested.connect(self.pin_requested)
        view.export_requested.connect(self.export_requested)
        return view
