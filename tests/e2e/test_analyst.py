"""The analyst: rows selected everywhere at once; trouble and the way out of it."""

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.spectrum.view import SpectrumView
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.widgets.controls import Segmented
from tests.e2e.program import CTRL, LEFT, NO_KEY, SHIFT, Program

WINE = SessionSettings(data=DataSettings.of_source("wine"))


def lit(view) -> list[int]:
    """Return the rows that a plot does not fade."""
    mask = view.area.cloud.selected
    return [] if mask is None else np.flatnonzero(mask).tolist()


def odd_rows(view, count: int = 3) -> np.ndarray:
    """Return the rows at the top of a plot."""
    return np.argsort(view.pixels()[:, 1])[:count]


def inside(view, rows) -> list[int]:
    """Return all rows that a loop around these rows encloses."""
    pixels = view.pixels()
    # A loop has its corners at whole pixels.
    low = np.round(pixels[rows].min(axis=0) - 4)
    high = np.round(pixels[rows].max(axis=0) + 4)
    return np.flatnonzero(((pixels > low) & (pixels < high)).all(axis=1)).tolist()


def test_a_lasso_selects_rows_in_every_plot_and_in_the_table(start):
    program = start(WINE)
    embedding, data = program.board.embedding.view, program.board.data.view
    rows = odd_rows(embedding)
    expected = inside(embedding, rows)
    assert 3 <= len(expected) < 10
    with program.never_busy():
        program.lasso(embedding, rows)
        assert program.selected == expected
        assert lit(data) == expected, "the raw data do not show the selection"
        assert lit(program.board.compare.pca) == expected
    program.click(program.board.compare.pages.button("table"))
    # It lists how odd rows are, which nobody has asked for before.
    program.settle()
    table = program.find(TableView, "table_view")
    assert sorted(table.model.rows.tolist()) == expected
    assert table.caption() == f"{len(expected)} selected of 178 rows"
    label = program.find(QLabel, "selection_label")
    assert label.text() == f"{len(expected)} selected"

    # Shift adds, Alt removes, in any plot.
    more = np.argsort(-data.pixels()[:, 1])[:2]
    both = sorted({*expected, *inside(data, more)})
    program.lasso(data, more, SHIFT)
    assert program.selected == both
    assert sorted(table.model.rows.tolist()) == both
    program.lasso(embedding, rows, Qt.KeyboardModifier.AltModifier)
    assert program.selected == sorted(set(both) - set(expected))
    program.press(Qt.Key.Key_Escape)
    assert program.selected == []
    assert table.caption() == "All 178 rows"


def test_hover_lights_a_row_up_everywhere_and_a_box_selects_what_is_in_it(start):
    program = start(WINE)
    row = int(odd_rows(program.board.embedding.view, 1)[0])
    program.hover(program.board.embedding.view, row)
    assert program.board.data.view.area.cloud.hovered == row
    assert program.board.compare.pca.area.cloud.hovered == row
    program.click(program.find(Segmented, "selection_tool").button("rectangle"))
    view = program.board.embedding.view
    rows = odd_rows(view)
    pixels = view.pixels()[rows]
    low, high = pixels.min(axis=0) - 4, pixels.max(axis=0) + 4
    program.drag(view, [QPoint(*low.astype(int)), QPoint(*high.astype(int) + 1)])
    assert set(rows.tolist()) <= set(program.selected)
    assert len(program.selected) < 20


def test_rows_are_selected_by_keys_alone(start):
    program = start(WINE)
    canvas = program.board.embedding.view.canvas
    program.focus(canvas)
    program.press(Qt.Key.Key_Right)
    first = program.board.linking.hovered
    assert first is not None
    program.press(Qt.Key.Key_Return)
    assert program.selected == [first]
    program.press(Qt.Key.Key_Right)
    second = program.board.linking.hovered
    pixels = program.board.embedding.view.pixels()
    assert pixels[second, 0] > pixels[first, 0]
    program.press(Qt.Key.Key_Return, SHIFT)
    assert program.selected == sorted([first, second])
    program.press(Qt.Key.Key_3, CTRL | SHIFT)
    table = program.find(TableView, "table_view")
    assert sorted(table.model.rows.tolist()) == sorted([first, second])
    program.press(Qt.Key.Key_A, CTRL, on=canvas)
    assert len(program.selected) == 178
    program.press(Qt.Key.Key_I, CTRL, on=canvas)
    assert program.selected == []


def test_arrows_walk_to_the_edge_and_stop_there(start):
    # Points all over the plane, and some of them beside the middle on every side.
    program = start(WINE)
    view, linking = program.board.embedding.view, program.board.linking
    program.focus(view.canvas)
    for key, way in (
        (Qt.Key.Key_Up, (0, -1)),
        (Qt.Key.Key_Down, (0, 1)),
        (Qt.Key.Key_Left, (-1, 0)),
    ):
        linking.set_hovered(None)
        seen = []
        for _ in range(60):
            program.press(key)
            seen.append(linking.hovered)
        assert (np.diff(view.pixels()[seen] @ way) >= -1).all()
        assert len(set(seen)) > 3
        assert seen[-1] == seen[-2]


def test_a_class_is_hidden_in_every_plot_and_stays_hidden(program):
    legend = program.board.embedding.legend
    program.click(legend.findChild(QWidget, "legend_entry_0"))
    outer = program.result.dataset.labels == 0
    for view in (program.board.data.view, program.board.embedding.view):
        assert (view.area.cloud.shown == ~outer).all()
    program.press(Qt.Key.Key_R)
    program.settle()
    outer = program.result.dataset.labels == 0
    assert legend.hidden == {0}
    for view in (program.board.data.view, program.board.embedding.view):
        assert (view.area.cloud.shown == ~outer).all()


