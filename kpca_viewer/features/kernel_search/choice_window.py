"""ChoiceWindow: kernels in order, with the evidence for the one that is looked at."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.engine.claims.choice import reason
from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.features.kernel_search.curves import (
    curve_over_components,
    curve_over_values,
)
from kpca_viewer.features.kernel_search.row_table import ChoiceTable
from kpca_viewer.features.kernel_search.score_plot import ScorePlot
from kpca_viewer.features.kernel_search.text import (
    BUTTONS,
    CHOOSE_AGAIN,
    HINT,
    NO_CURVE,
    ChoiceState,
    basis_words,
)
from kpca_viewer.widgets.controls import resize_for_type
from kpca_viewer.widgets.controls.behaviour import set_dimmed
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.widgets.thumbnails import Shades


class RowEvidence(QScrollArea):
    """Scrolls where there is little room."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("choice_evidence")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._reason = text_label("choice_reason_label", "Why this row")
        self.over_values = ScorePlot("choice_values_plot", "Score over the value")
        self.over_components = ScorePlot(
            "choice_components_plot", "Score over components"
        )
        self._no_curve = text_label(
            "choice_no_curve_label", "Why there is no curve", "muted"
        )
        self._no_curve.setText(NO_CURVE)
        self._notes = text_label(
            "choice_notes_label", "What could not be compared", "caption"
        )
        page = self._page = QFrame()
        page.setProperty("role", "card")
        column = QVBoxLayout(page)
        column.setContentsMargins(12, 10, 12, 10)
        column.setSpacing(8)
        column.addWidget(self._reason)
        column.addWidget(self.over_values, 1)
        column.addWidget(self.over_components, 1)
        column.addWidget(self._no_curve)
        column.addWidget(self._notes)
        # Where there is no curve, sentences stand at the top, below each other.
        column.addStretch(0)
        self.setWidget(page)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours and the size of the type."""
        for plot in (self.over_values, self.over_components):
            plot.set_theme(theme)
            plot.updateGeometry()

    def show_row(self, row: Row, choice: Choice) -> None:
        """Show the evidence for a row."""
        self._reason.setText(f"{reason(row, choice)}.")
        for plot, curve in (
            (self.over_values, curve_over_values(row, choice)),
            (self.over_components, curve_over_components(row, choice)),
        ):
            plot.show_curve(curve)
            plot.setVisible(curve is not None)
        plots = self.over_values, self.over_components
        self._no_curve.setVisible(all(plot.curve is None for plot in plots))
        self._notes.setText("\n".join(choice.notes))
        self._notes.setVisible(bool(choice.notes))

    def minimumSizeHint(self) -> QSize:
        """Return the width of its page: it scrolls up and down only."""
        bar = self.verticalScrollBar().sizeHint().width()
        width = self._page.minimumSizeHint().width() + bar
        return QSize(width, super().minimumSizeHint().height())


def text_label(name: str, title: str, role: str = "") -> QLabel:
    """Return a label for sentences, which wrap and can be copied."""
    label = QLabel()
    label.setProperty("role", role)
    label.setObjectName(name)
    label.setAccessibleName(title)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


PROGRESS_STEPS = 1000

TABLE_SHARE = 0.6
"""Of the width, where the table could do with less."""


class ChoiceWindow(QWidget):
    """A window beside the main one; setters emit nothing."""

    start_requested = Signal()
    cancel_requested = Signal()
    row_pointed = Signal(object)
    """The `Row` to be seen in the embedding; None gives the picture back."""
    row_adopted = Signal(object)
    """The `Row` to take."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choice_window")
        self.setWindowTitle("Choose a kernel – kpca_viewer")
        self._state = ChoiceState()
        self._pointed = False
        self._shared_by_hand = False
        self.table = ChoiceTable()
        self.evidence = RowEvidence()
        self._make_texts()
        self._make_buttons()
        self._lay_out()
        self.table.row_pointed.connect(self._on_row_pointed)
        self.table.row_adopted.connect(self._on_row_adopted)
        self.table.selectionModel().currentChanged.connect(self._show_current)
        QShortcut(Qt.Key.Key_Escape, self, self.step_back)
        self.show_state(self._state)
        resize_for_type(self, 1130, 690)

    @property
    def state(self) -> ChoiceState:
        return self._state

    @property
    def is_previewed(self) -> bool:
        """Whether the embedding shows a row of the table."""
        return self._pointed

    def set_theme(self, theme: Theme) -> None:
        self.table.set_theme(theme)
        self.evidence.set_theme(theme)
        self._share_room()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows of the data."""
        self.table.set_shades(shades)

    def show_state(self, state: ChoiceState, in_use: Row | None = None) -> None:
        """Show a search as far as it is; ``in_use`` is the row that is set now."""
        self._state = state
        works, choice = state.stage == "working", state.choice
        self._verdict.setText(state.words)
        self._basis.setText("" if choice is None else basis_words(choice))
        self._basis.setVisible(choice is not None)
        self._bar.setVisible(works)
        self._stage.setVisible(works)
        self._cancel.setVisible(works)
        self._start.setVisible(not works)
        self._start.setText(BUTTONS["start"][0] if choice is None else CHOOSE_AGAIN)
        self._start.setDefault(choice is None or bool(state.outdated))
        self._start.style().polish(self._start)
        comes = choice is not None and self._body.isHidden()
        self._body.setVisible(choice is not None)
        self._room.setVisible(choice is None)
        self._foot.setVisible(choice is not None)
        self.table.show_choice(choice, in_use)
        if comes:
            # It could not have the keys before.
            self.table.setFocus()
        self._share_room()
        set_dimmed(self._body, bool(state.outdated))
        self._show_current()

    def show_progress(self, stage: str, fraction: float | None) -> None:
        """Say how far the search is."""
        self._stage.setText(stage)
        self._bar.setRange(0, 0 if fraction is None else PROGRESS_STEPS)
        if fraction is not None:
            self._bar.setValue(round(PROGRESS_STEPS * fraction))

    def show_picture(self, point: SweepPoint) -> None:
        self.table.show_picture(point)

    @Slot()
    def step_back(self) -> None:
        """Give the picture back; where there is nothing to give back, close."""
        if self._pointed:
            self.let_go()
        else:
            self.close()

    def let_go(self) -> None:
        """Give the embedding back to what is set."""
        if self._pointed:
            self._pointed = False
            self.row_pointed.emit(None)

    def _make_texts(self) -> None:
        self._verdict = text_label("choice_words_label", "What to take", "title")
        self._basis = text_label(
            "choice_basis_label", "What kernels are compared by", "caption"
        )
        self._stage = text_label(
            "choice_stage_label", "How far the comparison is", "muted"
        )
        self._stage.setWordWrap(False)
        self._hint = text_label("choice_hint_label", "Keys", "caption")
        self._hint.setText(HINT)
        self._bar = QProgressBar()
        self._bar.setObjectName("choice_progress")
        self._bar.setAccessibleName("Progress of the comparison")
        self._bar.setTextVisible(False)
        self._bar.setFixedHeight(4)

    def _make_buttons(self) -> None:
        self._start, self._cancel, self._take = (
            _button(f"choice_{key}_button", *texts) for key, texts in BUTTONS.items()
        )
        self._start.clicked.connect(self.start_requested)
        self._cancel.clicked.connect(self.cancel_requested)
        self._take.clicked.connect(self._on_take_clicked)

    def _lay_out(self) -> None:
        said = QVBoxLayout()
        said.setSpacing(2)
        said.addWidget(self._verdict)
        said.addWidget(self._basis)
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addLayout(said, 1)
        top.addWidget(self._stage)
        top.addWidget(self._cancel)
        top.addWidget(self._start)
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.addWidget(self._hint, 1)
        foot.addWidget(self._take)
        self._foot = QWidget()
        self._foot.setLayout(foot)
        self._body = self._make_body()
        # In the place of the body, so that words stand at the top without it.
        self._room = QWidget()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 12, 16, 12)
        layout.setSpacing(10)
        layout.addLayout(top)
        layout.addWidget(self._bar)
        layout.addWidget(self._body, 1)
        layout.addWidget(self._room, 1)
        layout.addWidget(self._foot)

    def _make_body(self) -> QSplitter:
        body = QSplitter(Qt.Orientation.Horizontal)
        body.setObjectName("choice_body")
        body.setChildrenCollapsible(False)
        body.addWidget(self.table)
        body.addWidget(self.evidence)
        body.splitterMoved.connect(self._on_splitter_moved)
        return body

    def _share_room(self) -> None:
        """Give the table what it needs, and most of the rest to the curves.

        Not once a person has shared it otherwise.
        """
        width = self._body.width() - self._body.handleWidth()
        if self._shared_by_hand or width <= 0:
            return
        least = self.evidence.minimumSizeHint().width()
        wanted = max(self.table.wanted_width(), round(TABLE_SHARE * width))
        table = min(wanted, width - least)
        self._body.setSizes([table, width - table])

    def _on_splitter_moved(self) -> None:
        self._shared_by_hand = True

    def _show_current(self, *_index: object) -> None:
        """Show the evidence for the row that the keys are at."""
        row, choice = self.table.current_row(), self._state.choice
        self._take.setEnabled(row is not None and not self._state.outdated)
        if row is not None and choice is not None:
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.let_go()
        super().closeEvent(event)


def _button(name: str, text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAccessibleName(text)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button
