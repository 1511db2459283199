"""Samples of the controls."""

from PySide6.QtWidgets import QVBoxLayout, QWidget

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.widgets.controls import (
    Card,
    FormulaLabel,
    MessageBar,
    NumberRow,
    PlotPanel,
    ProgressLine,
    SearchCombo,
    Segmented,
    Switch,
    align_labels,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.preview.plots import scatter_2d

GAMMA = FAMILIES["rbf"].parameters[0]


def number_row(_theme: Theme) -> NumberRow:
    """Show a number with its slider, the symbol of formulas and a suggestion."""
    row = NumberRow(GAMMA)
    row.set_value(0.6)
    row.set_suggestion(2.0)
    return row


def segmented(_theme: Theme) -> Segmented:
    """Show one of a few choices beside each other."""
    choice = Segmented(
        [
            ("lasso", "Lasso", "Drag around points"),
            ("rectangle", "Box", "Drag a rectangle"),
            ("3d", "3-D", "In three dimensions"),
        ],
        name="Tool",
    )
    choice.set_value("rectangle")
    return choice


def switch(_theme: Theme) -> Switch:
    """Show something that is on or off."""
    widget = Switch("Centre the kernel matrix")
    widget.setChecked(True)
    return widget


def card(theme: Theme) -> Card:
    """Show a titled group of controls that folds away."""
    widget = Card("Kernel")
    rows = [NumberRow(parameter) for parameter in FAMILIES["poly"].parameters]
    align_labels(*rows)
    for row in (*rows, switch(theme)):
        widget.add(row)
    return widget


def message_bar(_theme: Theme) -> MessageBar:
    """Show a sentence with what can be done about it."""
    bar = MessageBar()
    bar.show_message(
        "warning",
        "Three columns have very different ranges; the largest decides the picture.",
        [("Standardise columns", lambda: None)],
    )
    return bar


def formula_label(_theme: Theme) -> FormulaLabel:
    """Show a formula with numbers in it, set like in a book."""
    kernel = Kernel("rbf", gamma=0.6)
    return FormulaLabel(kernel.formula(), kernel.plain_formula())


def search_combo(_theme: Theme) -> SearchCombo:
    """Show a list that is searched by typing, where it is long."""
    combo = SearchCombo()
    names = [generator.title for generator in GENERATORS.values()]
    combo.set_items([(f"{name} {j}", j) for j in range(3) for name in names])
    return combo


def progress_line(_theme: Theme) -> QWidget:
    """Show how far a computation is, and how to end it."""
    below = QWidget()
    column = QVBoxLayout(below)
    line = ProgressLine(below)
    column.addWidget(line)
    column.addStretch(1)
    line.report("eigenvalues", 0.4)
    return below


def plot_panel(theme: Theme) -> PlotPanel:
    """Show a plot with its title, tools and the line below it."""
    panel = PlotPanel("Embedding", scatter_2d(theme))
    panel.add_tool(segmented(theme))
    panel.set_caption("86.4 % of the variance")
    return panel
