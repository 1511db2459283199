"""How the points look; nothing here computes."""

from collections.abc import Sequence
from dataclasses import replace
from operator import attrgetter

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.projection import no_lengths
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.kernel_function import FUNCTION, WEIGHT, has_functions
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_numbers import COLOR, NUMERALS
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.widgets.controls import SearchCombo, Switch, align_labels
from kpca_viewer.widgets.controls.combos import fill_combo, labelled, named_combo
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.scene import Changes, ShowsScene
from kpca_viewer.window.sidebar.settings_card import SettingsCard

Choices = list[tuple[str, object]]
"""What a person reads, and the value of the view settings."""


def color_choices(result: AnalysisResult | None) -> Choices:
    """Return what points can be coloured by: classes, columns, components, oddness."""
    if result is None:
        return [("Class", "label")]
    dataset = result.dataset
    items = _classes(dataset)
    items += [
        (name, f"column:{name}")
        for name, column in dataset.columns.items()
        if column.numeric or column.categories or column.seconds is not None
    ]
    items += _features(dataset)
    items += [(f"PC {j + 1}", f"component:{j}") for j in range(result.scores.shape[1])]
    axes = result.settings.view.judged_axes(result.scores.shape[1])
    items += [(f"Weight α in PC {j + 1}", f"{WEIGHT}{j}") for j in axes]
    if has_functions(result):
        items.append(("k(x, ·) of the row pointed at", f"{FUNCTION}0"))
    return [*items, *_oddness(result), ("One colour", "none")]


def size_choices(result: AnalysisResult | None) -> Choices:
    """Return what the size of a point can mean: how odd a row is."""
    return [("One size", "none"), *([] if result is None else _oddness(result))]


def _oddness(result: AnalysisResult) -> Choices:
    return [
        (numeral.title, f"{COLOR}{numeral.key}")
        for numeral in NUMERALS
        if not (numeral.of_lengths and no_lengths(result.decomposition))
    ]


def shape_choices(result: AnalysisResult | None) -> Choices:
    """Return what the shape of a point can mean: classes and other categories."""
    if result is None:
        return [("One shape", "none")]
    columns = result.dataset.columns.items()
    return [
        ("One shape", "none"),
        *_classes(result.dataset),
        *((name, f"column:{name}") for name, c in columns if c.categories is not None),
    ]


def label_choices(result: AnalysisResult | None) -> Choices:
    """Return what can be written beside a point: its name, and any column."""
    if result is None:
        return [("Row number", "row")]
    dataset = result.dataset
    first = "Row number" if dataset.row_names is None else "Row name"
    return [
        (first, "row"),
        *_classes(dataset),
        *((name, f"column:{name}") for name in dataset.columns),
        *_features(dataset),
    ]


def shown_choice(choices: Choices, wanted: str, otherwise: Sequence[str]) -> object:
    """Return the value that is shown: what is wanted, or the first that there is."""
    values = {value for _, value in choices}
    return next((value for value in (wanted, *otherwise) if value in values), None)


def _classes(dataset: Dataset) -> Choices:
    return [] if dataset.labels is None else [("Class", "label")]


def _features(dataset: Dataset) -> Choices:
    # The columns of a given matrix are its rows once more.
    names = dataset.feature_names if dataset.kind == "points" else ()
    return [(name, f"feature:{j}") for j, name in enumerate(names)]


ARROWS: Choices = [
    ("Off", "off"),
    ("At the row pointed at", "point"),
    ("Mean of all rows", "mean"),
    ("Everywhere, one column", "field"),
]
"""Arrows of the embedding."""


OPACITY_STEPS = 20


class LooksPanel(ShowsScene, QWidget):
    """What colour, shape, size and label of a point mean; stands beside the legend."""

    part = attrgetter("shown.view", "dataset", "components", "has_lengths")

    def __init__(self, changes: Changes) -> None:
        super().__init__()
        self.setObjectName("looks_panel")
        self.changes = changes
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(4, 8, 8, 4)
        self._layout.setSpacing(2)
        self._color = self._choice(
            "color_by",
            "Colour",
            "What the colour of a point means, in all plots: any column of the file, "
            "feature or component, or how odd a row is to the model.",
        )
        self._shape = self._choice(
            "shape_by",
            "Shape",
            "What the shape of a point means: classes, or a column of categories.",
        )
        self._size_by = self._choice(
            "size_by",
            "Size",
            "What the size of a point means: how odd a row is to the model.",
        )
        self._label = self._choice(
            "label_by",
            "Label",
            "What is written beside points that are selected or named, and beside all "
            "where labels are switched on.",
        )

        self._opacity = ValueSlider()
        self._opacity.setObjectName("opacity_slider")
        self._opacity.setAccessibleName("Opacity")
        self._opacity.setToolTip(
            "How much a point hides of what lies behind it. A double-click leaves that "
            "to the number of points."
        )
        self._opacity.setRange(1, OPACITY_STEPS)
        self._opacity.valueChanged.connect(self._on_opacity_changed)
        self._opacity.sliderReleased.connect(self.changes.gesture_ended)
        self._opacity.reset_requested.connect(self._on_opacity_reset)
        self._add("Opacity", self._opacity)
        # Where the height is scarce, the legend scrolls.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        view, result = self.scene.shown.view, self.scene.result
        with QSignalBlocker(self._opacity):
            share = 1.0 if view.opacity is None else view.opacity
            self._opacity.setValue(round(share * OPACITY_STEPS))
        scale = ""
        if result is not None and view.color_by == "label":
            scale = f"column:{result.dataset.scale}"
        # Whatever the row is, it is one choice.
        function = view.color_by.startswith(FUNCTION)
        color_by = f"{FUNCTION}0" if function else view.color_by
        for combo, choices, wanted, otherwise in (
            # What the plots show where the request cannot be met: see `coloring`.
            (self._color, color_choices(result), color_by, (scale, "none")),
            (self._shape, shape_choices(result), view.shape_by, ("none",)),
            (self._size_by, size_choices(result), view.size_by, ("none",)),
            (self._label, label_choices(result), view.label_by, ("row",)),
        ):
            fill_combo(combo, choices, shown_choice(choices, wanted, otherwise))

    def _choice(self, field: str, title: str, tip: str) -> SearchCombo:
        combo = named_combo(f"{field.removesuffix('_by')}_combo", title, tip)
        combo.setMinimumContentsLength(6)
        combo.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._add(title, combo)

        def on_chosen(index: int) -> None:
            if index >= 0:
                settings = self.scene.settings
                view = replace(settings.view, **{field: combo.itemData(index)})
                self.changes.request(replace(settings, view=view))

        combo.currentIndexChanged.connect(on_chosen)
        return combo

    def _add(self, title: str, control: QWidget) -> None:
        label = QLabel(title)
        label.setProperty("role", "caption")
        label.setBuddy(control)
        self._layout.addWidget(label)
        self._layout.addWidget(control)

    def _on_opacity_changed(self, step: int) -> None:
        self._set_opacity(step / OPACITY_STEPS)

    def _on_opacity_reset(self) -> None:
        self._set_opacity(None)
        self.changes.gesture_ended.emit()

    def _set_opacity(self, opacity: float | None) -> None:
        settings = self.scene.settings
        view = replace(settings.view, opacity=opacity)
        self.changes.request(replace(settings, view=view), "looks.opacity")


