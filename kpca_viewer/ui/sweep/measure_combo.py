"""MeasureCombo: the measures of a sweep; what the data do not have is greyed."""

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QStandardItemModel

from kpca_viewer.session.sweep.measures import MEASURES
from kpca_viewer.session.words.glossary import tip
from kpca_viewer.ui.controls import FittingCombo, WheelGuard

WITHOUT = ("trustworthiness", "share_2")
"""What is shown where the wanted measure is not defined; the last always is."""


class MeasureCombo(FittingCombo):
    """A list of measures by their keys."""

    def __init__(self) -> None:
        super().__init__()
        self._missing: dict[str, str] = {}
        for key, measure in MEASURES.items():
            self.addItem(measure.title, key)
            self.setItemData(self.count() - 1, tip(key), Qt.ItemDataRole.ToolTipRole)
        WheelGuard(self)

    def key(self) -> str:
        """Return the measure that is chosen."""
        return str(self.currentData())

    def set_missing(self, reasons: Mapping[str, str]) -> None:
        """Grey measures that the data do not have; a tooltip says why.

        Emits nothing, and leaves what is chosen as it is.
        """
        if self._missing == reasons:
            return
        self._missing = dict(reasons)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        for place, key in enumerate(MEASURES):
            item = model.item(place)
            item.setEnabled(key not in reasons)
            item.setData(reasons.get(key, tip(key)), Qt.ItemDataRole.ToolTipRole)

    def missing(self) -> dict[str, str]:
        """Return why measures are greyed, by their keys."""
        return dict(self._missing)

    def choose(self, key: str) -> str:
        """Choose a measure, or one that the data have; returns it. Emits nothing."""
        if key in self._missing:
            key = next((k for k in WITHOUT if k not in self._missing), WITHOUT[-1])
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key))
        return key
