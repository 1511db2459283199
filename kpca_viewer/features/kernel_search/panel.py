"""The panels of the workspace Decide: ranked kernels, and the evidence for one."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.claims.choice import reason
from kpca_viewer.features.kernel_search.curves import (
    ScoreCurve,
    curve_over_components,
    curve_over_values,
)
from kpca_viewer.features.kernel_search.row_list import RowList
from kpca_viewer.features.kernel_search.score_plot import ScorePlot
from kpca_viewer.features.kernel_search.text import (
    BUTTONS,
    CHOOSE_AGAIN,
    CURVES,
    HINT,
    ROW_TIP,
    ChoiceState,
    basis_words,
)
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.controls.behaviour import set_dimmed
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import Shades

PROGRESS_STEPS = 1000


class EvidencePanel(QFrame):
    """Why a row is where it is: a sentence, and its curve with the error band."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("choice_evidence")
        self.setProperty("role", "card")
        self._row: Row | None = None
        self._choice: Choice | None = None
        self._reason = _label("choice_reason_label", "Why this row")
        self._axis = Segmented(CURVES, "What the curve is over")
        self._axis.setObjectName("choice_curve")
        self._axis.value_changed.connect(self._refresh)
        self.plot = ScorePlot("choice_plot", "Score with its error")
        self._notes = _label("choice_notes_label", "What was not compared", "caption")
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(6)
        column.addWidget(self._reason)
        column.addWidget(self._axis, 0, Qt.AlignmentFlag.AlignRight)
        column.addWidget(self.plot, 1)
        column.addWidget(self._notes)
        self._refresh()
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)
        self.plot.updateGeometry()

    def show_row(self, row: Row | None, choice: Choice | None) -> None:
        """Show the evidence for a row; None where nothing was compared."""
        self._row, self._choice = row, choice
        self._refresh()
        self.setVisible(row is not None)

    @Slot()
    def _refresh(self) -> None:
        row, choice = self._row, self._choice
        curves: dict[str, ScoreCurve | None] = {"value": None, "components": None}
        words = notes = ""
        if row is not None and choice is not None:
            curves["value"] = curve_over_values(row, choice)
            curves["components"] = curve_over_components(row, choice)
            words, notes = f"{reason(row, choice)}.", "\n".join(choice.notes)
        known = [curve for curve in curves.values() if curve is not None]
        self._axis.setVisible(len(known) > 1)
        curve = curves[self._axis.value()] or next(iter(known), None)
        self.plot.show_curve(curve)
        self.plot.setVisible(curve is not None)
        self._reason.setText(words)
        self._reason.setVisible(bool(words))
        self._notes.setText(notes)
        self._notes.setVisible(bool(notes))

    def sizeHint(self) -> QSize:
        return QSize(340, 280)


