"""Small controls that stand alone: they show a value and emit what is entered."""

from kpca_viewer.ui.controls.combos import FittingCombo
from kpca_viewer.ui.controls.dialog_size import resize_for_type, type_factor
from kpca_viewer.ui.controls.find_field import FindField
from kpca_viewer.ui.controls.fold import Card, Fold
from kpca_viewer.ui.controls.formula_label import FormulaLabel
from kpca_viewer.ui.controls.icon_button import IconButton
from kpca_viewer.ui.controls.labels import ElidedLabel
from kpca_viewer.ui.controls.message_bar import Footer, MessageBar
from kpca_viewer.ui.controls.number_field import NumberField
from kpca_viewer.ui.controls.number_row import NumberRow, align_labels
from kpca_viewer.ui.controls.numbers import parse_number
from kpca_viewer.ui.controls.plot_panel import PlotPanel
from kpca_viewer.ui.controls.progress_line import ProgressLine
from kpca_viewer.ui.controls.search_combo import SearchCombo
from kpca_viewer.ui.controls.segmented import Segmented
from kpca_viewer.ui.controls.shrinking_row import ShrinkingRow
from kpca_viewer.ui.controls.switch import Switch
from kpca_viewer.ui.controls.wheel import WheelGuard

__all__ = [
    "Card",
    "ElidedLabel",
    "FindField",
    "FittingCombo",
    "Fold",
    "Footer",
    "FormulaLabel",
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
