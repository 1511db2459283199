"""The eigenvalues: bars, their cumulative share, and a cut that can be dragged."""

from PySide6.QtCore import QEvent, QPointF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)

from kpca_viewer.engine.extras import MOVES
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.spectrum.chart import SpectrumChart
from kpca_viewer.features.spectrum.compute import Scale, SpectrumBars
from kpca_viewer.features.spectrum.layout import SpectrumLayout
from kpca_viewer.features.spectrum.text import NO_EIGENVALUES, bar_text
from kpca_viewer.widgets.plots.painted import PaintedPlot
from kpca_viewer.widgets.plots.text import draw_text, plot_font
from kpca_viewer.widgets.theme import Theme

_REACH = 6.0  # pixels from the cut in which it can be taken
_DRAG_DISTANCE = 3.0
_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class SpectrumView(PaintedPlot):
    """Bars of the eigenvalues.

    The cut is dragged, or moved with Shift and the arrow keys. The arrow keys alone
    walk over the bars; Enter does what a click does.
    """

    components_requested = Signal(object)
    """Number of components, whenever the cut passes one."""
    cut_released = Signal()
    """The drag of the cut has ended."""
    component_clicked = Signal(object)
    """Number of a kept component, from 0."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("spectrum_view")
        self.setAccessibleName("Spectrum")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._bars: SpectrumBars | None = None
        self._shown: tuple[object, ...] = ()
        self._scale = Scale(0.0, 0.0, 1.0)
        self._cumulative = True
        self._slots = 1
        self._cut = 1
        self._hovered: int | None = None
        self._focused: int | None = None
        self._press: QPointF | None = None
        # Distance of the pointer from the cut that it drags; None without a drag.
        self._grabbed: float | None = None
        self._moving = False
        self._cut_before = 1
        self.chart = SpectrumChart()

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.chart.set_theme(theme)

    def show_result(self, result: AnalysisResult, view: ViewSettings) -> None:
        """Show the eigenvalues of a result."""
        shown = (result.decomposition, result.get(MOVES), view)
        # The same once more, now with scores of quality, moves no bar.
        if shown == self._shown and self._bars and self._cut == self._bars.kept:
            return
        self._shown = shown
        self._bars = SpectrumBars.of(result, view)
        self._scale = Scale.of(self._bars, logarithmic=view.spectrum == "log")
        self._cumulative = view.cumulative
        # During a drag, neither the cut nor the axis may move by itself.
        if not self._moving:
            self._slots = self._bars.last_slot
            self._cut = self._bars.kept
        count = len(self._bars.values)
        for name in ("_hovered", "_focused"):
            bar = getattr(self, name)
            setattr(self, name, bar if bar is not None and bar < count else None)
        self.setAccessibleDescription(
            f"{self._bars.kept} components kept; {self._bars.mark_text}"
        )
        self._show_bar_label()
        self.update()

    def show_film(self, point: SweepPoint) -> None:
        """Show the eigenvalues of a value that a film is at, until the next result."""
        if self._bars is not None and not self._moving:
            self._shown = ()
            self._bars = self._bars.of_film(point)
            logarithmic = self._scale.floor > 0
            self._scale = Scale.of(self._bars, logarithmic=logarithmic)
            self.update()

    def show_nothing(self) -> None:
        """Show that there are no eigenvalues."""
        self._bars, self._shown = None, ()
        self._hovered = self._focused = None
        self.setAccessibleDescription("")
        self._show_bar_label()
        self.update()

    @property
    def cut(self) -> int:
        """The number of components left of the cut."""
        return self._cut

    @property
    def bars(self) -> SpectrumBars | None:
        return self._bars

    @property
    def focused_bar(self) -> int | None:
        return self._focused

    def plan(self, size: QSizeF | None = None) -> SpectrumLayout | None:
        """Return where everything stands; None without a result."""
        if self._bars is None:
            return None
        return SpectrumLayout.of(
            self._bars,
            self._scale,
            QSizeF(self.size()) if size is None else size,
            slots=self._slots,
            cumulative=self._cumulative,
        )

    def draw(self, painter: QPainter, size: QSizeF, *, live: bool) -> None:
        """Paint the spectrum into an area from the origin."""
        layout = self.plan(size)
        if layout is None:
            painter.setFont(plot_font())
            painter.setPen(self.theme.muted)
            middle = QPointF(size.width() / 2, size.height() / 2)
            draw_text(painter, middle, NO_EIGENVALUES)
            return
        keyboard = self._focused if live and self.hasFocus() else None
        marked = self._hovered if live and keyboard is None else keyboard
        self.chart.draw_spectrum(
            painter,
            layout,
            self._cut,
            active=live and self._moving,
            marked=marked,
            ring=keyboard is not None,
        )

    # The cut

    def _on_cut(self, layout: SpectrumLayout, at: QPointF) -> bool:
        if layout.cut_grip(self._cut)[0].adjusted(-2, -2, 2, 2).contains(at):
            return True
        frame = layout.frame
        return (
            abs(at.x() - layout.cut_x(self._cut)) <= _REACH
            and frame.top <= at.y() <= frame.top + frame.height
        )

    def _request(self, cut: int) -> None:
        last = self._bars.last_cut if self._bars is not None else 1
        cut = max(1, min(cut, max(last, self._cut)))
        if cut != self._cut:
            self._cut = cut
            self.components_requested.emit(cut)
            self.update()

    def _let_go(self) -> None:
        moving, self._moving = self._moving, False
        self._grabbed = self._press = None
        if moving:
            # The axis was fixed during the drag; now it may fit the bars again.
            if self._bars is not None:
                self._slots = max(self._bars.last_slot, self._cut)
            self.cut_released.emit()
            self.update()

    def _cancel_drag(self) -> None:
        if self._moving:
            self._request(self._cut_before)
        self._let_go()

    # Bars

    def _bar_under(self, at: QPointF) -> int | None:
        layout = self.plan()
        if layout is None or not layout.frame.contains(at.x(), at.y()):
            return None
        return layout.bars.bar_at(round(layout.slot_at(at.x())))

    def _click(self, bar: int | None) -> None:
        if bar is None or self._bars is None:
            return
        component = int(self._bars.components[bar])
        # A component that was not computed has no scores to put on an axis.
        if component < self._bars.kept:
            self.component_clicked.emit(component)

    def _set_hovered(self, bar: int | None) -> None:
        if bar != self._hovered:
            self._hovered = bar
            self._show_bar_label()

    def _focus_bar(self, bar: int) -> None:
        if self._bars is not None:
            self._focused = max(0, min(bar, len(self._bars.values) - 1))
            self._hovered = None
            self._show_bar_label()

    def _show_bar_label(self) -> None:
        bar = self._focused if self._hovered is None else self._hovered
        layout = None if bar is None or self._moving else self.plan()
        if bar is None or layout is None:
            self.show_label(None)
            return
        rect = layout.bar_rects()[bar]
        at = QPointF(rect.center().x(), max(rect.top(), layout.frame.top))
        self.show_label(at, bar_text(layout.bars, bar))

    def _first_focus(self) -> int:
        # The first bar on an axis; `argmax` of none is 0.
        return 0 if self._bars is None else int(self._bars.on_axes.argmax())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        layout = self.plan()
        if event.button() != Qt.MouseButton.LeftButton or layout is None:
            event.ignore()
            return
        at = event.position()
        self._focused = None
        self._press = at
        if self._on_cut(layout, at):
            self._grabbed = at.x() - layout.cut_x(self._cut)
            self._cut_before = self._cut

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        layout, at = self.plan(), event.position()
        if layout is None:
            return
        if self._press is not None and self._grabbed is not None:
            away = (at - self._press).manhattanLength()
            if not self._moving and away < _DRAG_DISTANCE:
                return
            self._moving = True
            self._set_hovered(None)
            self.show_label(None)
            self._request(round(layout.slot_at(at.x() - self._grabbed) - 0.5))
            return
        bar = self._bar_under(at)
        if self._on_cut(layout, at):
            self.setCursor(Qt.CursorShape.SplitHCursor)
        elif bar is not None and layout.bars.components[bar] < layout.bars.kept:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        else:
            self.unsetCursor()
        self._set_hovered(bar)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self._press is None:
            return
        press, moving = self._press, self._moving
        self._let_go()
        if not moving and (event.position() - press).manhattanLength() < 4:
            self._click(self._bar_under(press))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if self._bars is None:
            event.ignore()
        elif key == Qt.Key.Key_Escape and self._moving:
            self._cancel_drag()
        elif key in steps and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            before = self._cut
            self._request(self._cut + steps[Qt.Key(key)])
            if self._cut != before:
                self.cut_released.emit()
        elif key in steps:
            start = self._focused
            step = steps[Qt.Key(key)]
            self._focus_bar(self._first_focus() if start is None else start + step)
        elif key == Qt.Key.Key_Home:
            self._focus_bar(0)
        elif key == Qt.Key.Key_End:
            self._focus_bar(len(self._bars.values) - 1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._focused is not None:
            self._click(self._focused)
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in _BY_TAB and self._bars is not None:
            self._focus_bar(self._first_focus())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focused = None
        self._show_bar_label()

    def leaveEvent(self, event: QEvent) -> None:
        self._set_hovered(None)
        event.accept()

    def hideEvent(self, event: QHideEvent) -> None:
        self._cancel_drag()
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_bar_label()
