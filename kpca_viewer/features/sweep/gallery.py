"""Gallery: the pictures of a sweep full-size, sorted, with a heat map beside them."""

from collections.abc import Mapping

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.sweep.measures import MEASURES, Measure
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.features.sweep.heat_map import HeatMap
from kpca_viewer.features.sweep.multiples import Multiples
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.features.sweep.strip_bar import MeasureCombo, icon_button
from kpca_viewer.features.sweep.text import (
    BAR_BUTTONS,
    GALLERY_HINT,
    MAP_HINT,
    PICTURE_SIZES,
    PIN_TIP,
    SORT_TIP,
    gallery_title,
    sample_text,
)
from kpca_viewer.widgets.controls import ElidedLabel, Segmented, Switch
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import LIGHT, Theme
from kpca_viewer.widgets.thumbnails import Shades


class PageArea(QScrollArea):
    """Gives its page a size that follows from its own size alone.

    A page that takes its height from the width it has would get another width with the
    scroll bar that its height brings, and want another height: at some sizes, where the
    narrower page needs no bar, without end. Here the bars may come and go, the page
    stays as it was laid out. Its minimum size hint is the narrowest it may be.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        self.setWidget(page)

    def lay_out(self) -> None:
        page, room = self._page, self.maximumViewportSize()
        least = page.minimumSizeHint().width()
        width = max(room.width(), least)
        if page.heightForWidth(width) > room.height():
            # The scroll bar takes its place from the pictures.
            bar = self.verticalScrollBar().sizeHint().width()
            width = max(room.width() - bar, least)
        page.resize(width, max(page.heightForWidth(width), room.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.lay_out()
        super().resizeEvent(event)


SIDES = {"small": 120, "medium": 170, "large": 260}


class Gallery(QWidget):
    """A window or a page with all pictures of a sweep."""

    adopted = Signal(object)
    """The `SweepPoint` whose value is wanted."""
    pin_requested = Signal(object)
    """The `SweepPoint` to remember for a comparison."""
    export_requested = Signal()

    def __init__(self, linking: Linking, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sweep_gallery")
        self.setWindowTitle("Gallery – kpca_viewer")
        self.resize(1000, 680)
        self._result: SweepResult | None = None
        self._count = ""
        self._current: int | None = None
        self.multiples = Multiples(linking)
        self.heat_map = HeatMap()
        self.heat_map.hide()
        self._make_controls()
        self._lay_out()
        QShortcut(Qt.Key.Key_Escape, self, self.close)
        self.multiples.adopted.connect(self.adopted)
        self.multiples.marked.connect(self._on_marked)
        self.heat_map.adopted.connect(self.adopted)
        self.heat_map.marked.connect(self._on_marked)

    def set_theme(self, theme: Theme) -> None:
        self.multiples.set_theme(theme)
        self.heat_map.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        self.multiples.set_shades(shades)

    def show_result(
        self,
        result: SweepResult,
        measure: str = "",
        missing: Mapping[str, str] | None = None,
    ) -> None:
        """Show a sweep, whole or as far as it is there. Emits nothing.

        Without a measure, the one that is chosen stays; ``missing`` says why some are
        not defined.
        """
        self._result = result
        if missing is not None:
            self._measure.set_missing(missing)
        self._measure.choose(measure or self._measure.key())
        grid = len(result.sweep.axes) > 1
        if grid and not self.heat_map.isVisibleTo(self):
            self.heat_map.show()
            # Something that was hidden comes back as narrow as it may be.
            self._split.setSizes([round(0.7 * self.width()), round(0.3 * self.width())])
        elif not grid:
            self.heat_map.hide()
        self.heat_map.show_result(result)
        self.multiples.show_result(result)
        self._count = gallery_title(result)
        self._hint.setText(f"{GALLERY_HINT} {MAP_HINT}" if grid else GALLERY_HINT)
        self._show_measure()

    @property
    def current(self) -> int | None:
        return self._current

    def set_current(self, index: int | None) -> None:
        """Mark the point that is shown on the board, and scroll to it."""
        self._current = index
        self.multiples.set_current(index)
        self.heat_map.set_current(index)
        self._pin.setEnabled(self._marked() is not None)
        area = self.multiples.area_of(index)
        if area is not None:
            center = area.center()
            self._scroll.ensureVisible(
                center.x(), center.y(), area.width() // 2, area.height() // 2
            )

    def _marked(self) -> SweepPoint | None:
        points = () if self._result is None else self._result.points
        found = (p for p in points if p.index == self._current and not p.error)
        return next(found, None)

    def _make_controls(self) -> None:
        self._title = ElidedLabel()
        self._title.setObjectName("gallery_title_label")
        self._title.setProperty("role", "title")
        self._measure = MeasureCombo()
        self._measure.setObjectName("gallery_measure_combo")
        self._measure.setAccessibleName("Measure")
        self._measure.setToolTip("What is said under every picture, and sorted by")
        self._sorted = Switch("best first")
        self._sorted.setObjectName("gallery_sorted_switch")
        self._sorted.setAccessibleName("Sort by the measure")
        self._sorted.setToolTip(SORT_TIP)
        self._size = Segmented(PICTURE_SIZES, "Size of the pictures")
        self._size.setObjectName("gallery_size")
        self._size.set_value("medium")
        self._pin = icon_button("gallery_pin_button", "pin", PIN_TIP)
        self._pin.setEnabled(False)
        self._export = icon_button("gallery_export_button", *BAR_BUTTONS["export"])
        self._measure.activated.connect(self._show_measure)
        self._sorted.toggled.connect(self.multiples.set_sorted)
        self._size.value_changed.connect(self._on_size_changed)
        self._pin.clicked.connect(self._on_pin_clicked)
        self._export.clicked.connect(self.export_requested)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(12, 8, 8, 4)
        bar.setSpacing(8)
        bar.addWidget(self._title, 1)
        for widget in (
            self._measure,
            self._sorted,
            self._size,
            self._pin,
            self._export,
        ):
            bar.addWidget(widget)
        self._hint = QLabel(GALLERY_HINT)
        self._hint.setProperty("role", "caption")
        self._hint.setContentsMargins(12, 4, 12, 6)
        self._hint.setWordWrap(True)
        self._scroll = PageArea(self.multiples)
        self.multiples.arranged.connect(self._scroll.lay_out)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.setChildrenCollapsible(False)
        split.addWidget(self._scroll)
        split.addWidget(self.heat_map)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(0)
        rows.addLayout(bar)
        rows.addWidget(split, 1)
        rows.addWidget(self._hint)

    def _show_measure(self) -> None:
        key = self._measure.key()
        self._title.set_text(self._count + self._scored(MEASURES[key]))
        self.multiples.set_measure(key)
        self.multiples.set_sorted(self._sorted.isChecked())
        self.heat_map.set_measure(key)

    def _scored(self, measure: Measure) -> str:
        """Return of how many rows the numbers below the pictures are, of a sample."""
        points = () if self._result is None else self._result.points
        sample = sample_text(points, measure)
        return f" · {measure.title.lower()} of {sample}" if sample else ""

    def _on_size_changed(self, key: str) -> None:
        self.multiples.set_side(SIDES[key])

    def _on_marked(self, point: SweepPoint) -> None:
        self.set_current(point.index)

    def _on_pin_clicked(self) -> None:
        point = self._marked()
        if point is not None:
            self.pin_requested.emit(point)


class GalleryWindow(QObject):
    """Shows what is on the strip; its view is made when it is first opened."""

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
        if self.view is not None and self.view.isVisible():
            self.view.set_shades(shades)

    @Slot()
    def mark(self) -> None:
        if self.view is not None and self.view.isVisible():
            current = self._strip.current_point()
            self.view.set_current(None if current is None else current.index)

    def refresh(self) -> None:
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