POINT_SIZE = Parameter(
    "point_size", "", "Size", 2, 20, 7, help="Diameter of a point in pixels."
)


class AppearanceCard(SettingsCard):
    """Size, arrows, labels, isolines, bootstrap, motion, scale."""

    part = attrgetter("shown.view", "dataset", "components", "has_lengths")

    def __init__(self, changes: Changes) -> None:
        super().__init__("Appearance", changes, collapsed=True)
        self.words = "size arrows labels isolines bootstrap ellipses motion"
        self.setObjectName("appearance_card")
        self._arrows = named_combo(
            "arrows_combo",
            "Arrows",
            "Arrows in the embedding: where rows would go if one of their columns grew "
            "by one standard deviation.",
        )
        self._arrows.currentIndexChanged.connect(self._on_arrows_changed)
        arrows_label, row = labelled("Arrows", self._arrows)
        self.add(row)
        self._size = self.number_row(POINT_SIZE, self._with_size)
        self._size.set_suggestion(POINT_SIZE.default)
        self.add(self._size)
        self._labels = self._switch(
            "labels_switch",
            "Labels beside points",
            "Write a label beside every point that has room for one; zoom in for more. "
            "Selected and named rows always have theirs.",
        )
        self._isolines = self._switch(
            "isolines_switch",
            "Isolines of the component",
            "Lines along which the component on the x axis has one value (plane data).",
        )
        self._bootstrap = self._switch(
            "bootstrap_switch",
            "Bootstrap ellipses and whiskers",
            "How far points and eigenvalues move when the rows are drawn anew, in 95 % "
            "of fits, by models of two halves of them; a point that moves farther than "
            "the picture is wide is faint.",
        )
        self._motion = self._switch(
            "motion_switch",
            "Animate changes",
            "Points move to their new places instead of jumping there.",
        )
        self._fills = self._switch(
            "fills_switch",
            "Fill the panel",
            "Embedding, linear PCA and the pictures of a sweep fill their panels; off, "
            "one unit is equally long on all axes.",
        )
        align_labels(arrows_label, self._size)

    def refresh(self) -> None:
        """Push the scene into the controls."""
        view, result = self.scene.shown.view, self.scene.result
        fill_combo(self._arrows, ARROWS, view.arrows)
        self._arrows.setEnabled(result is None or result.dataset.kind == "points")
        self._size.set_value(view.point_size)
        flat = result is None or result.dataset.d == 2
        self._isolines.setEnabled(flat)
        for switch, on in (
            (self._labels, view.labels),
            (self._isolines, view.isolines),
            (self._bootstrap, view.bootstrap),
            (self._motion, view.motion),
            (self._fills, view.fills),
        ):
            with QSignalBlocker(switch):
                switch.setChecked(on)

    def _switch(self, name: str, text: str, tip: str) -> Switch:
        switch = Switch(text)
        switch.setObjectName(name)
        switch.setAccessibleName(text)
        switch.setToolTip(tip)
        switch.toggled.connect(self._on_switch_toggled)
        self.add(switch)
        return switch

    def _with_size(self, _name: str, value: float) -> SessionSettings:
        return replace(
            self.settings, view=replace(self.settings.view, point_size=float(value))
        )

    def _on_arrows_changed(self, index: int) -> None:
        if index >= 0:
            view = replace(self.settings.view, arrows=self._arrows.itemData(index))
            self.changes.request(replace(self.settings, view=view))

    def _on_switch_toggled(self, _on: bool) -> None:
        view = replace(
            self.settings.view,
            labels=self._labels.isChecked(),
            isolines=self._isolines.isChecked(),
            bootstrap=self._bootstrap.isChecked(),
            motion=self._motion.isChecked(),
            fills=self._fills.isChecked(),
        )
        self.changes.request(replace(self.settings, view=view))
