"""What the pages of the export panel are made of: lines of a label and a control."""

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.widgets.controls import NumberField, Segmented, Switch
from kpca_viewer.widgets.controls.combos import labelled


def segmented(
    name: str, title: str, options: Sequence[tuple[str, str] | tuple[str, str, str]]
) -> Segmented:
    """Return a choice of a few."""
    control = Segmented(options, title)
    control.setObjectName(name)
    return control


def number_field(parameter: Parameter, limits: tuple[float, float]) -> NumberField:
    """Return a field for a number between limits."""
    field = NumberField(parameter, limits)
    field.setObjectName(f"export_{parameter.name}_field")
    return field


def switch(name: str, text: str, tip: str) -> Switch:
    """Return something that is on or off."""
    control = Switch(text)
    control.setObjectName(f"export_{name}_switch")
    control.setToolTip(tip)
    # A hint in whole pixels may be a fraction too small for its own text.
    control.setMinimumWidth(control.sizeHint().width() + 2)
    return control


def add_lines(
    column: QVBoxLayout, rows: Sequence[tuple[str, Sequence[QWidget]]]
) -> list[QWidget]:
    """Put labels and their controls below each other; returns the lines.

    All labels are equally wide. Combo boxes fill their line, the rest is as wide as it
    needs to be.
    """
    labels, lines = [], []
    for text, widgets in rows:
        label, line = labelled(text, *widgets)
        layout = line.layout()
        assert isinstance(layout, QHBoxLayout)
        if not isinstance(widgets[0], QComboBox):
            layout.setStretchFactor(widgets[0], 0)
            layout.addStretch(1)
        labels.append(label)
        lines.append(line)
        column.addWidget(line)
    width = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setFixedWidth(width)
    return lines
