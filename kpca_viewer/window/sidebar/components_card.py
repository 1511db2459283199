"""How many components, which of them on the axes, and by which solver."""

from dataclasses import replace
from operator import attrgetter

from PySide6.QtWidgets import QComboBox

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.solvers.choice import IN_PLACE_OF
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.stages import most_components
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.controls import Fold, SearchCombo, align_labels
from kpca_viewer.widgets.controls.combos import fill_combo, labelled, named_combo
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.window.sidebar.settings_card import SettingsCard

COMPONENTS = Parameter(
    "components",
    "",
    "Components",
    2,
    50,
    10,
    "integer",
    help="How many components are computed and offered for the axes.",
)
SOLVERS: list[tuple[str, object]] = [
    ("Automatic", "auto"),
    ("Low rank", "lowrank"),
    ("Block Krylov", "krylov"),
    ("Dense", "dense"),
]


class ComponentsCard(SettingsCard):
    """Number of components, axes of the embedding, solver."""

    part = attrgetter("shown.analysis", "shown.view", "decomposition", "known_dataset")

    def __init__(self, changes: Changes) -> None:
        super().__init__("Components", changes, collapsed=True)
        self.words = "how many axes number solver"
        self.setObjectName("components_card")
        self._count = self.number_row(COMPONENTS, self._with_components)
        self.add(self._count)
        self._axes: list[SearchCombo] = []
        labels = []
        for position, axis in enumerate("xyz"):
            combo = named_combo(
                f"{axis}_axis_combo",
                f"Component on the {axis} axis",
                f"{tip('component')}\nThis one is on the {axis} axis of the embedding.",
            )
            combo.setProperty("position", position)
            combo.currentIndexChanged.connect(self._on_axis_changed)
            label, row = labelled(f"{axis} axis", combo)
            self._axes.append(combo)
            labels.append(label)
            self.add(row)
        advanced = Fold("Advanced", collapsed=True)
        advanced.setObjectName("advanced_fold")
        advanced.header.setObjectName("advanced_header")
        self._solver = named_combo(
            "solver_combo",
            "Solver",
            "How the eigenvalues are found; automatic is right nearly always.",
        )
        fill_combo(self._solver, SOLVERS, "auto")
        self._solver.currentIndexChanged.connect(self._on_solver_changed)
        solver_label, row = labelled("Solver", self._solver)
        advanced.add(row)
        self.add(advanced)
        align_labels(self._count, *labels, solver_label)

    def is_put_away(self) -> bool:
        """Return whether it is folded: its shares change with every step of γ."""
        return self.collapsed()

    def refresh(self) -> None:
        """Push the scene into the controls."""
        settings, result = self.scene.shown, self.scene.result
        self._limit()
        k = settings.analysis.components
        shares, mark = None, ""
        if result is not None:
            k, shares = result.scores.shape[1], result.shares
            mark = result.mass.mark
        items: list[tuple[str, object]] = []
        for j in range(k):
            share = f"  ({mark}{percent(shares[j])})" if shares is not None else ""
            items.append((f"PC {j + 1}{share}", j))
        for combo, axis in zip(self._axes, settings.view.axes, strict=True):
            fill_combo(combo, items, axis)
        self._axes[2].setEnabled(settings.view.embedding_3d)
        chosen = settings.analysis.solver
        chosen = "krylov" if chosen in IN_PLACE_OF else chosen
        fill_combo(self._solver, SOLVERS, chosen)

    def _show_body(self, shown: bool) -> None:
        if shown:
            self.show_newest()
        super()._show_body(shown)

    def _limit(self) -> None:
        """Offer no more components than the rows have."""
        settings, result = self.scene.shown, self.scene.result
        low, high, why = COMPONENTS.low, COMPONENTS.high, ""
        if result is not None and self.scene.known_dataset is not None:
            n = result.dataset.n
            most = most_components(result.dataset, result.kernel, settings)
            if most < high:
                low, high = min(low, most), most
                why = f"{n:,} rows have no more" + (" once centred" if most < n else "")
        self._count.set_limits(low, high, why)
        self._count.set_suggestion(min(COMPONENTS.default, high))
        # What was requested holds again as soon as there are rows enough.
        self._count.set_value(min(settings.analysis.components, high))

    def _with_components(self, _name: str, value: float) -> SessionSettings:
        analysis = replace(self.settings.analysis, components=int(value))
        return replace(self.settings, analysis=analysis)

    def _on_axis_changed(self, index: int) -> None:
        combo = self.sender()
        if not isinstance(combo, QComboBox) or index < 0:
            return
        position, component = combo.property("position"), combo.itemData(index)
        view = self.settings.view.with_axis(position, component)
        self.changes.request(replace(self.settings, view=view))

    def _on_solver_changed(self, index: int) -> None:
        analysis = replace(self.settings.analysis, solver=self._solver.itemData(index))
        self.changes.request(replace(self.settings, analysis=analysis))
