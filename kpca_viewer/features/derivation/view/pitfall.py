"""Pitfall: a switch that forgets a step, and the sentence that says what it breaks."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.features.derivation.view.line_text import line_text, show_text
from kpca_viewer.features.derivation.view.shown import PitfallState
from kpca_viewer.widgets.controls import Switch


class Pitfall(QWidget):
    """One step that a class may forget.

    Parameters
    ----------
    key : str
        A field of `AnalysisSettings`, true where the step is done.
    """

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
        blocked = self.switch.blockSignals(True)
        self.switch.setChecked(not state.done)
        self.switch.blockSignals(blocked)
        self.switch.setEnabled(state.possible)
        show_text(self.words, "" if state.done else state.words)

    def _on_toggled(self, forgotten: bool) -> None:
        self.requested.emit(self.key, not forgotten)
