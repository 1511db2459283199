"""Samples of what shows sweeps and choices."""

from kpca_viewer.features.kernel_search.choice_window import ChoiceWindow
from kpca_viewer.features.kernel_search.text import ChoiceState
from kpca_viewer.features.sweep.compare import CompareView
from kpca_viewer.features.sweep.gallery import Gallery
from kpca_viewer.features.sweep.heat_map import HeatMap
from kpca_viewer.features.sweep.pins import Pin
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.preview.samples import (
    CIRCLES,
    chosen,
    chosen_pictures,
    grid,
    result,
    scene,
    shades,
    swept,
)


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


def heat_map(theme: Theme) -> HeatMap:
    """Show a measure over two parameters."""
    view = HeatMap()
    view.set_theme(theme)
    view.show_result(grid())
    view.set_measure("silhouette")
    return view


def compare(theme: Theme) -> CompareView:
    """Show two pictures that were pinned, and what is different about them."""
    view = CompareView(_linking())
    view.set_theme(theme)
    view.set_shades(shades())
    view.set_board(CIRCLES.data)
    points = swept().points
    view.set_pins([Pin.of_point(points[0]), Pin.of_point(points[-1])])
    return view


def choice(theme: Theme) -> ChoiceWindow:
    """Show kernels in order, with the evidence for the first."""
    window = ChoiceWindow()
    window.set_theme(theme)
    window.set_shades(shades())
    window.show_state(ChoiceState("done", chosen()))
    for point in chosen_pictures():
        window.show_picture(point)
    return window


def _linking() -> Linking:
    linking = Linking()
    linking.reset(result(CIRCLES).dataset.n)
    return linking
