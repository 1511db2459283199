"""RowEvidence: why one row of a choice, in a sentence and two curves."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout

from kpca_viewer.core.methods.kernel_ranking import Choice, Row
from kpca_viewer.features.kernel_search.claims import reason
from kpca_viewer.features.kernel_search.curves import (
    curve_over_components,
    curve_over_values,
)
from kpca_viewer.features.kernel_search.view.score_plot import ScorePlot
from kpca_viewer.widgets.theme import Theme

NO_CURVE = (
    "There is no curve: this kernel has no value to vary, and one component only has a "
    "score."
)


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
        self._no_curve = text_label("choice_no_curve_label", "Why there is no curve")
        self._no_curve.setProperty("role", "muted")
        self._no_curve.setText(NO_CURVE)
        self._notes = text_label("choice_notes_label", "What could not be asked")
        self._notes.setProperty("role", "caption")
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


def text_label(name: str, title: str) -> QLabel:
    """Return a label for sentences, which wrap and can be copied."""
    label = QLabel()
    label.setObjectName(name)
    label.setAccessibleName(title)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
