"""MeasureCombo: the measures of a sweep; what the data do not have is greyed."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QStandardItemModel

from kpca_viewer.engine.sweep.measures import MEASURES, defined_measure
from kpca_viewer.widgets.controls import FittingCombo, WheelGuard


class MeasureCombo(FittingCombo):
    """A list of measures by their keys."""

    def __init__(self) -> None:
        super().__init__()
        self._missing: dict[str, str] = {}
        for key, measure in MEASURES.items():
            self.addItem(measure.title, key)
            self.setItemData(self.count() - 1, measure.tip, Qt.ItemDataRole.ToolTipRole)
        WheelGuard(self)

    def key(self) -> str:
        return str(self.currentData())

    def set_missing(self, reasons: Mapping[str, str]) -> None:
        """Grey measures that the data do not have; a tooltip gives the reason.

        Emits nothing, and leaves what is chosen as it is.
        """
        if self._missing == reasons:
            return
        self._missing = dict(reasons)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, (key, measure) in enumerate(MEASURES.items()):
            item = model.item(place)
            item.setEnabled(key not in reasons)
            text = f"Not defined: {reasons[key]}." if key in reasons else measure.tip
            item.setData(text, Qt.ItemDataRole.ToolTipRole)

    def missing(self) -> dict[str, str]:
        """Return why measures are greyed, by their keys."""
        return dict(self._missing)

    def choose(self, key: str) -> str:
        """Choose a measure, or one that the data have; returns it. Emits nothing."""
        key = defined_measure(key, self._missing)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))
        return key
