"""What belongs to the kernel beside the main parameter, which has its own line."""

from dataclasses import replace
from math import isfinite
from operator import attrgetter

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QPushButton

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.engine.settings import AnalysisSettings, SessionSettings
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.kernel_curve.text import MarkedPair
from kpca_viewer.features.kernel_curve.view import KernelCurve
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls import Fold, FormulaLabel, NumberRow, Switch
from kpca_viewer.widgets.controls.behaviour import set_dimmed
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.window.kernel_bar import awaited_parameters, shown_kernel
from kpca_viewer.window.sidebar.settings_card import (
    ParameterRows,
    SettingsCard,
    show_values,
)
from kpca_viewer.window.suggest_button import SuggestButton


class KernelCard(SettingsCard):
    """Parameters beside the main one, formula, curve, centring, pitfalls."""

    choice_requested = Signal()
    """Kernels are to be compared."""
    part = attrgetter(
        "shown.kernel",
        "shown.analysis",
        "kind",
        "suggestion",
        "settings.data",
        "dataset",
        "pairs",
        "theme",
        "type_scale",
        "stale",
    )

    def __init__(self, changes: Changes) -> None:
        super().__init__("Kernel", changes)
        self.words = "formula centre pitfalls parameters"
        self.setObjectName("kernel_card")
        self._formula = FormulaLabel()
        self._formula.setObjectName("kernel_formula")
        self.add(self._formula)
        self._values = ParameterRows(self._value_row, self._formula)
        self.add(self._values)
        self.suggest = SuggestButton("suggest_other_button", changes)
        self.add(self.suggest)
        self._center = Switch("Centre in feature space")
        self._center.setObjectName("center_switch")
        self._center.setAccessibleName("Centre in feature space")
        self._center.setToolTip(
            f"{tip('centring')}\nOff shows what happens if it is forgotten; below the "
            "embedding stands how near its first component is to the mean."
        )
        self._center.toggled.connect(self._on_center_toggled)
        self.add(self._center)
        self._curve = KernelCurve()
        self._curve_fold = Fold("Kernel over the data", collapsed=True)
        self._curve_fold.setObjectName("curve_fold")
        self._curve_fold.header.setObjectName("curve_header")
        self._curve_fold.add(self._curve)
        self._curve_fold.collapsed_changed.connect(self._show_curve)
        self._linking: Linking | None = None
        self.add(self._curve_fold)
        self._pitfalls = PitfallsFold()
        self._pitfalls.normalisation_forgotten.connect(self._on_root_forgotten)
        self._pitfalls.new_centring_forgotten.connect(self._on_new_rows_forgotten)
        self.add(self._pitfalls)
        self._choose = QPushButton("Choose by evidence…")
        self._choose.setObjectName("choose_button")
        self._choose.setProperty("role", "link")
        self._choose.setToolTip(
            "Compare all kernels, values and numbers of components on these data, by "
            "held-out rows, or by structure beyond that of independent columns  (K)"
        )
        self._choose.clicked.connect(self.choice_requested)
        self.add(self._choose)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        settings, kind = self.scene.shown, self.scene.kind
        with QSignalBlocker(self._center):
            # Distances are centred whatever was chosen for other data.
            self._center.setChecked(settings.analysis.center or kind == "distances")
        self._center.setEnabled(kind != "distances")
        self._pitfalls.show_analysis(settings.analysis, kind)
        chosen = kind == "points"
        for part in (self._formula, self._curve_fold, self._choose):
            part.setVisible(chosen)
        self._values.setVisible(chosen and bool(self._values.rows))
        if chosen:
            self._refresh_kernel()
        else:
            self.suggest.hide()

    def _refresh_kernel(self) -> None:
        scene = self.scene
        family = FAMILIES[scene.shown.kernel.family]
        others = [p for p in family.parameters if p is not family.main_parameter]
        if self._values.show_parameters(family.name, others):
            self.align(*self._values.rows.values())
        show_values(self._values.rows, scene)
        self.suggest.show_offer(scene, others)
        kernel = shown_kernel(scene)
        if kernel is not None:
            self._show_formula(kernel)
        set_dimmed(self._formula, bool(awaited_parameters(scene)))
        self._show_curve()

    def join(self, linking: Linking) -> None:
        """Mark the pair of rows that the mouse points at anywhere."""
        self._linking = linking
        linking.hovered_changed.connect(self._show_pair)
        linking.partner_changed.connect(self._show_pair)

    def _show_curve(self, _folded: object = None) -> None:
        """Draw the kernel over the pairs of the data, unless it is hidden."""
        kernel = None if self._curve_fold.collapsed() else shown_kernel(self.scene)
        if kernel is not None:
            self._curve.set_theme(self.scene.theme)
            self._curve.show_kernel(kernel, self.scene.pairs)
            self._show_pair()

    def _show_pair(self, _row: object = None) -> None:
        linking, pairs, result = self._linking, self.scene.pairs, self.scene.result
        if linking is None or result is None or self._curve_fold.collapsed():
            return
        row, other = linking.hovered, linking.partner
        rows = [r for r in (row, other) if r is not None and r < result.dataset.n]
        kernel = shown_kernel(self.scene)
        if pairs is None or kernel is None or len(rows) < 2:
            self._curve.mark(None)
            return
        at, value = pairs.axis.of_pair(kernel, result.points, rows[0], rows[1])
        first, second = (row_name(result, r) for r in rows)
        self._curve.mark(MarkedPair((first, second), at, value))

    def _value_row(self, parameter: Parameter) -> NumberRow:
        return self.number_row(parameter, self._with_value)

    def _show_formula(self, kernel: Kernel) -> None:
        """Show the formula; conventions of widths and φ are in its tooltip."""
        # Loading what sets formulas would hold up the first picture: it has plain text.
        has_picture = self.scene.result is not None or self.scene.is_empty
        latex = kernel.formula() if has_picture else ""
        if not latex or latex != self._formula.latex():
            self._formula.set_formula(latex, kernel.plain_formula())
        lines = [
            f"{each.symbol} = {readable(each.value, 3)} ({each.definition})"
            for each in kernel.conventions()
        ]
        lines.append(self._feature_space(kernel))
        self._formula.setToolTip("\n".join(line for line in lines if line))

    def _feature_space(self, kernel: Kernel) -> str:
        if not kernel.psd:
            return (
                "Not positive semi-definite for all rows: no map φ, and eigenvalues "
                "can be negative."
            )
        if not isfinite(kernel.feature_dimension(1)):
            return "Feature space: infinite-dimensional"
        features = _features(self.scene)
        if not features:
            return ""
        return f"Feature space: {kernel.feature_dimension(features):,.0f}-dimensional"

    def _with_value(self, name: str, value: float) -> SessionSettings:
        return replace(
            self.settings, kernel=self.settings.kernel.with_value(name, value)
        )

    def _on_center_toggled(self, center: bool) -> None:
        self.changes.request(self.settings.with_center(center))

    def _on_root_forgotten(self, forgotten: bool) -> None:
        self.changes.request(self.settings.with_normalisation(not forgotten))

    def _on_new_rows_forgotten(self, forgotten: bool) -> None:
        self.changes.request(self.settings.with_centred_new_rows(not forgotten))


def _features(scene: Scene) -> int:
    """Return how many features the kernel sees; 0 until that is known."""
    result, data = scene.result, scene.settings.data
    if data.drawn is not None:
        return data.drawn.d
    if result is None or result.settings.data.source != data.source:
        return 0
    return result.dataset.d


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
