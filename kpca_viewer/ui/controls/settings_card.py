"""What all cards have in common: they show settings and wish for others."""

from collections.abc import Callable

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QWidget,
)

from kpca_viewer.core.kernels.parameters import Parameter
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.controls import (
    Card,
    NumberRow,
    SearchCombo,
    WheelGuard,
    align_labels,
)


class SettingsCard(Card):
    """A card of the sidebar.

    Attributes
    ----------
    settings_wished : Signal(object, object)
        New settings, and the name of the gesture while one lasts, else None.
    gesture_ended : Signal
    refused : Signal(str)
        Why something that was typed is not taken.
    """

    settings_wished = Signal(object, object)
    gesture_ended = Signal()
    refused = Signal(str)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(title, parent=parent)
        # Wrapped lines need more than their hint once the type is large.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.settings = SessionSettings()
        self._anchor = QLabel(self)
        self._anchor.hide()

    def show_settings(
        self, settings: SessionSettings, result: AnalysisResult | None
    ) -> None:
        """Show a state; emits nothing.

        Parameters
        ----------
        settings : SessionSettings
        result : AnalysisResult or None
            The last good one; it may answer older settings.
        """
        self.settings = settings
        self.refresh(settings, result)

    def refresh(self, settings: SessionSettings, result: AnalysisResult | None) -> None:
        """Push the state into the controls."""
        raise NotImplementedError

    def wish(self, settings: SessionSettings, gesture: str | None = None) -> None:
        """Ask for other settings."""
        self.settings_wished.emit(settings, gesture)

    def number_row(
        self,
        parameter: Parameter,
        changed: Callable[[str, float], SessionSettings],
        limits: tuple[float, float] | None = None,
    ) -> NumberRow:
        """Return a row whose edits become wishes; a drag is one gesture.

        The limits are those of what may be typed, beyond the slider.
        """
        row = NumberRow(parameter, limits=limits)
        name = parameter.name

        def on_row_edited(value: float) -> None:
            self.wish(changed(name, value), f"{self.objectName()}.{name}")

        row.value_edited.connect(on_row_edited)
        row.value_committed.connect(self._on_row_committed)
        row.refused.connect(self.refused)
        return row

    def align(self, *rows: NumberRow | QLabel) -> None:
        """Give the labels of these rows one width, instead of those given before."""
        # The width is kept by a child of the first label. Rows come and go; what knew
        # the old ones must go with them.
        self._anchor.deleteLater()
        self._anchor = QLabel(self)
        self._anchor.hide()
        align_labels(self._anchor, *rows)

    def _on_row_committed(self, _value: object) -> None:
        self.gesture_ended.emit()


def named_combo(name: str, title: str, tip: str) -> SearchCombo:
    """Return a combo box that tests and assistive technology can find."""
    combo = SearchCombo()
    combo.setObjectName(name)
    combo.setAccessibleName(title)
    combo.setToolTip(tip)
    combo.setSizeAdjustPolicy(
        QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    )
    combo.setMinimumContentsLength(6)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    WheelGuard(combo)
    return combo


def fill_combo(
    combo: SearchCombo, items: list[tuple[str, object]], value: object
) -> None:
    """Show these items with one of them chosen; emits nothing."""
    with QSignalBlocker(combo):
        combo.set_items(items)
        combo.setCurrentIndex(
            next((i for i, x in enumerate(items) if x[1] == value), -1)
        )


def labelled(text: str, *widgets: QWidget) -> tuple[QLabel, QWidget]:
    """Return a label and a row that holds it and its controls on one line."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setBuddy(widgets[0])
    layout.addWidget(label)
    for index, widget in enumerate(widgets):
        layout.addWidget(widget, 1 if index == 0 else 0)
    return label, row
