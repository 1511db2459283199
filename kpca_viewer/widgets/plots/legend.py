"""Which colour and shape means what: classes that can be hidden, or a scale."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QWidget

from kpca_viewer.widgets.controls.buttons import STEPS
from kpca_viewer.widgets.plots.legend_parts import (
    LegendEntry,
    LegendScale,
    line_height,
)
from kpca_viewer.widgets.plots.sprites import Palette
from kpca_viewer.widgets.plots.text import elided_apart, plot_font, type_scale
from kpca_viewer.widgets.theme import LIGHT, Theme

UNLABELLED, OTHER = -1, -2
"""Codes of the entries of rows without a class, and of all rare classes together."""

LINES_ABOVE = 3
"""Lines of a legend above a plot; one with more has a column of its own."""

_WIDEST = 180
"""Pixels of an entry, where all of them whole would need too many lines."""


class Legend(QWidget):
    """Names the colours of the points.

    A click hides or shows a class, a double-click isolates it or brings all back.
    Arrow keys walk, Space is a click, Enter a double-click. Setters never emit.
    """

    hidden_changed = Signal(object)
    """The set of codes of hidden classes."""
    classes_hovered = Signal(object)
    """The set of codes of the entry under the pointer, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("legend")
        self.setAccessibleName("Legend")
        self._names: tuple[str, ...] = ()
        self._entries: list[LegendEntry] = []
        self._members: dict[int, frozenset[int]] = {}
        self._hovered: int | None = None
        self._hidden: frozenset[int] = frozenset()
        # What was hidden before the click that may begin a double-click.
        self._before: frozenset[int] = frozenset()
        self._most_lines = LINES_ABOVE
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
        others: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        """Show classes; what was hidden stays so while the names are the same.

        Names are plain text, by class code; rows that are ``unlabelled`` have the code
        -1; of ``shapes`` that mean something else there are so many: they do not tell
        classes apart then; ``drawn`` are the classes that have rows, by default all;
        ``others`` share one entry, with their numbers of rows.
        """
        known = [code for code in range(len(names)) if drawn is None or code in drawn]
        members = {code: frozenset({code}) for code in known if code not in others}
        shown = [names[code] for code in members]
        rare = sorted(set(known) & set(others), key=lambda code: -others[code])
        if rare:
            members[OTHER] = frozenset(rare)
            shown.append(f"other ({len(rare)} classes)")
        if unlabelled:
            members[UNLABELLED] = frozenset({UNLABELLED})
            shown.append("no label")
        if tuple(shown) != self._names or members != self._members:
            self._hidden = frozenset()
            self._make_entries(members, shown)
        palette = Palette.of("class", len(names), theme, shapes, others)
        for entry in self._entries:
            entry.dress(theme, palette, min(members[entry.code]))
            if entry.code == OTHER:
                lines = [f"{names[code]}: {others[code]:,}" for code in rare]
                entry.set_about(lines)
        self._show(self._area)

    def set_continuous(self, name: str, ends: tuple[str, str], theme: Theme) -> None:
        self._forget_classes()
        self._scale.show_scale(name, ends, theme)
        self._show(self._scale)

    def set_single(self, theme: Theme) -> None:
        self._forget_classes()
        self._show(None)

    def set_most_lines(self, count: int) -> None:
        """Scroll beyond so many lines; one that may have many takes what is free."""
        if count == self._most_lines:
            return
        self._most_lines = count
        policy = self.sizePolicy()
        policies = QSizePolicy.Policy
        policy.setVerticalPolicy(
            policies.Fixed if self._is_above else policies.Preferred
        )
        self.setSizePolicy(policy)
        self.updateGeometry()

    @property
    def _is_above(self) -> bool:
        return self._most_lines <= LINES_ABOVE

    def set_hidden(self, codes: Iterable[int]) -> None:
        self._hidden = frozenset(codes) & self._all
        for entry in self._entries:
            entry.set_shown(not self._members[entry.code] <= self._hidden)

    @property
    def _all(self) -> frozenset[int]:
        return frozenset().union(*self._members.values())

    @property
    def codes(self) -> list[int]:
        return [entry.code for entry in self._entries]

    @property
    def hidden(self) -> set[int]:
        return set(self._hidden)

    @property
    def line_count(self) -> int:
        return self._panel.height() // line_height() if self._entries else 0

    def _make_entries(
        self, members: dict[int, frozenset[int]], names: Sequence[str]
    ) -> None:
        for entry in self._entries:
            entry.hide()
            entry.setParent(None)
            entry.deleteLater()
        self._names, self._members = tuple(names), members
        self._hovered = None
        self._entries = [
            LegendEntry(code, name, self._panel)
            for code, name in zip(members, names, strict=True)
        ]
        for entry in self._entries:
            entry.clicked.connect(self._on_entry_clicked)
            entry.double_clicked.connect(self._on_entry_double_clicked)
            entry.key_pressed.connect(self._on_entry_key_pressed)
            entry.hovered.connect(self._on_entry_hovered)
            entry.show()
        self._let_tab_reach(0)

    def _forget_classes(self) -> None:
        self._hidden = frozenset()
        self._make_entries({}, ())

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
        places = self._places(width)
        room = LegendEntry.text_room(max((r.width() for r in places), default=0))
        texts = elided_apart([e.name for e in self._entries], plot_font(), room)
        for entry, rect, text in zip(self._entries, places, texts, strict=True):
            entry.text = text
            entry.setGeometry(rect)

    def _places(self, width: int) -> list[QRect]:
        whole = self._flowed(width, width)
        if not whole or whole[-1].bottom() < self._most_lines * line_height():
            return whole
        return self._flowed(width, min(round(_WIDEST * type_scale()), width))

    def _flowed(self, width: int, widest: int) -> list[QRect]:
        places, at = [], QPoint(0, 0)
        for entry in self._entries:
            wide = min(entry.sizeHint().width(), max(widest, 1))
            if at.x() and at.x() + wide > width:
                at = QPoint(0, at.y() + line_height())
            places.append(QRect(at, QSize(wide, line_height())))
            at += QPoint(wide, 0)
        return places

    def _flow(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def _apply(self, hidden: frozenset[int]) -> None:
        if hidden != self._hidden:
            self.set_hidden(hidden)
            self.hidden_changed.emit(self.hidden)
            if self._hovered is not None:
                # What is hidden under the pointer must not fade all others.
                self._on_entry_hovered(self._hovered)

    def _on_entry_clicked(self, code: int) -> None:
        self._before, members = self._hidden, self._members[code]
        gone = members <= self._hidden
        self._apply(self._hidden - members if gone else self._hidden | members)

    def _on_entry_hovered(self, code: int | None) -> None:
        self._hovered = code
        classes = None if code is None else self._members[code] - self._hidden
        self.classes_hovered.emit(classes or None)

    def _on_entry_double_clicked(self, code: int) -> None:
        others = self._all - self._members[code]
        # Again on the only class that is left: everything comes back.
        self._apply(frozenset() if self._before == others else others)

    def _on_entry_key_pressed(self, code: int, event: QKeyEvent) -> None:
        key = event.key()
        if key in STEPS:
            codes = [entry.code for entry in self._entries]
            at = codes.index(code) + STEPS[Qt.Key(key)]
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
        # The name of a scale may need a line of its own in the width that there is.
        width = 320 if self._entries and self.hasHeightForWidth() else self.width()
        return QSize(320, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        if self._entries:
            return QSize(80, line_height())
        height = self._scale.needed_height(self.width())
        return QSize(80, height) if self._scale.isVisibleTo(self) else QSize(0, 0)

    def hasHeightForWidth(self) -> bool:
        # A layout takes that height for the least one; in a column, entries scroll.
        return not self._entries or self._is_above

    def heightForWidth(self, width: int) -> int:
        if self._entries:
            return min(self._flow(width), self._most_lines * line_height())
        if not self._scale.isVisibleTo(self):
            return 0
        return self._scale.needed_height(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()
        if self._hovered is not None:
            # Entries that move away from the pointer are not left by it.
            self._on_entry_hovered(None)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()