def test_sigmoid_shows_negative_bars_and_says_what_they_mean(program):
    program.press(Qt.Key.Key_7)
    program.settle()
    assert program.find(SpectrumView, "spectrum_view").bars.shares.min() < -0.01
    assert "negative mass" in program.caption("spectrum")
    assert "the kernel matrix is indefinite" in program.caption("spectrum")
    note = program.find(QWidget, "kernel_formula").toolTip()
    assert "Not positive semi-definite for all rows: no map φ" in note


def make_trouble(program: Program) -> None:
    """Set degree 10 and a large γ on unscaled data."""
    program.choose("source_combo", "Breast cancer")
    program.settle()
    program.choose("scaling_combo", "As they are")
    program.settle()
    program.action("kernel_poly").trigger()
    program.settle()
    for name, text in (("degree", "10"), ("gamma", "1e9")):
        program.focus(program.find(QWidget, f"{name}_field"))
        program.type(text)
        program.press(Qt.Key.Key_Return)
    program.settle()


def test_an_overflow_proposes_scaling_with_a_button_that_works(program):
    make_trouble(program)
    assert "overflows" in program.message()
    assert program.window.message_bar.severity() == "error"
    assert all(panel.is_dimmed() for panel in program.board.panels)
    assert program.result.dataset.name == "Breast cancer", "the picture is gone"
    assert program.board.embedding.view.point_count == 569

    program.click(program.buttons()["Standardise columns"])
    program.settle()
    assert program.settings.data.scaling == "standardise"
    assert program.find(QComboBox, "scaling_combo").currentData() == "standardise"
    assert program.message() == ""
    assert not any(panel.is_dimmed() for panel in program.board.panels)
    assert program.result.settings == program.settings


def test_a_steep_power_is_drawn_and_proposes_scaling(start):
    values = as_values({"degree": 10, "gamma": 1.0})
    program = start(
        SessionSettings(
            data=DataSettings("wine"), kernel=KernelSettings("poly", values)
        )
    )
    assert program.board.embedding.view.area.view_range()[0][1] > 1e30
    picture = program.board.embedding.view.canvas.grab().toImage()
    blue = sum(
        picture.pixelColor(x, y).blue() > picture.pixelColor(x, y).red() + 80
        for x in range(0, picture.width(), 2)
        for y in range(0, picture.height(), 2)
    )
    assert blue > 20, "no point is drawn"
    assert "the columns differ in scale" in program.message()
    program.click(program.buttons()["Standardise columns"])
    program.settle()
    assert program.settings.data.scaling == "standardise"
    assert program.message() == ""


def test_an_error_without_a_picture_is_cured_by_keys(start):
    values = as_values({"degree": 10, "gamma": 1e9})
    program = start(
        SessionSettings(
            data=DataSettings("breast_cancer"), kernel=KernelSettings("poly", values)
        ),
        settled=False,
    )
    program.settle()
    assert program.result is None
    assert "Scale the data" in program.message()
    program.focus(program.buttons()["Standardise columns"])
    program.press(Qt.Key.Key_Space)
    program.settle()
    assert program.message() == ""
    assert program.result.settings == program.settings
    assert program.board.embedding.view.point_count == 569


def test_undo_leads_out_of_an_error(program):
    seen = []
    program.viewer.store.changed.connect(lambda old, new, *_: seen.append(old))
    make_trouble(program)
    before = seen[-1]
    program.click(program.buttons()["Undo"])
    program.settle()
    assert program.settings == before
    assert "overflows" not in program.message()
    assert not any(panel.is_dimmed() for panel in program.board.panels)
    assert program.result.settings == before


SLOW = SessionSettings(
    data=DataSettings("circles", as_values({"samples": 8_000})),
    analysis=AnalysisSettings(solver="dense"),
)


def test_a_long_computation_is_cancelled_and_the_picture_stays(program):
    for how in ("escape", "button"):
        before, picture = program.result, program.embedding.copy()
        program.viewer.store.update(SLOW)
        program.until(lambda: program.window.progress.is_shown())
        # An old picture must not look like a new one.
        program.until(program.board.embedding.is_dimmed)
        assert program.viewer.runner.busy
        if how == "escape":
            program.press(Qt.Key.Key_Escape)
        else:
            program.click(program.find(QWidget, "cancel_button"))
        assert not program.viewer.runner.busy
        assert program.result is before
        assert (program.embedding == picture).all()
        assert program.message() == "Cancelled; the picture shows the last result."
        assert not program.window.progress.is_shown()
        program.press(Qt.Key.Key_Z, CTRL)
        program.settle()
        assert program.message() == ""
        assert not program.board.embedding.is_dimmed()
        assert program.result.settings == before.settings


def test_a_bar_puts_its_component_on_the_x_axis(program):
    program.unfold("components")
    spectrum = program.find(SpectrumView, "spectrum_view")
    layout = spectrum.plan()
    QTest.mouseClick(spectrum, LEFT, NO_KEY, layout.bar_rects()[3].center())
    program.settle()
    assert program.settings.view.axes == (3, 1, 2)
    assert program.find(QComboBox, "x_axis_combo").currentData() == 3
    assert np.allclose(program.embedding[:, 0], program.result.scores[:, 3])
    assert "Isolines of PC 4" in program.caption("data")


def test_the_cut_sets_the_number_of_components_in_one_step(program):
    program.unfold("components")
    spectrum = program.find(SpectrumView, "spectrum_view")
    program.focus(spectrum)
    program.press(Qt.Key.Key_Left, SHIFT)
    program.settle()
    assert program.settings.analysis.components == 9
    assert program.result.scores.shape[1] == 9
    assert program.find(QWidget, "components_field").value() == 9
    assert program.viewer.store.undo_text == "components 10 → 9"
