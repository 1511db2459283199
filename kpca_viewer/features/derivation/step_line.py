"""StepLine: one step of the derivation, with formula, numbers, checks, pitfall."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.features.derivation import text
from kpca_viewer.features.derivation.checks import Check
from kpca_viewer.features.derivation.content import PitfallState
from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.text import LineFacts
from kpca_viewer.widgets.controls import Fold, FormulaLabel, Switch
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.plots.text import type_scale


def line_text(name: str, role: str = "caption") -> QLabel:
    return plain_label(name, role, selectable=True)


def show_text(label: QLabel, text: str) -> None:
    """Show a sentence, or hide the label; the same text keeps its selection."""
    if label.text() != text:
        label.setText(text)
    label.setVisible(bool(text))


_MARKS = {True: "✓", False: "✗", None: "–"}
"""Of what holds, what does not, and what cannot be told."""

_UNBROKEN = "\u00a0"


def check_lines(checks: Sequence[Check]) -> list[tuple[str, bool]]:
    """Return the lines of some checks, each with whether anything in it fails."""
    lines = [
        (check_text(check), check.holds is False)
        for check in checks
        if check.component is None
    ]
    of_components = [check for check in checks if check.component is not None]
    if of_components:
        # A line breaks between two of them, not inside.
        whole = (check_text(check).replace(" ", _UNBROKEN) for check in of_components)
        fails = any(check.holds is False for check in of_components)
        lines.append(("   ".join(whole), fails))
    return lines


def check_text(check: Check) -> str:
    """Return a check in one line: "✓ K̃·1 = 0: largest row sum 0"."""
    return f"{_MARKS[check.holds]} {check.text}: {check.measured}"


class Pitfall(QWidget):
    """One step that can be forgotten."""

    requested = Signal(str, bool)
    """The key, and whether the step is to be done."""

    def __init__(
        self, key: str, text: str, tip: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.key = key
        self.switch = Switch(text)
        self.switch.setObjectName(f"derivation_{key}_switch")
        self.switch.setToolTip(tip)
        self.switch.toggled.connect(self._on_toggled)
        self.words = line_text(f"derivation_{key}_words", "error")
        self.words.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.switch)
        column.addWidget(self.words)

    def show_state(self, state: PitfallState) -> None:
        """Show whether the step is done, and what is broken if not. Emits nothing."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(not state.done)
        self.switch.setEnabled(state.possible)
        show_text(self.words, "" if state.done else state.words)

    def _on_toggled(self, forgotten: bool) -> None:
        self.requested.emit(self.key, not forgotten)


GAP = 24
"""Pixels between two grids."""

LEAST_WORDS = 230
"""Pixels in width below which sentences stand below the numbers."""


