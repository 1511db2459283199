"""Which colour and shape means what: classes that can be hidden, or a scale."""

import math
from collections.abc import Collection, Iterable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.plots.legend_parts import (
    LegendEntry,
    LegendScale,
    line_height,
    scale_height,
)
from kpca_viewer.widgets.plots.sprites import SHAPE_COUNT, Palette, shape_path
from kpca_viewer.widgets.plots.text import (
    draw_text,
    elided,
    plot_font,
    text_width,
    type_scale,
)
from kpca_viewer.widgets.theme import LIGHT, Theme

_PAD, _SWATCH = 8.0, 9.0


class ShapeLegend(QWidget):
    """Names the shapes of the points; hidden where they mean nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("shape_legend")
        self._title = ""
        self._names: tuple[str, ...] = ()
        self._theme = LIGHT
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.hide()

    @property
    def names(self) -> tuple[str, ...]:
        """What the shapes stand for, the first one first; "" for those left out."""
        return self._names

    def show_shapes(self, title: str, names: tuple[str, ...], theme: Theme) -> None:
        """Say what the shapes mean; nothing for no names."""
        self._title, self._names, self._theme = title, names, theme
        text = f"Shape by {title}: {', '.join(filter(None, self._entries()))}"
        self.setAccessibleName(text)
        self.setToolTip(plain_tip(text))
        self.setVisible(bool(names))
        self.updateGeometry()
        self.update()

    def _entries(self) -> list[str]:
        """Return what stands at each shape; more categories share the shapes."""
        return [
            ", ".join(
                " ".join(name.split()) for name in self._names[k::SHAPE_COUNT] if name
            )
            for k in range(min(len(self._names), SHAPE_COUNT))
        ]

    def sizeHint(self) -> QSize:
        return QSize(80, line_height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw title, shapes and names, as many as there is room for."""
        theme, font = self._theme, plot_font()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(font)
            middle, x = self.height() / 2, _PAD
            room = max(self.width() - 2 * _PAD, 0.0)
            title = elided(f"{self._title}:", font, min(room / 3, 140 * type_scale()))
            painter.setPen(QColor(theme.muted))
            draw_text(painter, QPointF(x, middle), title, 0.0, 0.5)
            x += text_width(title, font) + _PAD
            for shape, name in enumerate(self._entries()):
                if not name:
                    continue
                left = self.width() - _PAD - x - _SWATCH - _PAD / 2
                if left < _SWATCH:
                    break
                text = elided(name, font, min(left, 120 * type_scale()))
                path = shape_path(shape, _SWATCH / 2).translated(
                    x + _SWATCH / 2, middle
                )
                painter.fillPath(path, QColor(theme.muted))
                painter.setPen(QColor(theme.text))
                x += _SWATCH + _PAD / 2
                draw_text(painter, QPointF(x, middle), text, 0.0, 0.5)
                x += math.ceil(text_width(text, font)) + 2 * _PAD


UNLABELLED = -1
"""The code of rows without a class."""

_MOST_LINES = 3
_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Down: 1,
}


