"""StepLine: one step of the derivation, with its formula and its numbers."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout

from kpca_viewer.features.derivation.view.check_marks import CheckMarks
from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.line_text import line_text, show_text
from kpca_viewer.features.derivation.view.lines import LineFacts
from kpca_viewer.features.derivation.view.pitfall import Pitfall
from kpca_viewer.widgets.controls import Fold, FormulaLabel
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.theme import Theme

GAP = 24
"""Pixels between two grids."""

LEAST_WORDS = 230
"""Pixels in width below which sentences stand below the numbers."""


class StepLine(Fold):
    """A fold whose title has a formula beside it.

    Parameters
    ----------
    facts : LineFacts
    number : int
        From 1.
    grids : sequence of sequences of str
        Keys of the grids, those that stand beside each other together.
    pitfall : Pitfall, optional
        What can be forgotten here.
    """

    _role = "card"

    def __init__(
        self,
        facts: LineFacts,
        number: int,
        grids: Sequence[Sequence[str]] = (),
        pitfall: Pitfall | None = None,
    ) -> None:
        super().__init__(f"{number}  {facts.title}", what="the numbers of this step")
        self.facts = self._as_centred = facts
        self._number = number
        self.setObjectName(f"derivation_{facts.key}_line")
        self.header.setObjectName(f"derivation_{facts.key}_header")
        self.formula = FormulaLabel()
        self.formula.setObjectName(f"derivation_{facts.key}_formula")
        self._put_formula_beside()
        self._rows.setContentsMargins(24, 0, 8, 8)
        self._numbers = QVBoxLayout()
        self._numbers.setSpacing(8)
        self._words = QVBoxLayout()
        self._words.setSpacing(6)
        self._halves = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._halves.setSpacing(8)
        self._halves.addLayout(self._numbers)
        self._halves.addLayout(self._words, 1)
        self.add(self._halves)
        self.grids: dict[str, MatrixGrid] = {}
        self.rows_of_grids: list[tuple[str, ...]] = []
        for keys in grids:
            self.add_grids(keys)
        self.note = line_text(f"derivation_{facts.key}_note")
        self.checks = CheckMarks(f"derivation_{facts.key}_checks")
        self.pitfall = pitfall
        for part in (self.note, self.checks, pitfall):
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
        """Put new grids beside each other, below what is there."""
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
        """Put the words beside the numbers where there is room, else below.

        Parameters
        ----------
        room : float
            Pixels in width for both.
        """
        beside = self.numbers_width() + LEAST_WORDS * type_scale() <= room
        way = QBoxLayout.Direction
        self._halves.setDirection(way.LeftToRight if beside else way.TopToBottom)
        self._halves.setSpacing(24 if beside else 8)
        # Numbers may be wider than the page and scroll; what is read must not.
        words = room - (self.numbers_width() + 24 if beside else 0)
        for part in (self.note, self.checks, self.pitfall):
            if part is not None:
                part.setMaximumWidth(max(round(words), 40))

    def numbers_width(self) -> int:
        """Return the pixels that the numbers need in width."""
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
        self.formula.setToolTip(f"{self.facts.plain}\n{self.facts.about}")

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

    def set_note(self, text: str) -> None:
        """Say something about the numbers; no text takes it away."""
        show_text(self.note, text)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme, and the type of now."""
        for grid in self.grids.values():
            grid.set_theme(theme)
