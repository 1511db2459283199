"""PitfallsFold: steps of kernel PCA that a class may forget, to see what they do."""

from PySide6.QtCore import QSignalBlocker, Signal

from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.widgets.controls import Fold, Switch


class PitfallsFold(Fold):
    """One switch a step; on means that it is forgotten."""

    normalisation_forgotten = Signal(bool)
    """Whether α = u instead of u/√μ is wanted."""
    new_centring_forgotten = Signal(bool)
    """Whether rows of new points are wanted as they are."""

    def __init__(self) -> None:
        super().__init__("Pitfalls", collapsed=True)
        self.setObjectName("pitfalls_fold")
        self.header.setObjectName("pitfalls_header")
        self._root = _switch(
            "forget_normalisation_switch",
            "Forget 1/√μ",
            "On takes α = u instead of u/√μ: every component is √μ times as long as it "
            "should be, and the picture changes its shape.",
        )
        self._root.toggled.connect(self.normalisation_forgotten)
        self._new_rows = _switch(
            "forget_new_centring_switch",
            "Forget to centre new rows",
            "On leaves k(xᵢ, x*) of a new point as it is: new points and isolines are "
            "shifted, rows of the data stay.",
        )
        self._new_rows.toggled.connect(self.new_centring_forgotten)
        self.add(self._root)
        self.add(self._new_rows)
        self._shown = AnalysisSettings()

    def show_analysis(self, analysis: AnalysisSettings, kind: str) -> None:
        """Show what is forgotten; what comes to be so is unfolded once."""
        for switch, is_right in (
            (self._root, analysis.normalised),
            (self._new_rows, analysis.centers_new),
        ):
            with QSignalBlocker(switch):
                switch.setChecked(not is_right)
        # A given matrix has no new points; without centring there is none to forget.
        self._new_rows.setEnabled(kind == "points" and analysis.center)
        is_new = analysis.scoring != self._shown.scoring
        if is_new and not (analysis.normalised and analysis.centers_new):
            self.set_collapsed(False)
        self._shown = analysis


def _switch(name: str, text: str, tip: str) -> Switch:
    switch = Switch(text)
    switch.setObjectName(name)
    switch.setToolTip(f"{tip}\nA line above every plot says so while it is on.")
    return switch
