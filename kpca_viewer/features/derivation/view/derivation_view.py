"""DerivationView: the page of the derivation, on the screen and on paper."""

from collections.abc import Collection

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QStackedLayout, QWidget

from kpca_viewer.features.derivation.view.copying import Copying
from kpca_viewer.features.derivation.view.derivation_body import DerivationBody
from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.sheet import SheetLine, paint_sheet
from kpca_viewer.features.derivation.view.shown import ShownDerivation
from kpca_viewer.widgets.theme import LIGHT, Theme


class DerivationView(QWidget):
    """Every step of kernel PCA; its widgets are made when somebody turns to it.

    Setters never emit.
    """

    rows_pointed = Signal(object, object)
    """Rows of the data under the mouse: one, a pair, or twice None."""
    points_requested = Signal(object, object)
    """Where the person wants all new points, and the gesture or None."""
    point_requested = Signal()
    """One more new point."""
    pitfall_requested = Signal(str, bool)
    """A field of `AnalysisSettings`, and its value."""
    refused = Signal(str)
    """Why a text that was typed is not taken."""
    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("derivation_view")
        self.setAccessibleName("Derivation")
        self._theme = LIGHT
        self._folded: tuple[str, ...] = ()
        self._body: DerivationBody | None = None
        self.copying = Copying(self)
        self.copying.copied.connect(self.text_copied)
        self._empty = QLabel("No derivation yet")
        self._empty.setObjectName("derivation_empty")
        self._empty.setProperty("role", "muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self._empty)

    @property
    def body(self) -> DerivationBody | None:
        """The steps; None before there is anything to show."""
        return self._body

    @property
    def shown(self) -> ShownDerivation | None:
        """What is shown; None before there is anything."""
        return None if self._body is None else self._body.shown

    def show_derivation(self, shown: ShownDerivation) -> None:
        """Show other numbers, with what is said about them."""
        if self._body is None:
            self._body = self._new_body()
        self.copying.derivation = shown.content.derivation
        self._body.show_derivation(shown)

    def _new_body(self) -> DerivationBody:
        body = DerivationBody()
        body.set_folded(self._folded)
        body.set_theme(self._theme)
        body.rows_pointed.connect(self.rows_pointed)
        body.points_requested.connect(self.points_requested)
        body.point_requested.connect(self.point_requested)
        body.pitfall_requested.connect(self.pitfall_requested)
        body.refused.connect(self.refused)
        body.menu_requested.connect(self._on_menu_requested)
        self._stack.addWidget(body)
        self._stack.setCurrentWidget(body)
        self.setFocusProxy(body.scrolled)
        return body

    def mark_rows(self, row: int | None, partner: int | None) -> None:
        """Mark rows of the data, which are pointed at anywhere."""
        if self._body is not None:
            self._body.mark_rows(row, partner)

    def let_go(self) -> bool:
        """Forget what is kept until Escape; returns whether there was anything."""
        return self._body is not None and self._body.asking.let_go()

    def folded(self) -> tuple[str, ...]:
        """Return the keys of the lines that are folded away."""
        return self._folded if self._body is None else self._body.steps.folded()

    def set_folded(self, keys: Collection[str]) -> None:
        """Fold these lines away and open the others."""
        self._folded = tuple(keys)
        if self._body is not None:
            self._body.set_folded(keys)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        self._theme = theme
        self.update()
        if self._body is not None:
            self._body.set_theme(theme)

    def printed(self) -> list[SheetLine]:
        """Return the steps as they are printed; none before there is anything."""
        return [] if self._body is None else self._body.printed()

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        """Paint all steps, as they are folded, into a rectangle of any device."""
        painter.save()
        painter.setClipRect(rect)
        if background:
            painter.fillRect(rect, QColor(self._theme.card))
        paint_sheet(painter, rect, self._theme, self.printed())
        painter.restore()

    def _on_menu_requested(
        self, position: QPoint, line: str | None, grid: MatrixGrid | None
    ) -> None:
        self.copying.menu(line, grid).popup(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._theme.card))
