"""What lies over panels: a cover until there is an answer, and a calm frame."""

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from kpca_viewer.features.lessons import text
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.theme import theme_of
from kpca_viewer.widgets.workbench import Workbench

_DERIVED = ("step", "grid", "entry")


class _Overlay(QWidget):
    """As large as the widget that it lies over."""

    def __init__(self, target: QWidget) -> None:
        super().__init__(target)
        target.installEventFilter(self)
        self._place()
        self.show()

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is not None:
            self.setGeometry(parent.rect())
            self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        if event.type() in (kinds.Resize, kinds.Show, kinds.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)


class Cover(_Overlay):
    """Hides a panel, and takes what the mouse does there."""

    def __init__(self, target: QWidget, words: str) -> None:
        super().__init__(target)
        self.setObjectName("lesson_cover")
        self.setAccessibleName(words)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillRect(self.rect(), QColor(theme.card))
            painter.setBrush(QColor(theme.hover))
            painter.setPen(QPen(QColor(theme.border), 1.0))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
            if self.height() < painter.fontMetrics().height():
                return
            painter.setPen(QColor(theme.muted))
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(
                self.rect().adjusted(8, 2, -8, -2), flags, self.accessibleName()
            )

    def event(self, event: QEvent) -> bool:
        """Keep gestures away from what is hidden."""
        kinds = QEvent.Type
        mouse = (
            kinds.MouseButtonPress,
            kinds.MouseButtonRelease,
            kinds.MouseButtonDblClick,
            kinds.MouseMove,
            kinds.Wheel,
            kinds.ContextMenu,
        )
        if event.type() in mouse:
            event.accept()
            return True
        return super().event(event)


class Highlight(_Overlay):
    """A frame around a panel, which the mouse does not notice."""

    def __init__(self, target: QWidget) -> None:
        super().__init__(target)
        self.setObjectName("lesson_highlight")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(QColor(theme_of(self.palette()).accent), 2.0))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)


class Marks(QObject):
    """Covers and highlights parts of the window by the keys that lessons use."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._window = workbench.window
        self._covers: dict[str, list[Cover]] = {}
        self._highlight: Highlight | None = None

    @property
    def covered(self) -> tuple[str, ...]:
        return tuple(self._covers)

    def cover(self, keys: Iterable[str], words: str = text.COVERED) -> None:
        """Hide these parts and no others, and say in words until when."""
        self.uncover()
        for key in keys:
            if (page := self._page(key)) is not None:
                try:
                    page.cover(key)
                except KeyError:
                    raise DataError(text.no_part(key)) from None
                self._covers[key] = []
            else:
                self._covers[key] = [
                    Cover(target, words) for target in self._targets(key)
                ]

    def uncover(self) -> None:
        for key, covers in self._covers.items():
            if (page := self._page(key)) is not None:
                page.uncover(key)
            for cover in covers:
                _remove(cover)
        self._covers = {}

    def highlight(self, key: str) -> None:
        """Draw a frame around what has a key; an empty one takes it away."""
        if self._highlight is not None:
            _remove(self._highlight)
            self._highlight = None
        derived = _is_derived(key)
        try:
            self._pages["derivation"].highlight(key if derived else "")
        except KeyError:
            raise DataError(text.no_part(key)) from None
        targets = [] if not key or derived else self._targets(key)
        if targets:
            self._highlight = Highlight(targets[0])
        if targets and key.startswith("side:"):
            self._pages["both_sides"].view.reveal(targets[0])

    @property
    def _pages(self) -> Mapping[str, Any]:
        return self._window.board.compare.views

    def _page(self, key: str) -> Any:
        """Return the page that covers parts of itself; None for a panel."""
        if _is_derived(key):
            return self._pages["derivation"]
        return self._pages["both_sides"] if key.startswith("side:") else None

    def _targets(self, key: str) -> list[QWidget]:
        window, board = self._window, self._window.board
        caption = board.compare.findChild(QWidget, "panel_caption")
        places: dict[str, list[QWidget | None]] = {
            "panel:embedding": [board.embedding],
            "panel:data": [board.data],
            "panel:spectrum": [board.spectrum],
            "panel:linear": [board.compare.views["pca"].view, caption],
            "panel:film": [window.sweep_strip.film],
            "panel:page": [board.compare],
            "verdict": [window.verdict],
            "kernel": [window.kernel_bar],
        }
        if key.startswith("side:"):
            view = self._pages["both_sides"].view
            lines = {**view.labels, "own": view.own}
            return [lines[name] for name in [key[5:]] if name in lines]
        return [target for target in places.get(key, []) if target is not None]


def _is_derived(key: str) -> bool:
    return key.partition(":")[0] in _DERIVED or key == "panel:explanation"


def _remove(overlay: QWidget) -> None:
    overlay.hide()
    overlay.setParent(None)
    overlay.deleteLater()
