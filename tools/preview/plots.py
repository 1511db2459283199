"""Samples of the plots, of the table and of the whole board."""

from dataclasses import replace

import numpy as np
from PySide6.QtWidgets import QWidget

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.engine.settings import KernelSettings, ViewSettings
from kpca_viewer.features.columns.compute import measure_columns
from kpca_viewer.features.columns.content import column_rows, influence_bars
from kpca_viewer.features.columns.text import influence_table
from kpca_viewer.features.columns.view import ColumnsView
from kpca_viewer.features.data_plot.panel import DataPanel
from kpca_viewer.features.derivation.page import DerivationPage
from kpca_viewer.features.derivation.view import DerivationView
from kpca_viewer.features.kernel_curve.text import MarkedPair
from kpca_viewer.features.kernel_curve.view import KernelCurve
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.features.lift.both_sides import BothSides
from kpca_viewer.features.lift.both_sides_view import BothSidesView
from kpca_viewer.features.outliers.page import OddRowsPage, OddRowsView
from kpca_viewer.features.random_baseline.page import RealityPage
from kpca_viewer.features.random_baseline.view import RealityView
from kpca_viewer.features.rebuild.compute import REBUILDING
from kpca_viewer.features.rebuild.view import RebuildView
from kpca_viewer.features.spectrum.view import SpectrumView
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.widgets.plots.coloring import Sizes, coloring
from kpca_viewer.widgets.plots.legend import Legend
from kpca_viewer.widgets.plots.legend_parts import ShapeLegend, SizeLegend
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.board import Board
from tools.preview.samples import (
    CIRCLES,
    THREE_POINTS,
    WINE,
    rebuilt,
    result,
    scene,
    with_odd_rows,
    with_random_data,
)

LIFTED = replace(
    CIRCLES,
    kernel=KernelSettings("paraboloid"),
    view=replace(CIRCLES.view, lift="paraboloid", motion=False),
)
SQUARE = Kernel("poly", gamma=1, coef0=0, degree=2)
PAIR = ((0.3, -0.7), (1.1, 0.2))
CLASSES = ("setosa", "versicolor", "virginica")


def legend(theme: Theme) -> Legend:
    """Show what the colours mean; a click hides a class."""
    widget = Legend()
    widget.set_classes(CLASSES, theme, unlabelled=True)
    widget.set_hidden({1})
    return widget


def legend_scale(theme: Theme) -> Legend:
    """Show what the colours mean where they are numbers."""
    widget = Legend()
    widget.set_continuous("petal length", ("1", "6.9"), theme)
    return widget


def shape_legend(theme: Theme) -> ShapeLegend:
    """Show what the shapes mean."""
    widget = ShapeLegend()
    widget.show_shapes("species", CLASSES, theme)
    return widget


def size_legend(theme: Theme) -> SizeLegend:
    """Show what the sizes mean."""
    widget = SizeLegend()
    widget.show_sizes(Sizes(np.linspace(0, 1, 5), "T²", 0.04, 9.2), theme)
    return widget


def scatter_2d(theme: Theme) -> ScatterView:
    """Show points in the plane, some of them selected."""
    return _scatter(theme, 2)


def scatter_3d(theme: Theme) -> ScatterView:
    """Show points in space, turned by dragging."""
    return _scatter(theme, 3)


def _scatter(theme: Theme, dimensions: int) -> ScatterView:
    shown = result(WINE)
    view = ScatterView()
    view.set_theme(theme)
    names = [f"PC {j + 1}" for j in range(dimensions)]
    view.set_points(shown.scores[:, :dimensions], names)
    assert shown.dataset.labels is not None
    view.set_colors(shown.dataset.labels, "class", shown.dataset.label_names)
    if dimensions == 2:
        view.area.cloud.set_selected(shown.scores[:, 0] > np.median(shown.scores[:, 0]))
    return view


def isolines(theme: Theme) -> DataPanel:
    """Show the data with lines along which a component is the same."""
    panel = DataPanel(Linking(), Changes())
    panel.set_theme(theme)
    panel.show_scene(scene(CIRCLES))
    return panel


