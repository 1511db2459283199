"""How the points look; nothing here computes."""

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from kpca_viewer.core.parameters import Parameter
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.controls import Switch, align_labels
from kpca_viewer.ui.sidebar.settings_card import (
    SettingsCard,
    fill_combo,
    labelled,
    named_combo,
)

POINT_SIZE = Parameter(
    "point_size", "", "Size", 2, 20, 7, help="Diameter of a point in pixels."
)
MOST_FEATURES = 200
"""Features offered for colouring; a longer list could not be read."""


class AppearanceCard(SettingsCard):
    """Colour, size, isolines, motion, scale."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Appearance", parent)
        self.setObjectName("appearance_card")
        self._color = named_combo(
            "color_combo",
            "Colour by",
            "What the colour of a point means, in all plots.",
        )
        self._color.currentIndexChanged.connect(self._on_color_changed)
        color_label, row = labelled("Colour by", self._color)
        self.add(row)
        self._size = self.number_row(POINT_SIZE, self._with_size)
        self._size.set_suggestion(POINT_SIZE.default)
        self.add(self._size)
        self._isolines = self._switch(
            "isolines_switch",
            "Isolines of the component",
            "Lines along which the component on the x axis has one value (plane data).",
        )
        self._motion = self._switch(
            "motion_switch",
            "Animate changes",
            "Points move to their new places instead of jumping there.",
        )
        self._equal = self._switch(
            "equal_scale_switch",
            "Equal scale",
            "One unit is equally long on both axes of embedding and linear PCA; off "
            "lets them fill their panels.",
        )
        align_labels(color_label, self._size)

    def refresh(self, settings: SessionSettings, result: AnalysisResult | None) -> None:
        """Push the state into the controls."""
        choices = color_choices(result)
        keys = [key for _, key in choices]
        # What the plots show where the wish cannot be met: see `coloring`.
        shown: object = settings.view.color_by
        if shown not in keys:
            scale = "" if result is None else result.dataset.scale
            shown = f"column:{scale}" if shown == "label" and scale else "none"
        fill_combo(self._color, choices, shown)
        self._size.set_value(settings.view.point_size)
        flat = result is None or result.dataset.d == 2
        self._isolines.setEnabled(flat)
        for switch, on in (
            (self._isolines, settings.view.isolines),
            (self._motion, settings.view.motion),
            (self._equal, settings.view.equal_scale),
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

    def _on_color_changed(self, index: int) -> None:
        view = replace(self.settings.view, color_by=self._color.itemData(index))
        self.wish(replace(self.settings, view=view))

    def _on_switch_toggled(self, _on: bool) -> None:
        view = replace(
            self.settings.view,
            isolines=self._isolines.isChecked(),
            motion=self._motion.isChecked(),
            equal_scale=self._equal.isChecked(),
        )
        self.wish(replace(self.settings, view=view))


def color_choices(result: AnalysisResult | None) -> list[tuple[str, object]]:
    """Return what points can be coloured by: classes, columns, features, components."""
    if result is None:
        return [("Class", "label")]
    dataset = result.dataset
    items: list[tuple[str, object]] = []
    if dataset.labels is not None:
        items.append(("Class", "label"))
    items += [
        (name, f"column:{name}")
        for name, column in dataset.columns.items()
        if column.numeric or column.categories is not None
    ]
    if dataset.kind == "points":
        names = dataset.feature_names[:MOST_FEATURES]
        items += [(name, f"feature:{j}") for j, name in enumerate(names)]
    items += [(f"PC {j + 1}", f"component:{j}") for j in range(result.scores.shape[1])]
    items.append(("One colour", "none"))
    return items
