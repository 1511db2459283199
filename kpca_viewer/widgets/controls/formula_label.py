"""FormulaLabel: mathematics, typeset on a thread of its own."""

import logging
from functools import lru_cache
from threading import Lock, Thread
from types import ModuleType

from PySide6.QtCore import (
    QByteArray,
    QEvent,
    QObject,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.icons import INK
from kpca_viewer.widgets.theme import theme_of

log = logging.getLogger(__name__)

SIZE = 24.0
"""The size at which formulas are set; drawing scales them."""


class Typesetter(QObject):
    """Sets one formula after the other; its thread ends when there is none left."""

    finished = Signal(object, object)
    """A formula that was asked for, and its SVG or None."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._waiting: list[str] = []
        self._thread: Thread | None = None

    def ask(self, latex: str) -> None:
        with self._lock:
            if latex not in self._waiting:
                self._waiting.append(latex)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="typesetter")
                self._thread.start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                latex = self._waiting.pop(0)
            self.finished.emit(latex, typeset(latex))


typesetter = Typesetter()


@lru_cache(maxsize=512)
def typeset(latex: str) -> str | None:
    """Return a formula as SVG with outlines in one grey; None if it cannot be set."""
    if not latex.strip():
        return None
    try:
        svg: str = _ziamath().Latex(latex, size=SIZE, color=INK).svg()
    except Exception:  # its parser raises whatever comes up
        log.warning("The formula %r cannot be typeset.", latex, exc_info=True)
        return None
    # Without a stroke, Qt's PDF draws one that makes every letter bold.
    hairline = f'fill="{INK}" stroke="{INK}" stroke-width="0.001"'
    return svg.replace(f'fill="{INK}"', hairline)


def _ziamath() -> ModuleType:
    import ziamath

    # Plain paths: symbols and their use are beyond the SVG that Qt knows.
    ziamath.config.svg2 = False
    return ziamath


REST_MS = 300
"""So long nothing else is asked for before a formula is set."""

MAGNIFICATION = 1.2
"""Of a formula, relative to the font of its widget."""


class FormulaLabel(QWidget):
    """A formula in the colour and size of the text around it.

    Shrinks to the width there is. Where it cannot be typeset, the plain text (also for
    screen readers) stands in its place. A slider that is dragged asks for many formulas
    a second: the last one is set when the drag pauses, until then the one before is
    faint.
    """

    settled = Signal()
    """The formula that was set last is drawn."""

    def __init__(self, latex: str = "", plain: str = "") -> None:
        super().__init__()
        self._latex = ""
        self._plain = ""
        self._svg: str | None = None
        self._renderer: QSvgRenderer | None = None
        self._shown: str | None = None
        self._asked: str | None = None
        self._rest = QTimer(self, singleShot=True, interval=REST_MS)
        self._rest.timeout.connect(self._ask)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        typesetter.finished.connect(self._on_typeset)
        self.set_formula(latex, plain)

    def set_formula(self, latex: str, plain: str = "") -> None:
        """Show another formula as soon as it is set; until then the one before."""
        self._latex, self._plain = latex, plain or latex
        self.setAccessibleName(self._plain)
        self.setToolTip(plain_tip(self._plain))
        if not latex.strip():
            self._rest.stop()
            self._show(latex, None)
        elif latex == self._shown:
            self._rest.stop()
            self.update()
        elif not self._shown:
            self._ask()
        else:
            self._rest.start()
            self.update()

    def latex(self) -> str:
        return self._latex

    def is_typeset(self) -> bool:
        return self._renderer is not None

    def is_settled(self) -> bool:
        """Return whether what is drawn is the formula that was set last."""
        return self._shown == self._latex

    @Slot()
    def _ask(self) -> None:
        waits = self._asked is not None or self._rest.isActive()
        if not waits and not self.is_settled():
            self._asked = self._latex
            typesetter.ask(self._latex)

    def _show(self, latex: str, svg: str | None) -> None:
        self._shown, self._svg = latex, svg
        self._render()
        if self.is_settled():
            self.settled.emit()

    def _render(self) -> None:
        if self._svg is None:
            self._renderer = None
        else:
            svg = self._svg.replace(INK, theme_of(self.palette()).text)
            self._renderer = QSvgRenderer(QByteArray(svg.encode()))
        self.updateGeometry()
        self.update()

    @Slot(object, object)
    def _on_typeset(self, latex: str, svg: str | None) -> None:
        if latex != self._asked:
            return
        self._asked = None
        if self._latex.strip():
            self._show(latex, svg)
        # Those in between were never asked for.
        self._ask()

    def _natural_size(self) -> QSizeF:
        if self._renderer is None:
            metrics = self.fontMetrics()
            return QSizeF(metrics.horizontalAdvance(self._plain), metrics.height())
        pixels = self.fontInfo().pixelSize() * MAGNIFICATION
        return self._renderer.viewBoxF().size() * (pixels / SIZE)

    def sizeHint(self) -> QSize:
        size = self._natural_size()
        return QSize(round(size.width() + 1), round(size.height() + 8))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 16)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height at a width, with four pixels above and below."""
        if self._renderer is None:
            bounds = self.fontMetrics().boundingRect(
                0, 0, max(width, 1), 10_000, _WRAP, self._plain
            )
            return bounds.height() + 8
        size = self._natural_size()
        scale = min(1.0, width / max(size.width(), 1.0))
        return round(size.height() * scale + 8)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._render()
        elif event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._renderer is None:
                painter.drawText(self.rect(), _WRAP, self._plain)
            else:
                size = self._natural_size()
                scale = min(
                    1.0,
                    self.width() / max(size.width(), 1.0),
                    self.height() / max(size.height(), 1.0),
                )
                size *= scale
                corner = QPointF(0.0, (self.height() - size.height()) / 2)
                self._renderer.render(painter, QRectF(corner, size))
            if not self.isEnabled() or self._rest.isActive():
                # Half of the ink away, as all disabled controls look.
                painter.setOpacity(0.6)
                painter.fillRect(self.rect(), theme_of(self.palette()).card)


_WRAP = int(
    Qt.TextFlag.TextWordWrap
    | Qt.AlignmentFlag.AlignVCenter
    | Qt.AlignmentFlag.AlignLeft
)
