"""The card of the selection: how many rows, what tells them apart, what to do."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout

from kpca_viewer.features.selection import text
from kpca_viewer.features.selection.compute import SelectionSummary
from kpca_viewer.widgets.controls import ElidedLabel
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.docked_card import FittingCard
from kpca_viewer.widgets.plots.text import elided_apart, text_width

BUTTONS = {
    "name_group": "Name",
    "exclude_rows": "Exclude",
    "only_rows": "Only",
    "export_selection": "Export",
}
"""What stands on the buttons, by the keys of their actions."""


MARGINS = 14
"""Pixels beside the lines."""

EFFECT = " +0.00 sd"
"""What stands behind the name of a column."""


class SelectionCard(FittingCard):
    """Stands beside the stage, or in a corner of it, while rows are selected."""

    def __init__(self, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self.setObjectName("selection_card")
        self.setProperty("role", "note")
        self.setAccessibleName("Selection")
        self._title = ElidedLabel()
        self._title.setObjectName("selection_title")
        self._title.setProperty("role", "title")
        self._lines = QVBoxLayout()
        self._lines.setSpacing(1)
        self._labels = [self._new_label()]
        self._found: SelectionSummary | None = None
        self._most: int | None = None
        buttons = QGridLayout()
        buttons.setSpacing(0)
        for place, (key, name) in enumerate(BUTTONS.items()):
            button = QPushButton(name)
            button.setObjectName(f"{key}_button")
            button.setProperty("role", "link")
            button.setToolTip(actions[key].toolTip())
            button.clicked.connect(actions[key].trigger)
            buttons.addWidget(button, place // 2, place % 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.setSpacing(2)
        layout.addWidget(self._title)
        layout.addLayout(self._lines)
        layout.addLayout(buttons)
        self.hide()

    def show_summary(self, found: SelectionSummary | None) -> None:
        """Show what is selected; None hides the card."""
        self.setVisible(found is not None)
        if found is None:
            return
        self._title.set_text(text.title(found))
        self._found = found
        self._show_lines()

    def lines(self) -> list[str]:
        return [label.text() for label in self._labels if not label.isHidden()]

    def fit_height(self, most: int | None) -> None:
        if most != self._most:
            self._most = most
            self._show_lines()

    def _show_lines(self) -> None:
        """Show as many lines as there is room for; all of them are in the tooltip."""
        if self._found is None:
            return
        said = text.lines(self._found, self._shortened)
        while len(self._labels) < len(said):
            self._labels.append(self._new_label())
        count = len(said)
        if self._most is not None:
            shown = sum(not label.isHidden() for label in self._labels)
            line = self._labels[0].sizeHint().height() + self._lines.spacing()
            bare = self.sizeHint().height() - shown * line
            count = min(count, max((self._most - bare) // line, 0))
        for index, label in enumerate(self._labels):
            label.setVisible(index < count)
            if index < count:
                label.set_text(said[index])
        self.setToolTip(plain_tip("\n".join([*text.lines(self._found), text.ABOUT])))

    def _new_label(self) -> ElidedLabel:
        label = ElidedLabel(cut=Qt.TextElideMode.ElideMiddle)
        label.setProperty("role", "caption")
        self._lines.addWidget(label)
        label.ensurePolished()
        return label

    def _shortened(self, names: Sequence[str]) -> Sequence[str]:
        font = self._labels[0].font()
        room = self.contentsRect().width() - MARGINS
        return elided_apart(names, font, room - text_width(EFFECT, font))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_lines()
