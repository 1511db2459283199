"""Samples of what stands around the plots: cards, kernel line, verdict, help."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtWidgets import QMainWindow, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.features.export_panel.panel import ExportPanel
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.features.kernel_search.panel import ChoicePanel, EvidencePanel
from kpca_viewer.features.kernel_search.text import ChoiceState
from kpca_viewer.features.large_tables.sheet import (
    ClusterAddress,
    ComputeSheet,
    ConnectionState,
)
from kpca_viewer.features.lessons.answers import ChoiceAnswer
from kpca_viewer.features.lessons.strip import LessonStrip
from kpca_viewer.features.pins.page import CompareView
from kpca_viewer.features.pins.pins import Pin
from kpca_viewer.features.sweep.gallery import Gallery
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.composed_picture import ExportContent
from kpca_viewer.widgets.controls import (
    Card,
    FormulaLabel,
    FormulaText,
    MessageBar,
    NumberRow,
    PlotPanel,
    ProgressLine,
    SearchCombo,
    Segmented,
    Switch,
    align_labels,
)
from kpca_viewer.widgets.picture_sources import board_sources
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.help import HelpPanel
from kpca_viewer.window.kernel_bar import KernelBar
from kpca_viewer.window.sidebar.appearance_card import AppearanceCard, LooksPanel
from kpca_viewer.window.sidebar.components_card import ComponentsCard
from kpca_viewer.window.sidebar.data_card import DataCard
from kpca_viewer.window.sidebar.kernel_card import KernelCard
from kpca_viewer.window.sidebar.settings_card import SettingsCard
from kpca_viewer.window.sidebar.sidebar import Sidebar
from kpca_viewer.window.verdict_line import VerdictLine
from tools.preview.plots import board, scatter_2d
from tools.preview.samples import (
    CIRCLES,
    WINE,
    chosen,
    chosen_pictures,
    grid,
    planets,
    result,
    scene,
    shades,
    swept,
)

Follower = TypeVar("Follower", bound=SettingsCard | Sidebar | KernelBar | LooksPanel)


def data_card(_theme: Theme) -> SettingsCard:
    """Show which data, with their parameters and scaling."""
    return _followed(DataCard)


def kernel_card(_theme: Theme) -> SettingsCard:
    """Show the formula of the kernel and its other parameters."""
    return _followed(KernelCard)


def components_card(_theme: Theme) -> SettingsCard:
    """Show how many components, and how they are computed."""
    return _followed(ComponentsCard)


def appearance_card(_theme: Theme) -> SettingsCard:
    """Show what else is drawn: arrows, labels, isolines."""
    return _followed(AppearanceCard)


def sidebar(_theme: Theme) -> Sidebar:
    """Show all cards in their column."""
    return _followed(Sidebar)


def kernel_bar(_theme: Theme) -> KernelBar:
    """Show which kernel, with the slider of its main parameter."""
    return _followed(KernelBar)


def verdict_line(_theme: Theme) -> VerdictLine:
    """Show what the picture shows in one sentence, and its error bound."""
    line = VerdictLine()
    line.show_scene(scene(WINE))
    return line


def looks_panel(_theme: Theme) -> LooksPanel:
    """Show what colours, shapes, sizes and labels mean."""
    return _followed(LooksPanel)


def help_panel(_theme: Theme) -> QMainWindow:
    """Show the picture in sentences, words, gestures and keys."""
    window = QMainWindow()
    HelpPanel(window).show_scene(scene(WINE))
    return window


def _followed(make: Callable[[Changes], Follower]) -> Follower:
    """Return a widget that shows a session, and whatever is requested in it."""
    changes, shown = Changes(), scene(WINE)
    widget = make(changes)
    changes.setParent(widget)

    def on_settings_requested(settings: SessionSettings, _gesture: str | None) -> None:
        widget.show_scene(shown.changed(settings=settings))

    changes.settings_requested.connect(on_settings_requested)
    widget.show_scene(shown)
    return widget


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


def formula_text(_theme: Theme) -> FormulaText:
    """Show a sentence with a formula and a stressed word in it."""
    words = r"PCA of $\tilde K = HKH$ has $\mu_1$ = 9.3; *centre* first."
    return FormulaText(words)


def lesson_strip(_theme: Theme) -> LessonStrip:
    """Show a step of a lesson with its question."""
    strip = LessonStrip()
    strip.show_languages(("en", "de"), "en")
    strip.show_step(1, [True, False, False], "Which component?")
    strip.show_texts(r"Two rings, and $\mu_1$ = 9.3.", "Which one separates?")
    strip.show_field(ChoiceAnswer(("PC 1", "PC 2", "PC 3")), hint=True)
    strip.show_feedback("PC 2 is equally wide in both rings.", "warning")
    strip.show_attempts(1)
    return strip


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


def import_sheet(_theme: Theme) -> ImportSheet:
    """Show what the columns of a file mean, asked before it is opened."""
    return ImportSheet(planets())


def export_panel(theme: Theme) -> ExportPanel:
    """Show pictures, numbers, code and a report of what is shown, to save or copy."""
    source = board(theme)
    content = ExportContent(source.scene, None, Document(settings=CIRCLES))
    panel = ExportPanel(board_sources(source), content)
    # The panel draws from it; it is never shown itself.
    source.setParent(panel)
    source.hide()
    return panel


def compute_sheet(_theme: Theme) -> ComputeSheet:
    """Show the cluster that computes large data and sweeps."""
    sheet = ComputeSheet()
    sheet.set_address(ClusterAddress("tcp://head:8786"))
    text = "Connected: 4 workers, 16 threads, 3.1 GB of 64 GB in use."
    sheet.show_state(ConnectionState("on", text, "http://head:8787/status"))
    return sheet


def sweep_strip(theme: Theme) -> SweepStrip:
    """Show a sweep as a film with the curve of a measure above it."""
    strip = SweepStrip()
    strip.show_scene(scene(CIRCLES).changed(theme=theme))
    strip.show_result(swept())
    return strip


def sweep_setup(theme: Theme) -> SweepStrip:
    """Show the line in which a sweep is set and started."""
    strip = SweepStrip()
    strip.show_scene(scene(CIRCLES).changed(theme=theme))
    return strip


def gallery(theme: Theme) -> Gallery:
    """Show all pictures of a sweep over two parameters, with their map."""
    widget = Gallery(_linking())
    widget.set_theme(theme)
    widget.set_shades(shades())
    widget.show_result(grid(), "silhouette")
    return widget


def heat_map(theme: Theme) -> Gallery:
    """Show a measure over two parameters as a map."""
    widget = gallery(theme)
    widget.set_as_map(True)
    return widget


def compare(theme: Theme) -> CompareView:
    """Show two pictures that were pinned, and what is different about them."""
    view = CompareView(_linking())
    view.set_theme(theme)
    view.follow(CIRCLES.data, shades())
    others = replace(CIRCLES, kernel=KernelSettings(values=(("gamma", 10.0),)))
    view.set_pins([Pin.of_result(result(each)) for each in (CIRCLES, others)])
    return view


def choice(theme: Theme) -> ChoicePanel:
    """Show kernels in order, below the one to take."""
    panel = ChoicePanel()
    panel.set_theme(theme)
    panel.set_shades(shades())
    panel.show_state(ChoiceState("done", chosen()))
    for point in chosen_pictures():
        panel.table.show_picture(point)
    return panel


def choice_evidence(theme: Theme) -> QWidget:
    """Show the evidence for a kernel: a sentence and the curve of its scores."""
    panel = EvidencePanel()
    panel.set_theme(theme)
    panel.show_row(chosen().chosen, chosen())
    return panel


def _linking() -> Linking:
    linking = Linking()
    linking.reset(result(CIRCLES).dataset.n)
    return linking
