"""A list of bars that scrolls: only lines that can be seen are painted."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import (
    QEvent,
    QLineF,
    QPointF,
    QRectF,
    QSignalBlocker,
    QSizeF,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QWidget

from kpca_viewer.widgets.plots.axes import color_of
from kpca_viewer.widgets.plots.bar_layout import PAD, Bar, BarList, Layout
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, elided, elided_apart, plot_font

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class BarListView(PaintedPlot):
    """Names, bars and numbers, a line each.

    The mouse or the arrow keys point at a line, a click or Enter chooses it, Ctrl+C
    copies all of them. Setters never emit.
    """

    line_hovered = Signal(object)
    """A place in the list, or None."""
    line_chosen = Signal(int)
    scrolled = Signal()
    """Other lines are seen, or others could be."""
    copied = Signal()

    def __init__(self, name: str, title: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(title)
        self.setAccessibleDescription(
            "Arrow keys walk from line to line, Enter chooses one, Ctrl+C copies all."
        )
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._shown = BarList()
        self.words = ""
        self._table: Callable[[], str] | None = None
        self.first = 0
        self.pointed: int | None = None
        self._chosen: int | None = None

    def show_bars(
        self, shown: BarList, table: Callable[[], str], chosen: int | None
    ) -> None:
        """Show lines; ``table`` returns what Ctrl+C copies."""
        self._shown, self._table, self._chosen = shown, table, chosen
        self.words = ""
        if self.pointed is not None and self.pointed >= len(shown):
            self.pointed = None
        self.scroll_to(self.first)
        self._show_about()
        self.update()

    def say(self, words: str) -> None:
        self._shown, self.words, self._table = BarList(), words, None
        self.pointed = self._chosen = None
        self.show_label(None)
        self.scroll_to(0)

    @property
    def bars(self) -> tuple[Bar, ...]:
        return tuple(map(self._shown.make, range(len(self._shown))))

    def fitting(self) -> int:
        return self._layout().fitting(self.height())

    def last_first(self) -> int:
        """Return the line at the top where all lines below it can just be seen."""
        return max(len(self._shown) - self.fitting(), 0)

    def scroll_to(self, first: int) -> None:
        """Put a line at the top, as far as that is possible."""
        self.first = min(max(first, 0), self.last_first())
        self.update()
        self.scrolled.emit()

    def line_box(self, line: int) -> QRectF:
        return self._layout().box_of(line - self.first, self.width())

    def copy(self) -> None:
        if self._table is not None:
            QGuiApplication.clipboard().setText(self._table())
            self.copied.emit()

    def _layout(self, size: QSizeF | None = None) -> Layout:
        return Layout.of(self._shown, plot_font(), size or QSizeF(self.size()))

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        painter.setFont(plot_font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not len(self._shown):
            self._draw_words(painter, size)
            return
        layout, count = self._layout(size), len(self._shown)
        fitting = layout.fitting(size.height())
        first = min(self.first, max(count - fitting, 0))
        self._draw_head(painter, layout)
        seen = range(first, min(first + fitting, count))
        bars = [self._shown.make(line) for line in seen]
        names = elided_apart([b.name for b in bars], painter.font(), layout.name[1])
        for place, (line, bar, name) in enumerate(zip(seen, bars, names, strict=True)):
            box = layout.box_of(place, size.width())
            if live and line == self.pointed:
                painter.fillRect(box, QColor(self.theme.hover))
            chosen = line == self._chosen
            self._draw_line(painter, layout, replace(bar, name=name), box, chosen)

    def _draw_words(self, painter: QPainter, size: QSizeF) -> None:
        painter.setPen(QColor(self.theme.muted))
        room = QRectF(0, 0, size.width(), size.height()).adjusted(16, 8, -16, -8)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(room, flags, self.words)

    def _draw_head(self, painter: QPainter, layout: Layout) -> None:
        painter.setPen(QColor(self.theme.muted))
        font, middle = painter.font(), layout.head / 2
        # Names need no title: what bars mean may begin above them.
        left, right = layout.name[0], sum(layout.bar)
        words = self._shown.axis
        for place, word in enumerate(words):
            text = elided(word, font, (right - left) / len(words) - 4)
            at = QPointF(right if place else left, middle)
            draw_text(painter, at, text, place, 0.5)
        for end, title in zip(layout.ends, self._shown.titles, strict=False):
            draw_text(painter, QPointF(end, middle), title, 1.0, 0.5)

    def _draw_line(
        self, painter: QPainter, layout: Layout, bar: Bar, box: QRectF, chosen: bool
    ) -> None:
        middle, limits = box.center().y(), self._shown.limits
        grey = bar.strong is False
        ink = QColor(self.theme.muted if grey else self.theme.text)
        painter.setPen(ink)
        draw_text(painter, QPointF(sum(layout.name), middle), bar.name, 1.0, 0.5)
        zero, end = layout.x_of(0.0, limits), layout.x_of(bar.value, limits)
        inner = box.adjusted(0, 0.16 * box.height(), 0, -0.16 * box.height())
        if bar.band is not None:
            wide = layout.x_of(bar.band, limits)
            band = QRectF(zero, box.top(), wide - zero, box.height())
            painter.fillRect(band, color_of(self.theme, "muted", 0.16))
        low, high = sorted((zero, end))
        inner = QRectF(low, inner.top(), high - low, inner.height())
        if bar.strong is None:
            # It is not known whether it is more than chance: neither colour may say so.
            painter.setPen(QPen(QColor(self.theme.muted), 1.0))
            painter.drawRect(inner.adjusted(0.5, 0.5, -0.5, -0.5))
        else:
            fill = QColor(self.theme.disabled if grey else self.theme.accent)
            painter.fillRect(inner, fill)
        if bar.band is not None:
            painter.setPen(QPen(QColor(self.theme.text), 1.0))
            painter.drawLine(QLineF(band.topRight(), band.bottomRight()))
        if limits[0] < 0:
            painter.setPen(QPen(QColor(self.theme.outline), 1.0))
            painter.drawLine(QLineF(zero, box.top(), zero, box.bottom()))
        if bar.span is not None:
            self._draw_span(painter, layout, bar.span, middle)
        painter.setPen(ink)
        for at, text in zip(layout.ends, bar.numbers, strict=False):
            draw_text(painter, QPointF(at, middle), text, 1.0, 0.5)
        if chosen:
            painter.setPen(QPen(QColor(self.theme.accent), 1.2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(PAD / 2 - 2, 0.5, -2, -0.5), 4, 4)

    def _draw_span(
        self, painter: QPainter, layout: Layout, span: tuple[float, float], y: float
    ) -> None:
        low, high = (layout.x_of(value, self._shown.limits) for value in span)
        painter.setPen(QPen(QColor(self.theme.text), 1.2))
        painter.drawLine(QLineF(low, y, high, y))
        for end in (low, high):
            painter.drawLine(QLineF(end, y - 3, end, y + 3))

    # Mouse and keys

    def _line_at(self, position: QPointF) -> int | None:
        layout = self._layout()
        place = int((position.y() - layout.head) // layout.line)
        if not 0 <= place < layout.fitting(self.height()):
            return None
        line = self.first + place
        return line if line < len(self._shown) else None

    def _point_at(self, line: int | None) -> None:
        if line != self.pointed:
            self.pointed = line
            self._show_about()
            self.update()
            self.line_hovered.emit(line)

    def _show_about(self) -> None:
        if self.pointed is None or not len(self._shown):
            self.show_label(None)
            return
        box = self.line_box(self.pointed)
        at = QPointF(box.center().x(), box.center().y())
        self.show_label(at, self._shown.make(self.pointed).about)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self._line_at(event.position()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        line = self._line_at(event.position())
        if line is not None and event.button() == Qt.MouseButton.LeftButton:
            self.focus_mark.show(False)
            self.line_chosen.emit(line)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.scroll_to(self.first - round(3 * event.angleDelta().y() / 120))
        self._point_at(self._line_at(event.position()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if not self.underMouse():
            self._point_at(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scroll_to(self.first)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Copy)
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, count = Qt.Key(event.key()), len(self._shown)
        page = self.fitting()
        jumps = {
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Home: -count,
            Qt.Key.Key_End: count,
            **_STEPS,
        }
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif key in jumps and count:
            start = self.first - 1 if self.pointed is None else self.pointed
            line = min(max(start + jumps[key], 0), count - 1)
            if not self.first <= line < self.first + page:
                self.scroll_to(line if line < self.first else line - page + 1)
            self._point_at(line)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.pointed is not None:
            self.line_chosen.emit(self.pointed)
        else:
            event.ignore()


class ScrolledBars(QWidget):
    def __init__(self, view: BarListView) -> None:
        super().__init__()
        self.view = view
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        self.bar.setObjectName(f"{view.objectName()}_scroll")
        self.bar.setAccessibleName(f"{view.accessibleName()}, scroll bar")
        self.bar.setToolTip("Brings other lines into view")
        # Shown while its layout is at work, it would be laid out without a width.
        policy = self.bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.bar.setSizePolicy(policy)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(view, 1)
        layout.addWidget(self.bar)
        view.scrolled.connect(self._on_scrolled)
        self.bar.valueChanged.connect(view.scroll_to)
        self._on_scrolled()

    @Slot()
    def _on_scrolled(self) -> None:
        last = self.view.last_first()
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, last)
            self.bar.setPageStep(self.view.fitting())
            self.bar.setValue(self.view.first)
        self.bar.setVisible(last > 0)