class StepLine(Fold):
    """A fold whose title has a formula beside it."""

    _role = "card"

    def __init__(
        self,
        facts: LineFacts,
        number: int,
        grids: Sequence[Sequence[str]] = (),
        pitfall: Pitfall | None = None,
    ) -> None:
        super().__init__(f"{number}  {facts.title}", what=text.FOLD)
        self.facts = self._as_centred = facts
        self._number = number
        self._more = ""
        self.setObjectName(f"derivation_{facts.key}_line")
        self.header.setObjectName(f"derivation_{facts.key}_header")
        self.formula = FormulaLabel()
        self.formula.setObjectName(f"derivation_{facts.key}_formula")
        self._put_formula_beside()
        self._rows.setContentsMargins(24, 0, 8, 8)
        self._numbers = QVBoxLayout()
        self._numbers.setSpacing(8)
        self._sheet = QWidget()
        self._words = QVBoxLayout(self._sheet)
        self._words.setContentsMargins(0, 0, 0, 0)
        self._words.setSpacing(6)
        # What is beyond the page, where numbers of another line reach, is left free. By
        # a margin that grows with the line, scroll area and line would resize each
        # other without end.
        left = QHBoxLayout()
        left.addWidget(self._sheet, 1)
        left.addStretch()
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._halves.setSpacing(8)
        self._halves.addLayout(self._numbers)
        self._halves.addLayout(left, 1)
        self.add(self._halves)
        self.grids: dict[str, MatrixGrid] = {}
        self.rows_of_grids: list[tuple[str, ...]] = []
        for keys in grids:
            self.add_grids(keys)
        self.note = line_text(f"derivation_{facts.key}_note")
        self._failed = line_text(f"derivation_{facts.key}_failed", "error")
        self._held = line_text(f"derivation_{facts.key}_checks")
        for label in (self._failed, self._held):
            label.setAccessibleName(text.CHECKS_NAME)
        self.pitfall = pitfall
        for part in (self.note, self._failed, self._held, self.pitfall):
            if part is not None:
                self._words.addWidget(part)
        self._words.addStretch(1)

    def _put_formula_beside(self) -> None:
        layout = self.layout()
        assert isinstance(layout, QVBoxLayout)
        layout.removeWidget(self.header)
        policy = QSizePolicy.Policy
        self.header.setSizePolicy(policy.Fixed, policy.Fixed)
        top = QHBoxLayout()
        top.setSpacing(16)
        top.addWidget(self.header)
        top.addWidget(self.formula, 1)
        layout.insertLayout(0, top)

    def add_grids(self, keys: Sequence[str]) -> None:
        self.rows_of_grids.append(tuple(keys))
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for key in keys:
            name = key.replace(":", "_")
            self.grids[key] = MatrixGrid(f"derivation_{name}_grid")
            row.addWidget(self.grids[key], 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        self._numbers.addLayout(row)

    def place_words(self, room: float) -> None:
        """Put the words beside the numbers if the room (pixels) allows, else below."""
        beside = self.numbers_width() + LEAST_WORDS * type_scale() <= room
        way = QBoxLayout.Direction
        self._halves.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._halves.setSpacing(24 if beside else 8)
        # Numbers may be wider than the page and scroll; what is read must not.
        words = room - (self.numbers_width() + 24 if beside else 0)
        self._sheet.setMaximumWidth(max(round(words), 40))

    def numbers_width(self) -> int:
        return max((self._width_of(keys) for keys in self.rows_of_grids), default=0)

    def _width_of(self, keys: Sequence[str]) -> int:
        shown = [self.grids[key] for key in keys if not self.grids[key].isHidden()]
        return sum(grid.sizeHint().width() + GAP for grid in shown)

    def typeset(self) -> None:
        """Set the formula; the window need not wait for it when it opens."""
        if not self.formula.latex():
            self._typeset()

    def _typeset(self) -> None:
        self.formula.set_formula(self.facts.formula, self.facts.plain)
        self._show_tip()

    def show_more(self, more: str) -> None:
        self._more = more
        self._show_tip()

    def _show_tip(self) -> None:
        lines = self.facts.plain, self.facts.about, self._more
        self.formula.setToolTip("\n".join(filter(None, lines)))

    def set_centred(self, centred: bool) -> None:
        """Write the step for K̃, or for K that is not centred."""
        facts = self._as_centred if centred else self._as_centred.without_centring
        if facts == self.facts:
            return
        self.facts = facts
        title = f"{self._number}  {facts.title}"
        self.header.setText(title)
        self.setAccessibleName(title)
        if self.formula.latex():
            self._typeset()

    def show_note(self, note: str) -> None:
        show_text(self.note, note)

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Show what was measured, those that fail before the others."""
        lines = check_lines(checks)
        for label, fails in ((self._failed, True), (self._held, False)):
            show_text(label, "\n".join(words for words, bad in lines if bad == fails))

    def check_texts(self) -> list[str]:
        shown = "\n".join(filter(None, (self._failed.text(), self._held.text())))
        return shown.replace(_UNBROKEN, " ").splitlines()
