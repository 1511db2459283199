"""The line above the stage: the kernel, the slider of its main parameter, Suggest."""

from dataclasses import replace
from operator import attrgetter

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.support.errors import KernelError
from kpca_viewer.widgets.controls import FormulaLabel, NumberRow
from kpca_viewer.widgets.controls.behaviour import set_dimmed
from kpca_viewer.widgets.controls.combos import named_combo
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene
from kpca_viewer.window.sidebar.settings_card import (
    ParameterRows,
    parameter_row,
    show_values,
)
from kpca_viewer.window.suggest_button import SuggestButton

GIVEN = {
    "kernel": "Kernel matrix from the file: its entries say how alike two rows are",
    "distances": "Distances from the file: they become a kernel as −d²/2",
}
"""What is said instead of a kernel where none is chosen."""


def shown_kernel(scene: Scene) -> Kernel | None:
    """Return the kernel whose values the controls show; None where it has none."""
    shown = scene.shown.kernel
    family = FAMILIES[shown.family]
    values = {p.name: p.default for p in family.parameters}
    values |= dict(scene.suggested or {}) | dict(shown.values)
    try:
        return Kernel(
            shown.family, **{p.name: values[p.name] for p in family.parameters}
        )
    except KernelError:
        return None


def awaited_parameters(scene: Scene) -> list[str]:
    """Return parameters whose value is still the one suggested for other data."""
    kernel = scene.shown.kernel
    if scene.stale is None or scene.suggested is not None:
        return []
    own = dict(kernel.values)
    parameters = FAMILIES[kernel.family].parameters
    return [p.name for p in parameters if p.follows and p.name not in own]


class KernelBar(ShowsScene, QWidget):
    """Kernel, main parameter and suggestion on one line.

    A kernel without parameters shows its formula instead of a slider; a matrix that
    was given is no choice: it is named instead.
    """

    part = attrgetter(
        "shown.kernel", "kind", "suggestion", "settings.data", "dataset", "stale"
    )

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self.setObjectName("kernel_bar")
        self.changes = changes
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
        self._family.setMinimumContentsLength(12)
        self._given = QLabel()
        self._given.setObjectName("given_matrix_label")
        self._given.setTextFormat(Qt.TextFormat.PlainText)
        self._formula = FormulaLabel()
        self._formula.setObjectName("bar_formula")
        self._main = ParameterRows(self._main_row, self._family)
        self._main.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred
        )
        self.suggest = SuggestButton("suggest_button", changes)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 2, 12, 2)
        layout.setSpacing(12)
        for widget, stretch in (
            (self._family, 0),
            (self._given, 0),
            (self._formula, 0),
            (self._main, 1),
            (self.suggest, 0),
        ):
            layout.addWidget(widget, stretch, Qt.AlignmentFlag.AlignVCenter)
        self._end = QWidget()
        layout.addWidget(self._end, 1)
        self._layout = layout

    def add_end(self, widget: QWidget) -> None:
        """Put a widget at the right end, whatever the kernel is."""
        self._layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        scene, chosen = self.scene, self.scene.kind == "points"
        self._family.setVisible(chosen)
        self._given.setVisible(not chosen)
        if not chosen:
            for part in (self._formula, self._main, self.suggest):
                part.hide()
            self._end.show()
            self._given.setText(GIVEN[scene.kind])
            return
        name = scene.shown.kernel.family
        with QSignalBlocker(self._family):
            if self._family.findData(name) < 0:
                # A sum or product is not in the list until one is opened.
                self._family.addItem(FAMILIES[name].title, name)
            self._family.setCurrentIndex(self._family.findData(name))
        main = FAMILIES[name].main_parameter
        self._main.show_parameters(name, () if main is None else (main,))
        self._main.setVisible(main is not None)
        self._end.setVisible(main is None)
        show_values(self._main.rows, scene)
        self._show_formula(main is None)
        self.suggest.show_offer(scene, () if main is None else (main,))
        self._dim_unknown()

    def _show_formula(self, shown: bool) -> None:
        self._formula.setVisible(shown)
        kernel = shown_kernel(self.scene) if shown else None
        if kernel is not None:
            # Loading what sets formulas would hold up the first picture.
            ready = self.scene.result is not None or self.scene.is_empty
            latex = kernel.formula() if ready else ""
            if not latex or latex != self._formula.latex():
                self._formula.set_formula(latex, kernel.plain_formula())

    def _dim_unknown(self) -> None:
        """Dim a value that was suggested for other data, until there is a new one."""
        waiting = awaited_parameters(self.scene)
        for name, row in self._main.rows.items():
            set_dimmed(row, name in waiting)

    def _main_row(self, parameter: Parameter) -> NumberRow:
        row = parameter_row(parameter, self._with_value, self.changes, "kernel_bar")
        row.label.setText(parameter.symbol or parameter.title)
        return row

    def _with_value(self, name: str, value: float) -> SessionSettings:
        settings = self.scene.settings
        return replace(settings, kernel=settings.kernel.with_value(name, value))

    def _on_family_changed(self, index: int) -> None:
        kernel = KernelSettings(self._family.itemData(index))
        self.changes.request(replace(self.scene.settings, kernel=kernel))