def lift(theme: Theme) -> DataPanel:
    """Show the data raised into feature space, with its components."""
    panel = DataPanel(Linking(), Changes())
    panel.set_theme(theme)
    panel.show_scene(scene(LIFTED))
    return panel


def both_sides(theme: Theme) -> QWidget:
    """Show a kernel value by its map and by its formula."""
    view = BothSidesView()
    a, b = PAIR
    view.show_points(PAIR, ("x1", "x2"), "")
    view.show_sides(BothSides.of(SQUARE, np.array(a), np.array(b)), ["x₁", "x₂"])
    return view


def spectrum(theme: Theme) -> SpectrumView:
    """Show the eigenvalues as bars, the variance that they hold, and the cut."""
    view = SpectrumView()
    view.set_theme(theme)
    view.show_result(result(WINE), WINE.view)
    return view


def matrix(theme: Theme) -> GramView:
    """Show the kernel matrix, sorted by classes."""
    view = GramView()
    view.set_theme(theme)
    view.show_result(result(WINE), WINE.view)
    return view


def rebuilt_matrix(theme: Theme) -> RebuildView:
    """Show the kernel matrix beside the sum of its largest parts."""
    return _rebuild(theme, ViewSettings(rebuilt_from=3))


def three_ways(theme: Theme) -> RebuildView:
    """Show classical MDS, PCA and the linear kernel beside each other."""
    return _rebuild(theme, ViewSettings(rebuild="ways"))


def _rebuild(theme: Theme, settings: ViewSettings) -> RebuildView:
    view, shown = RebuildView(Linking()), rebuilt()
    view.set_theme(theme)
    found = shown.get(REBUILDING)
    assert found is not None
    drawn = Scene().changed(
        result=shown, settings=replace(shown.settings, view=settings)
    )
    view.show_rebuilding(drawn, found)
    return view


def columns(theme: Theme) -> ColumnsView:
    """Show which columns move PC 1, and the strongest of them beside it."""
    view, shown = ColumnsView(), result(WINE)
    view.set_theme(theme)
    ranked = measure_columns(shown, units="spread").ranked(0)
    view.show_what("influence")
    view.show_bars(influence_bars(ranked), lambda: influence_table(ranked), None)
    colors = coloring(shown, shown.settings.view)
    view.show_column(column_rows(shown, ranked.columns[0].column, 0, colors))
    return view


def odd_rows(theme: Theme) -> OddRowsView:
    """Show leverage against distance to the model, and the rows to look at first."""
    page = OddRowsPage(Linking(), Changes())
    page.set_theme(theme)
    page.show_scene(with_odd_rows())
    return page.view


def is_it_real(theme: Theme) -> RealityView:
    """Show the picture beside random data by the same kernel."""
    page = RealityPage(Linking(), Changes())
    page.set_theme(theme)
    page.show_scene(with_random_data())
    return page.view


def kernel_curve(theme: Theme) -> KernelCurve:
    """Show the kernel over the distances of the data, with a pair of rows on it."""
    view, shown = KernelCurve(), result()
    view.set_theme(theme)
    kernel, pairs = shown.kernel, shown.pairs
    assert kernel is not None
    assert pairs is not None
    view.show_kernel(kernel, pairs)
    at, value = pairs.axis.of_pair(kernel, shown.points, 0, 5)
    view.mark(MarkedPair(("row 1", "row 6"), at, value))
    return view


def table(theme: Theme) -> TableView:
    """Show the rows with their columns and scores, to sort, find and select."""
    view = TableView()
    view.set_theme(theme)
    view.show_result(result(WINE))
    return view


def derivation(theme: Theme) -> DerivationView:
    """Show every step of kernel PCA on three points, one entry of K explained."""
    page = DerivationPage(Linking(), Changes())
    page.set_theme(theme)
    page.show_scene(scene(THREE_POINTS))
    page.view.grid("kernel").cell_chosen.emit((0, 2))
    return page.view


def board(theme: Theme) -> Board:
    """Show data, embedding, spectrum and comparison, linked by rows."""
    widget = Board()
    widget.show_scene(scene(CIRCLES).changed(theme=theme))
    return widget
