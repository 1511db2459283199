"""MeasureCombo: the measures of a sweep by their keys."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QStandardItemModel

from kpca_viewer.engine.sweep.measures import MEASURES, defined_measure
from kpca_viewer.widgets.controls import FittingCombo, WheelGuard


class MeasureCombo(FittingCombo):
    """What the curve shows, the map and the pictures say, and what is best."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("sweep_measure_combo")
        self.setAccessibleName("Measure of the curve")
        self.setToolTip("What the curve shows, and what is best")
        self._missing: dict[str, str] = {}
        for key, measure in MEASURES.items():
            self.addItem(measure.title, key)
            self.setItemData(self.count() - 1, measure.tip, Qt.ItemDataRole.ToolTipRole)
        WheelGuard(self)

    def key(self) -> str:
        return str(self.currentData())

    def set_missing(self, reasons: Mapping[str, str]) -> None:
        """Grey measures that the data do not have, with the reason; emits nothing."""
        self._missing = dict(reasons)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, (key, measure) in enumerate(MEASURES.items()):
            item, why = model.item(place), reasons.get(key)
            item.setEnabled(why is None)
            text = measure.tip if why is None else f"Not defined: {why}."
            item.setData(text, Qt.ItemDataRole.ToolTipRole)

    def choose(self, key: str) -> str:
        """Choose a measure, or one that the data have; returns it. Emits nothing."""
        key = defined_measure(key, self._missing)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))
        return key
