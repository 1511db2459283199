"""Small controls that stand alone: they show a value and emit what is entered."""

from kpca_viewer.widgets.controls.behaviour import (
    WheelGuard,
    resize_for_type,
    type_factor,
)
from kpca_viewer.widgets.controls.buttons import IconButton, Segmented, Switch
from kpca_viewer.widgets.controls.combos import FindField, FittingCombo, SearchCombo
from kpca_viewer.widgets.controls.fold import Card, Fold
from kpca_viewer.widgets.controls.formula_label import FormulaLabel
from kpca_viewer.widgets.controls.formula_text import FormulaText
from kpca_viewer.widgets.controls.labels import ElidedLabel
from kpca_viewer.widgets.controls.message_bar import Footer, MessageBar
from kpca_viewer.widgets.controls.number_field import NumberField, parse_number
from kpca_viewer.widgets.controls.number_row import NumberRow, align_labels
from kpca_viewer.widgets.controls.plot_panel import PlotPanel
from kpca_viewer.widgets.controls.progress_line import ProgressLine
from kpca_viewer.widgets.controls.shrinking_row import ShrinkingRow

__all__ = [
    "Card",
    "ElidedLabel",
    "FindField",
    "FittingCombo",
    "Fold",
    "Footer",
    "FormulaLabel",
    "FormulaText",
    "IconButton",
    "MessageBar",
    "NumberField",
    "NumberRow",
    "PlotPanel",
    "ProgressLine",
    "SearchCombo",
    "Segmented",
    "ShrinkingRow",
    "Switch",
    "WheelGuard",
    "align_labels",
    "parse_number",
    "resize_for_type",
    "type_factor",
]
