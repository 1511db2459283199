"""Which kernel, with which parameters."""

from dataclasses import replace
from math import isfinite
from operator import attrgetter

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.methods.kernel_suggestion import Suggestion
from kpca_viewer.engine.initial_session import for_other_data
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import suggestion_grounds
from kpca_viewer.features.kernel_curve.text import MarkedPair
from kpca_viewer.features.kernel_curve.view import KernelCurve
from kpca_viewer.support.errors import KernelError
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.controls import Fold, FormulaLabel, NumberRow, Switch
from kpca_viewer.widgets.controls.behaviour import set_dimmed
from kpca_viewer.widgets.controls.combos import labelled, named_combo
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.window.sidebar.settings_card import (
    ParameterRows,
    SettingsCard,
    show_values,
)

GIVEN = {
    "kernel": (
        "Kernel matrix from the file",
        "Its entries say how alike two rows are; there is nothing to choose.",
    ),
    "distances": (
        "Distances from the file",
        "They become a kernel as −d²/2, which is always centred.",
    ),
}
"""What is said instead of a kernel where none is chosen."""


class KernelCard(SettingsCard):
    """Family, formula with the current numbers, parameters, centring.

    A matrix that was given is no choice: it is named instead.
    """

    suggestion_taken = Signal(str)
    """What was taken and what it is based on, once it was requested."""
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
        self.setObjectName("kernel_card")
        self._family = named_combo(
            "kernel_combo",
            "Kernel",
            f"{tip('kernel')}\nKeys 1 to {min(len(FAMILIES), 9)} choose too.",
        )
        for index, family in enumerate(FAMILIES.values(), start=1):
            self._family.addItem(family.title, family.name)
            if index <= 9:
                self._family.setItemData(index - 1, f"Key {index}", 3)
        self._family.currentIndexChanged.connect(self._on_family_changed)
        self._family_label, self._family_row = labelled("Kernel", self._family)
        self.add(self._family_row)
        self._given = QLabel()
        self._given.setObjectName("given_matrix_label")
        self._given.setTextFormat(Qt.TextFormat.PlainText)
        self._given.setWordWrap(True)
        self.add(self._given)
        self._formula = FormulaLabel()
        self._formula.setObjectName("kernel_formula")
        self.add(self._formula)

        self._values = ParameterRows(self._value_row, self._family)
        self.add(self._values)

        self._curve = KernelCurve()
        self._curve_fold = Fold("Kernel over the data")
        self._curve_fold.setObjectName("curve_fold")
        self._curve_fold.header.setObjectName("curve_header")
        self._curve_fold.add(self._curve)
        self._curve_fold.collapsed_changed.connect(self._on_curve_folded)
        self._linking: Linking | None = None
        self.add(self._curve_fold)

        self._widths = _caption("sigma_label")
        self._widths.setToolTip(
            "Three notations of the same width; the literature uses all of them."
        )
        self.add(self._widths)
        self._offers: list[str] = []
        self._suggest = QPushButton()
        self._suggest.setObjectName("suggest_button")
        self._suggest.setProperty("role", "link")
        self._suggest.clicked.connect(self._on_suggest_clicked)
        self.add(self._suggest)
        self._choose = QPushButton("Choose by evidence…")
        self._choose.setObjectName("choose_button")
        self._choose.setProperty("role", "link")
        self._choose.setToolTip(
            "Compare all kernels, values and numbers of components on these data, by "
            "held-out rows, or by structure beyond that of independent columns  (K)"
        )
        self._choose.clicked.connect(self.choice_requested)
        self.add(self._choose)
        self._center = Switch("Centre in feature space")
        self._center.setObjectName("center_switch")
        self._center.setAccessibleName("Centre in feature space")
        self._center.setToolTip(
            f"{tip('centring')}\nOff shows what happens if it is forgotten; below the "
            "embedding stands how near its first component is to the mean."
        )
        self._center.toggled.connect(self._on_center_toggled)
        self.add(self._center)
        self._pitfalls = PitfallsFold()
        self._pitfalls.normalisation_forgotten.connect(self._on_root_forgotten)
        self._pitfalls.new_centring_forgotten.connect(self._on_new_rows_forgotten)
        self.add(self._pitfalls)
        self._note = _caption("kernel_note")
        self._note.setToolTip(tip("feature_space"))
        self.add(self._note)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        settings, kind = self.scene.shown, self.scene.kind
        self._show_given(kind)
        with QSignalBlocker(self._center):
            # Distances are centred whatever was chosen for other data.
            self._center.setChecked(settings.analysis.center or kind == "distances")
        self._pitfalls.show_analysis(settings.analysis, kind)
        if kind == "points":
            self._refresh_kernel()

    def _show_given(self, kind: str) -> None:
        """Show the controls of a kernel, or what the file has in its place."""
        chosen = kind == "points"
        for part in (self._family_row, self._formula, self._curve_fold, self._choose):
            part.setVisible(chosen)
        self._values.setVisible(chosen and bool(self._values.rows))
        self._given.setVisible(not chosen)
        self._center.setEnabled(kind != "distances")
        if not chosen:
            self._widths.hide()
            self._suggest.hide()
            title, sentence = GIVEN[kind]
            self._given.setText(title)
            self._note.setText(sentence)
            self._note.show()

    def _refresh_kernel(self) -> None:
        scene = self.scene
        family = scene.shown.kernel.family
        with QSignalBlocker(self._family):
            self._family.setCurrentIndex(self._family.findData(family))
        if self._values.show_parameters(family, FAMILIES[family].parameters):
            self.align(self._family_label, *self._values.rows.values())
        show_values(self._values.rows, scene)
        shown = {name: float(row.value()) for name, row in self._values.rows.items()}
        self._show_formula(
            family, shown, has_picture=scene.result is not None or scene.is_empty
        )
        self._show_suggestion(scene.suggestion or Suggestion({}), scene.shown)
        self._show_note(family, shown)
        self._dim_unknown()
        self._show_curve()

    def join(self, linking: Linking) -> None:
        """Mark the pair of rows that the mouse points at anywhere."""
        self._linking = linking
        linking.hovered_changed.connect(self._show_pair)
        linking.partner_changed.connect(self._show_pair)

    def _shown_kernel(self) -> Kernel | None:
        """Return the kernel whose values the controls show; None where it has none."""
        rows = self._values.rows
        values = {name: float(row.value()) for name, row in rows.items()}
        try:
            return Kernel(self.scene.shown.kernel.family, **values)
        except KernelError:
            return None

    def _show_curve(self) -> None:
        """Draw the kernel over the pairs of the data, unless it is hidden."""
        kernel = None if self._curve_fold.collapsed() else self._shown_kernel()
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
        kernel = self._shown_kernel()
        if pairs is None or kernel is None or len(rows) < 2:
            self._curve.mark(None)
            return
        at, value = pairs.axis.of_pair(kernel, result.points, rows[0], rows[1])
        first, second = (row_name(result, r) for r in rows)
        self._curve.mark(MarkedPair((first, second), at, value))

    def _on_curve_folded(self, _collapsed: bool) -> None:
        self._show_curve()

    def _dim_unknown(self) -> None:
        """Dim values that were suggested for other data, until there are new ones."""
        scene = self.scene
        own = dict(scene.shown.kernel.values)
        waits = scene.stale is not None and scene.suggested is None
        unknown = [
            row
            for name, row in self._values.rows.items()
            if waits and row.parameter.follows is not None and name not in own
        ]
        for row in self._values.rows.values():
            set_dimmed(row, row in unknown)
        for text in (self._formula, self._widths):
            set_dimmed(text, bool(unknown))

    def _value_row(self, parameter: Parameter) -> NumberRow:
        return self.number_row(parameter, self._with_value)

    def _show_formula(
        self, family: str, values: dict[str, float], *, has_picture: bool
    ) -> None:
        try:
            kernel = Kernel(family, **values)
        except KernelError:
            return
        # Loading what sets formulas would hold up the first picture: it has plain text.
        latex = kernel.formula() if has_picture else ""
        if not latex or latex != self._formula.latex():
            self._formula.set_formula(latex, kernel.plain_formula())
        known = kernel.family.gaussian and "gamma" in values
        widths = kernel.conventions() if known else ()
        self._widths.setVisible(bool(widths))
        if widths:
            # Each notation in one piece, between them the line may break.
            parts = (
                f"{each.symbol} = {readable(each.value, 3)} ({each.definition})"
                for each in widths
            )
            self._widths.setText("   ".join(_in_one_piece(p) for p in parts))

    def _show_suggestion(
        self, suggestion: Suggestion, settings: SessionSettings
    ) -> None:
        """Offer the suggestion while something else is set.

        The button stays in its place all the time: it must not push the others away
        while γ is dragged.
        """
        rows, suggested = self._values.rows, suggestion.values
        own = dict(settings.kernel.values)
        offered = {name: readable(suggested[name], 3) for name in suggested}
        self._offers = [
            f"{rows[name].parameter.symbol} = {text}"
            for name, text in offered.items()
            if name in own and name in rows and readable(own[name], 3) != text
        ]
        driven = [row.parameter for row in rows.values() if row.parameter.follows]
        symbols = ", ".join(parameter.symbol for parameter in driven)
        self._suggest.setVisible(bool(driven))
        self._suggest.setEnabled(bool(self._offers))
        # Without a result it is not known yet what would be suggested.
        unknown = any(p.name in own and p.name not in suggested for p in driven)
        text = f"{symbols} as suggested"
        if self._offers or unknown:
            text = f"Suggest {', '.join(self._offers) or symbols}"
        self._suggest.setText(text)
        grounds = suggestion_grounds(suggestion)
        here = f"Here it is based on {grounds}. " if grounds else ""
        self._suggest.setToolTip(
            f"{tip('suggested')}\n{here}Ctrl+Z brings the value before back."
        )

    def _show_note(self, family: str, values: dict[str, float]) -> None:
        try:
            kernel = Kernel(family, **values)
        except KernelError:
            return
        text = ""
        if not kernel.psd:
            text = "Not positive definite: no map φ, and eigenvalues can be negative."
        elif not isfinite(kernel.feature_dimension(1)):
            text = "Feature space: infinite-dimensional"
        elif features := _features(self.scene):
            dimension = kernel.feature_dimension(features)
            text = f"Feature space: {dimension:,.0f}-dimensional"
        self._note.setText(text)
        self._note.setVisible(bool(text))

    def _with_value(self, name: str, value: float) -> SessionSettings:
        return replace(
            self.settings, kernel=self.settings.kernel.with_value(name, value)
        )

    def _on_family_changed(self, index: int) -> None:
        kernel = KernelSettings(self._family.itemData(index))
        self.changes.request(replace(self.settings, kernel=kernel))

    def _on_suggest_clicked(self) -> None:
        kernel = for_other_data(self.settings.kernel)
        offers = ", ".join(self._offers)
        suggestion = self.scene.suggestion or Suggestion({})
        self.changes.request(replace(self.settings, kernel=kernel))
        text = f"{offers} is based on {suggestion_grounds(suggestion)}"
        if not suggestion.judged:
            text = f"{text}, so the value before may separate them better"
        self.suggestion_taken.emit(f"{text}.")

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


def _in_one_piece(text: str) -> str:
    return text.replace(" ", "\u00a0").replace("/", "/\u2060")


def _caption(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setProperty("role", "caption")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


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
