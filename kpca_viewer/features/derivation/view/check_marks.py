"""CheckMarks: what must hold of a step, measured, with a tick or a cross."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from kpca_viewer.features.derivation.checks import Check
from kpca_viewer.features.derivation.view.line_text import line_text

_MARKS = {True: "✓", False: "✗", None: "–"}
"""Of what holds, what does not, and what cannot be told."""

_UNBROKEN = "\u00a0"


class CheckMarks(QWidget):
    """A line for every check; those of all components share one."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName("Checks of this step")
        self._name = name
        self._labels: list[QLabel] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self.hide()

    def show_checks(self, checks: Sequence[Check]) -> None:
        """Show what was measured; nothing where there is nothing to check."""
        lines = check_lines(checks)
        while len(self._labels) < len(lines):
            label = line_text(f"{self._name}_{len(self._labels) + 1}")
            self._labels.append(label)
            self._column.addWidget(label)
        for label, (text, fails) in zip(self._labels, lines, strict=False):
            if label.text() != text:
                label.setText(text)
            role = "error" if fails else "caption"
            if label.property("role") != role:
                label.setProperty("role", role)
                label.style().unpolish(label)
                label.style().polish(label)
        for index, label in enumerate(self._labels):
            label.setVisible(index < len(lines))
        self.setVisible(bool(lines))

    def texts(self) -> list[str]:
        shown = [label.text() for label in self._labels if not label.isHidden()]
        return [text.replace(_UNBROKEN, " ") for text in shown]


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
        text = "   ".join(whole)
        fails = any(check.holds is False for check in of_components)
        lines.append((text, fails))
    return lines


def check_text(check: Check) -> str:
    """Return a check in one line: "✓ K̃·1 = 0: largest row sum 0"."""
    return f"{_MARKS[check.holds]} {check.text}: {check.measured}"