class ChoicePanel(QFrame):
    """The recommendation above ranked kernels; setters emit nothing."""

    start_requested = Signal()
    cancel_requested = Signal()
    row_pointed = Signal(object)
    """The `Row` to be seen on the stage; None gives the picture back."""
    row_adopted = Signal(object)
    """The `Row` to take."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("choice_panel")
        self.setProperty("role", "card")
        self._state = ChoiceState()
        self._pointed = False
        self.table = RowList()
        self.evidence = EvidencePanel()
        self._verdict = _label("choice_words_label", "What to take", "title")
        self._why = _label("choice_why_label", "Why to take it", "caption")
        self._basis = _label(
            "choice_basis_label", "How kernels are compared", "caption"
        )
        self._stage = _label("choice_stage_label", "Stage of the comparison", "muted")
        self._hint = _label("choice_hint_label", "Keys", "caption")
        self._hint.setText(HINT)
        self._hint.setToolTip(ROW_TIP)
        self._bar = QProgressBar()
        self._bar.setObjectName("choice_progress")
        self._bar.setAccessibleName("Progress of the comparison")
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)
        self._start, self._cancel, self._take = (
            _button(f"choice_{key}_button", *texts) for key, texts in BUTTONS.items()
        )
        self._lay_out()
        self._start.clicked.connect(self.start_requested)
        self._cancel.clicked.connect(self.cancel_requested)
        self._take.clicked.connect(self._on_take_clicked)
        self.table.row_pointed.connect(self._on_row_pointed)
        self.table.row_adopted.connect(self._on_row_adopted)
        self.table.currentRowChanged.connect(self._show_current)
        self.show_state(self._state)

    @property
    def state(self) -> ChoiceState:
        return self._state

    @property
    def is_previewed(self) -> bool:
        """Whether the stage shows a row of the table."""
        return self._pointed

    def set_theme(self, theme: Theme) -> None:
        self.table.set_theme(theme)
        self.evidence.set_theme(theme)

    def set_shades(self, shades: Shades) -> None:
        self.table.set_shades(shades)

    def show_state(self, state: ChoiceState, in_use: Row | None = None) -> None:
        """Show a search as far as it is; ``in_use`` is the row that is set now."""
        self._state = state
        works, choice = state.stage == "working", state.choice
        self._verdict.setText(state.words)
        self._why.setText(state.why)
        self._why.setVisible(bool(state.why))
        self._basis.setText("" if choice is None else basis_words(choice))
        self._basis.setVisible(choice is not None)
        self._bar.setVisible(works)
        self._stage.setVisible(works)
        self._cancel.setVisible(works)
        self._start.setVisible(not works)
        self._start.setText(BUTTONS["start"][0] if choice is None else CHOOSE_AGAIN)
        self._start.setDefault(choice is None or bool(state.outdated))
        self._start.style().polish(self._start)
        self.table.setVisible(choice is not None)
        self._hint.setVisible(choice is not None)
        self._take.setVisible(choice is not None)
        self._room.setVisible(choice is None)
        self.table.show_choice(choice, in_use)
        for part in (self.table, self.evidence):
            set_dimmed(part, bool(state.outdated))
        self._show_current()

    def show_progress(self, stage: str, fraction: float | None) -> None:
        self._stage.setText(stage)
        self._bar.setRange(0, 0 if fraction is None else PROGRESS_STEPS)
        if fraction is not None:
            self._bar.setValue(round(PROGRESS_STEPS * fraction))

    def let_go(self) -> bool:
        """Give the stage back to what is set; returns whether a row was on it."""
        was, self._pointed = self._pointed, False
        if was:
            self.row_pointed.emit(None)
        return was

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self._stage, 1)
        buttons.addStretch(0)
        for button in (self._cancel, self._start, self._take):
            buttons.addWidget(button)
        # In the place of the table, so that words stand at the top without it.
        self._room = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(6)
        layout.addWidget(self._verdict)
        layout.addWidget(self._why)
        layout.addWidget(self._basis)
        layout.addWidget(self._bar)
        layout.addWidget(self.table, 1)
        layout.addWidget(self._hint)
        layout.addLayout(buttons)
        layout.addWidget(self._room, 1)

    @Slot()
    def _show_current(self) -> None:
        """Show the evidence for the row that the keys are at."""
        row, choice = self.table.current_row(), self._state.choice
        self._take.setEnabled(row is not None and not self._state.outdated)
        self.evidence.show_row(row, choice)

    @Slot(object)
    def _on_row_pointed(self, row: Row) -> None:
        if not self._state.outdated:
            self._pointed = True
            self.row_pointed.emit(row)

    @Slot(object)
    def _on_row_adopted(self, row: Row) -> None:
        if not self._state.outdated:
            self._pointed = False
            self.row_adopted.emit(row)

    @Slot()
    def _on_take_clicked(self) -> None:
        row = self.table.current_row()
        if row is not None:
            self._on_row_adopted(row)

    def sizeHint(self) -> QSize:
        return QSize(340, 480)

    def event(self, event: QEvent) -> bool:
        """Take Escape before the window does, while a row is previewed."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and event.key() == Qt.Key.Key_Escape
            and self._pointed
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape or not self.let_go():
            super().keyPressEvent(event)


def _label(name: str, title: str, role: str = "") -> QLabel:
    """Return a label for sentences, which wrap and can be copied."""
    label = QLabel()
    label.setProperty("role", role)
    label.setObjectName(name)
    label.setAccessibleName(title)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button