class Legend(QWidget):
    """Names the colours of the points.

    A click hides or shows a class, a double-click isolates it or brings all back.
    Arrow keys walk, Space is a click, Enter a double-click. Setters never emit.
    """

    hidden_changed = Signal(object)
    """The set of codes of hidden classes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("legend")
        self.setAccessibleName("Legend")
        self._names: tuple[str, ...] = ()
        self._entries: list[LegendEntry] = []
        self._hidden: frozenset[int] = frozenset()
        # What was hidden before the click that may begin a double-click.
        self._before: frozenset[int] = frozenset()
        # Placed by hand: a layout would answer for the height instead of this class.
        self._panel = QWidget()
        self._area = QScrollArea(self)
        self._area.setWidget(self._panel)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        never = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self._area.setHorizontalScrollBarPolicy(never)
        self._area.viewport().setAutoFillBackground(False)
        self._panel.setAutoFillBackground(False)
        self._scale = LegendScale(self)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_single(LIGHT)

    def set_classes(
        self,
        names: Sequence[str],
        theme: Theme,
        *,
        unlabelled: bool = False,
        shapes: int = 0,
        drawn: Collection[int] | None = None,
    ) -> None:
        """Show classes; what was hidden stays so while the names are the same.

        Parameters
        ----------
        names : sequence of str
            Plain text, by class code.
        unlabelled : bool
            Whether there are rows without a class, which get the code -1.
        shapes : int
            How many shapes mean something else; they do not tell classes apart then.
        drawn : collection of int, optional
            Codes of the classes that have rows; all of them by default.
        """
        codes = [code for code in range(len(names)) if drawn is None or code in drawn]
        shown = tuple(names[code] for code in codes)
        if unlabelled:
            codes, shown = [*codes, UNLABELLED], (*shown, "no label")
        if shown != self._names or codes != self.codes:
            self._hidden = frozenset()
            self._make_entries(codes, shown)
        palette = Palette.of("class", len(names), theme, shapes)
        for entry in self._entries:
            entry.dress(theme, palette)
        self._show(self._area)

    def set_continuous(self, name: str, low: float, high: float, theme: Theme) -> None:
        """Show a scale of numbers from ``low`` to ``high``."""
        self._forget_classes()
        self._scale.show_scale(name, low, high, theme)
        self._show(self._scale)

    def set_single(self, theme: Theme) -> None:
        self._forget_classes()
        self._show(None)

    def set_hidden(self, codes: Iterable[int]) -> None:
        """Show these classes as hidden."""
        self._hidden = frozenset(codes) & set(self.codes)
        for entry in self._entries:
            entry.set_shown(entry.code not in self._hidden)

    @property
    def codes(self) -> list[int]:
        return [entry.code for entry in self._entries]

    @property
    def hidden(self) -> set[int]:
        return set(self._hidden)

    @property
    def line_count(self) -> int:
        """Number of lines that the classes take, seen or not."""
        return self._panel.height() // line_height() if self._entries else 0

    def _make_entries(self, codes: Sequence[int], names: Sequence[str]) -> None:
        for entry in self._entries:
            entry.hide()
            entry.setParent(None)
            entry.deleteLater()
        self._names = tuple(names)
        self._entries = [
            LegendEntry(code, name, self._panel)
            for code, name in zip(codes, names, strict=True)
        ]
        for entry in self._entries:
            entry.clicked.connect(self._on_entry_clicked)
            entry.double_clicked.connect(self._on_entry_double_clicked)
            entry.key_pressed.connect(self._on_entry_key_pressed)
            entry.show()
        self._let_tab_reach(0)

    def _forget_classes(self) -> None:
        self._hidden = frozenset()
        self._make_entries((), ())

    def _show(self, content: QWidget | None) -> None:
        for widget in (self._area, self._scale):
            widget.setVisible(widget is content)
        self._arrange()
        self.updateGeometry()

    def _arrange(self) -> None:
        self._area.setGeometry(self.rect())
        self._scale.setGeometry(self.rect())
        width = self._area.width()
        height = self._flow(width)
        if height > max(self.height(), line_height()):
            # The scroll bar takes its place from the names.
            width -= self._area.verticalScrollBar().sizeHint().width()
            height = self._flow(width)
        self._panel.resize(max(width, 1), max(height, 1))
        for entry, rect in zip(self._entries, self._places(width), strict=True):
            entry.setGeometry(rect)

    def _places(self, width: int) -> list[QRect]:
        """Return where the entries stand in lines of some width."""
        places, at = [], QPoint(0, 0)
        for entry in self._entries:
            hint = entry.sizeHint()
            wide = min(hint.width(), max(width, 1))
            if at.x() and at.x() + wide > width:
                at = QPoint(0, at.y() + line_height())
            places.append(QRect(at, QSize(wide, line_height())))
            at += QPoint(wide, 0)
        return places

    def _flow(self, width: int) -> int:
        """Return the height that all lines need together."""
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def _apply(self, hidden: frozenset[int]) -> None:
        if hidden != self._hidden:
            self.set_hidden(hidden)
            self.hidden_changed.emit(self.hidden)

    def _on_entry_clicked(self, code: int) -> None:
        self._before = self._hidden
        self._apply(self._hidden ^ {code})

    def _on_entry_double_clicked(self, code: int) -> None:
        others = frozenset(e.code for e in self._entries if e.code != code)
        # Again on the only class that is left: everything comes back.
        self._apply(frozenset() if self._before == others else others)

    def _on_entry_key_pressed(self, code: int, event: QKeyEvent) -> None:
        key = event.key()
        if key in _STEPS:
            codes = [entry.code for entry in self._entries]
            at = codes.index(code) + _STEPS[Qt.Key(key)]
            at = min(max(at, 0), len(codes) - 1)
            self._let_tab_reach(at)
            self._entries[at].setFocus(Qt.FocusReason.OtherFocusReason)
            self._area.ensureWidgetVisible(self._entries[at], 0, 0)
        elif key == Qt.Key.Key_Space:
            self._on_entry_clicked(code)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._before = self._hidden
            self._on_entry_double_clicked(code)
        else:
            return
        event.accept()

    def _let_tab_reach(self, index: int) -> None:
        """Make one entry the stop of the Tab key: forty stops would be a trap."""
        for place, entry in enumerate(self._entries):
            entry.setFocusPolicy(
                Qt.FocusPolicy.StrongFocus
                if place == index
                else Qt.FocusPolicy.ClickFocus
            )

    def sizeHint(self) -> QSize:
        width = 320
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        if self._entries:
            return QSize(80, line_height())
        return (
            QSize(80, scale_height()) if self._scale.isVisibleTo(self) else QSize(0, 0)
        )

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        if self._entries:
            return min(self._flow(width), _MOST_LINES * line_height())
        return scale_height() if self._scale.isVisibleTo(self) else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
