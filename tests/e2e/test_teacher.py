"""The teacher: kernel off and on, centring, new points, an entry of K by hand."""

from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QSplitter, QWidget
from sklearn.decomposition import PCA

from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.widgets.controls import (
    FormulaLabel,
    NumberRow,
    Segmented,
    Switch,
)
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.picture_sources import PlotSource
from tests.e2e.program import CTRL, LEFT, NO_KEY, SHIFT, Program


def markers(program: Program, panel: str):
    return getattr(program.board, panel).view.area.markers


def drop(program: Program, x: float, y: float) -> None:
    """Click the data on the stage and wait until that was no double-click."""
    program.board.bring_to_stage("data")
    count = len(markers(program, "data"))
    program.click_plot(program.board.data.view, x, y)
    program.until(lambda: len(markers(program, "data")) == count + 1)


def corner(program: Program) -> tuple[float, float]:
    """Return a place of the data plot on the stage that is far from all points."""
    program.board.bring_to_stage("data")
    view = program.board.data.view
    if not view.zoomed:
        view.zoom(0.4, view.rect().center())
    (_, right), (low, _) = view.view_range()
    return 0.9 * right, 0.9 * low


def test_keys_and_combo_turn_the_kernel_off_and_on_as_it_was(program):
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    gamma = program.result.kernel.values["gamma"]
    program.press(Qt.Key.Key_1)
    program.settle()
    assert program.result.kernel.family.name == "linear"
    assert program.find(QComboBox, "kernel_combo").currentText() == "Linear"
    # Plain PCA is not compared with itself.
    assert program.verdict().startswith("A line does not separate the classes: 4")
    program.press(Qt.Key.Key_3)
    program.settle()
    assert program.result.kernel.family.name == "rbf"
    assert program.result.kernel.values["gamma"] == gamma
    assert ": kernel 100 %" in program.verdict()
    # The key of the present kernel changes nothing.
    before = program.settings
    with program.never_busy():
        program.press(Qt.Key.Key_3)
    assert program.settings == before

    program.choose("kernel_combo", "Linear")
    program.settle()
    assert program.result.kernel.family.name == "linear"
    program.choose_by_keys("kernel_combo", "RBF")
    program.settle()
    assert program.result.kernel.values["gamma"] == gamma


def test_without_centring_the_first_component_is_the_mean(program):
    assert abs(program.result.scores[:, 0].mean()) < 1e-6
    switch = program.find(Switch, "center_switch")
    for toggle in (
        partial(program.press, Qt.Key.Key_C),
        partial(program.click, switch),
    ):
        toggle()
        program.settle()
        assert not switch.isChecked()
        assert not program.action("toggle_center").isChecked()
        assert program.result.mean.cosine > 0.9
        assert "not centred" in program.window.status_text()
        toggle()
        program.settle()
        assert abs(program.result.scores[:, 0].mean()) < 1e-6


def test_the_class_sees_it_in_the_kernel_matrix(program):
    program.click(program.window.top_row.workspaces.button("explain"))
    program.click(program.board.compare.pages.button("gram"))
    gram = program.find(GramView, "gram_view")
    assert gram.isVisible()
    assert gram.caption() == "centred kernel matrix"
    with program.never_busy():
        program.click(program.find(Segmented, "gram_centring").button("raw"))
    assert gram.caption() == "kernel matrix"
    assert gram.matrix().min() >= 0
    assert np.allclose(np.diag(gram.matrix()), 1)


def test_without_centring_the_class_sees_what_is_decomposed(program):
    program.press(Qt.Key.Key_2, CTRL | SHIFT)
    gram = program.find(GramView, "gram_view")
    assert program.caption("page") == ""
    program.click(program.find(Switch, "center_switch"))
    program.settle()
    assert gram.caption() == "kernel matrix"
    assert program.caption("page") == program.result.mean.sentence
    assert f"(cosine {program.result.mean.cosine:.2f}" in program.caption("page")
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert gram.caption() == "centred kernel matrix"
    assert program.caption("page") == ""


def test_a_new_point_is_dropped_dragged_projected_and_follows_gamma(program):
    drop(program, 0.65, 0.0)
    (new,) = markers(program, "data")
    assert np.allclose(new.position, (0.65, 0.0), atol=0.02)
    (before,) = markers(program, "embedding")
    expected = program.result.project(np.array([new.position]))[0, :2]
    assert np.allclose(before.position, expected)

    view = program.board.data.view
    target = view.canvas.viewport()
    QTest.mousePress(target, LEFT, NO_KEY, program.pixel(view, *new.position))
    QTest.mouseMove(target, program.pixel(view, 0.3, -0.3))
    QTest.mouseMove(target, program.pixel(view, 0.0, -0.65))
    (during,) = markers(program, "embedding")
    assert during.position != before.position, "the projection waits for the release"
    QTest.mouseRelease(target, LEFT, NO_KEY, program.pixel(view, 0.0, -0.65))
    (moved,) = markers(program, "data")
    assert np.allclose(moved.position, (0.0, -0.65), atol=0.02)
    assert program.board.linking.selection is None

    (before,) = markers(program, "embedding")
    program.drag_slider("gamma_slider", 0.54)
    program.settle()
    (after,) = markers(program, "embedding")
    position = markers(program, "data")[0].position
    assert after.position != before.position
    expected = program.result.project(np.array([position]))[0, :2]
    assert np.allclose(after.position, expected)


def test_a_point_far_from_all_data_is_marked(program):
    program.drag_slider("gamma_slider", 0.58)  # γ = 8: one unit is far
    program.settle()
    drop(program, 0.65, 0.0)
    drop(program, *corner(program))
    near, far = markers(program, "data")
    assert (near.warn, far.warn) == (False, True)
    assert far.label == "far from all data"
    assert markers(program, "embedding")[1].warn


def test_the_plots_make_room_for_a_projection_beyond_the_points(program):
    program.press(Qt.Key.Key_1)
    program.settle()
    views = program.board.embedding.view, program.board.compare.pca
    program.window.resize(1366, 1000)
    program.board.bring_to_stage("data")
    program.places_at_rest()
    ranges = [view.view_range() for view in views]
    drop(program, 0.65, 0.0)
    assert [view.view_range() for view in views] == ranges, "there was room"
    drop(program, *corner(program))
    for view, before in zip(views, ranges, strict=True):
        inside, outside = view.area.markers
        assert view.view_range() != before
        # With its ring, not only its middle.
        at = program.pixel(view, *outside.position)
        for dx, dy in ((11, 0), (-11, 0), (0, 11), (0, -11)):
            assert view.area.frame.contains(at.x() + dx, at.y() + dy)
        assert len(inside.position) == 2
    position = np.array([markers(program, "data")[1].position])
    linear = PCA(2).fit(program.result.dataset.points).transform(position)[0]
    shown = program.board.compare.pca.area.markers[1].position
    assert np.allclose(np.abs(shown), np.abs(linear))
    # What the person looks at stays in view.
    QTest.keyClick(views[0].canvas, Qt.Key.Key_Plus)
    zoomed = views[0].view_range()
    x, y = corner(program)
    drop(program, -x, y)
    assert views[0].view_range() == zoomed
    program.press(Qt.Key.Key_0, CTRL)
    program.press(Qt.Key.Key_Backspace, CTRL)
    assert [view.view_range() for view in views] == ranges
    assert not views[1].area.markers


def test_a_new_point_by_keys_alone_and_every_way_to_take_it_away(program):
    program.press(Qt.Key.Key_N)
    (dropped,) = markers(program, "data")
    (before,) = markers(program, "embedding")
    # The keys are where the new point is.
    for _ in range(5):
        program.press(Qt.Key.Key_Right, CTRL)
        program.press(Qt.Key.Key_Up, CTRL)
    (moved,) = markers(program, "data")
    (after,) = markers(program, "embedding")
    assert moved.position[0] > dropped.position[0]
    assert moved.position[1] > dropped.position[1]
    assert after.position != before.position
    expected = program.result.project(np.array([moved.position]))[0, :2]
    assert np.allclose(after.position, expected)
    program.press(Qt.Key.Key_Delete)
    assert not markers(program, "data")
    # So are those that the mouse has dropped.
    drop(program, 0.65, 0.0)
    drop(program, -0.65, 0.0)
    view = program.board.data.view
    at = program.pixel(view, *markers(program, "data")[0].position)
    QTest.mouseClick(view.canvas.viewport(), Qt.MouseButton.RightButton, NO_KEY, at)
    (left,) = markers(program, "data")
    assert left.position[0] < 0
    program.press(Qt.Key.Key_Backspace, CTRL)
    assert not markers(program, "data")
    assert not markers(program, "embedding")


def test_new_points_are_steps_of_the_history(program, restart):
    drop(program, 0.65, 0.0)
    drop(program, -0.65, 0.0)
    view = program.board.data.view
    (first, second) = (marker.position for marker in markers(program, "data"))
    path = [program.pixel(view, *second) + QPoint(step, step) for step in (0, 9, 20)]
    program.drag(view, path)
    moved = markers(program, "data")[1].position
    assert moved != second
    program.press(Qt.Key.Key_Backspace, CTRL)
    assert not markers(program, "data")
    for there in ([first, moved], [first, second], [first]):
        program.press(Qt.Key.Key_Z, CTRL)
        assert [marker.position for marker in markers(program, "data")] == there
    program.settle()
    again = restart(program)
    assert [marker.position for marker in markers(again, "data")] == [first]
    assert len(markers(again, "embedding")) == 1


def test_other_data_forget_new_points(program):
    drop(program, 0.65, 0.0)
    program.press(Qt.Key.Key_R)
    program.settle()
    assert not markers(program, "data")
    assert not markers(program, "embedding")


def test_an_entry_of_the_kernel_matrix_is_checked_by_hand(program):
    program.choose("source_combo", "Three points")
    program.settle()
    program.press(Qt.Key.Key_2)
    program.settle()
    for name, text in (("gamma", "1"), ("degree", "2"), ("coef0", "0")):
        program.focus(program.find(QWidget, f"{name}_field"))
        program.type(text)
        program.press(Qt.Key.Key_Return)
    program.settle()
    program.press(Qt.Key.Key_2, CTRL | SHIFT)
    gram = program.find(GramView, "gram_view")
    assert gram.isVisible()
    program.focus(program.find(Segmented, "gram_centring").button("centred"))
    program.press(Qt.Key.Key_Left)
    assert np.allclose(gram.matrix(), [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    assert gram.names() == ["a", "b", "c"]

    program.focus(gram)
    program.press(Qt.Key.Key_Right)
    program.press(Qt.Key.Key_Down)
    assert gram.pair == (1, 0)
    assert "k(b, a) = 0" in gram.label_lines()
    assert program.board.linking.hovered == 1


def type_sizes(program: Program) -> list[float]:
    """Return how large the type is in the window, the plots and the sidebar."""
    board = program.board
    frame = board.data.view.area.frame
    return [
        board.data.findChild(QLabel, "panel_title").font().pixelSize(),
        board.embedding.legend.heightForWidth(300),
        # The room for the numbers below the axis, and above the bars for the cut.
        board.data.view.height() - frame.top - frame.height,
        board.spectrum.view.plan().frame.top,
        program.window.sidebar.width(),
    ]


def on_paper(program: Program) -> list[QImage]:
    """Return two plots as they are exported."""
    pictures = []
    for view in (program.board.embedding.view, program.board.spectrum.view):
        image = QImage(400, 300, QImage.Format.Format_RGB32)
        painter = QPainter(image)
        source = PlotSource(view, view)
        source.render_to(painter, QRectF(0, 0, 400, 300))
        painter.end()
        pictures.append(image)
    return pictures


def test_presenting_and_back(program):
    small, printed = type_sizes(program), on_paper(program)
    program.press(Qt.Key.Key_F11)
    assert program.window.isFullScreen()
    program.press(Qt.Key.Key_F9)
    assert all(
        now > 1.2 * then for now, then in zip(type_sizes(program), small, strict=True)
    )
    # What is exported is not read from the last row.
    assert on_paper(program) == printed
    program.press(Qt.Key.Key_F11)
    assert not program.window.isFullScreen()
    assert type_sizes(program) == small


def test_in_front_of_a_class_everything_is_larger(program):
    board = program.board

    def plots():
        views = board.data.view, board.embedding.view
        sizes = [(v.area.frame.width, v.area.frame.height) for v in views]
        dots = [v.area.cloud.point_size for v in views]
        return [w * h for w, h in sizes] + dots

    before = plots()
    program.present()
    program.until(
        lambda: all(now > 1.2 * then for now, then in zip(plots(), before, strict=True))
    )
    program.press(Qt.Key.Key_F11)
    program.until(lambda: plots() == before)


def test_in_front_of_a_class_a_matrix_of_few_rows_is_larger(start):
    program = start(SessionSettings(data=DataSettings.of_source("three_points")))
    program.press(Qt.Key.Key_2, CTRL | SHIFT)
    gram = program.find(GramView, "gram_view")
    before = gram.plan().cell
    program.present()
    program.until(lambda: gram.plan().cell > 1.1 * before)


def test_the_way_out_is_seen_in_front_of_a_class(program):
    leave = program.window.leave_button
    assert not leave.isVisible()
    program.present()
    assert leave.isVisible()
    assert "F11" in leave.text()
    program.click(leave)
    program.until(lambda: program.window.menuBar().isVisible())
    assert not leave.isVisible()
    assert not program.window.isFullScreen()


def test_controls_are_called_in_front_of_a_class(program):
    window = program.window
    program.focus(program.find(QWidget, "samples_field"))
    program.present()
    assert not window.sidebar.isVisible()
    assert not window.menuBar().isVisible()
    assert program.board.isAncestorOf(window.focusWidget())
    assert program.find(ValueSlider, "gamma_slider").isVisible()
    program.press(Qt.Key.Key_F9)
    assert window.sidebar.isVisible()
    program.press(Qt.Key.Key_F11)
    assert window.menuBar().isVisible()
    # At a desk they are there, whatever the class has seen; and the class sees what it
    # saw last.
    program.press(Qt.Key.Key_F9)
    assert not window.sidebar.isVisible()
    program.press(Qt.Key.Key_F11)
    assert window.sidebar.isVisible()
    program.press(Qt.Key.Key_F11)
    assert not window.sidebar.isVisible()
    program.action("reset_layout").trigger()
    assert window.sidebar.isVisible()


@pytest.mark.parametrize("source", ["circles", "wine"])
def test_afterwards_everything_is_as_wide_as_before(start, source):
    program = start(SessionSettings(data=DataSettings.of_source(source)))
    window = program.window

    def widths():
        return [window.sidebar.width(), *(p.width() for p in program.board.panels)]

    before = widths()
    program.present()
    program.press(Qt.Key.Key_F9)
    program.until(lambda: window.sidebar.width() > before[0])
    program.press(Qt.Key.Key_F11)
    program.until(lambda: widths() == before)


def test_a_layout_reset_while_presenting_stays_so(program):
    sidebar = program.window.sidebar
    first = sidebar.width()
    program.find(QSplitter, "main_splitter").setSizes([first + 100, 900])
    program.until(lambda: sidebar.width() == first + 100)
    program.present()
    program.action("reset_layout").trigger()
    program.press(Qt.Key.Key_F11)
    program.until(lambda: sidebar.width() == first)


@pytest.mark.parametrize("kernel", ["rbf", "poly"])
def test_afterwards_every_control_has_its_place_again(start, kernel):
    program = start(SessionSettings(kernel=KernelSettings(kernel)))

    formula = program.find(FormulaLabel, "kernel_formula")

    def is_in_place() -> bool:
        # The measures, and the curve of the kernel, come after the picture.
        if program.result.comparison is None or program.result.pairs is None:
            return False
        # Until there is a picture, its kernel is plain text.
        if not (formula.is_settled() and formula.is_typeset()):
            return False
        if formula.height() != formula.heightForWidth(formula.width()):
            return False
        # The page grows one pass after the formula; till then the rows are squeezed.
        rows = program.window.sidebar.findChildren(NumberRow)
        return all(row.height() >= row.sizeHint().height() for row in rows)

    program.settle()
    program.until(is_in_place)
    before = program.places_at_rest()
    program.present()
    program.press(Qt.Key.Key_F11)
    program.until(lambda: program.places() == before)


@pytest.mark.parametrize("presents", [False, True])
def test_no_title_is_cut_on_a_small_screen(start, presents):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    if presents:
        program.present()
    else:
        program.window.resize(1024, 700)

    def whole(title) -> bool:
        return not title.isVisible() or title.shown_text() == title.text()

    for page in ("table", "gram", "pca"):
        program.board.compare.show_page(page)
        program.settle()
        titles = program.board.findChildren(QLabel, "panel_title")
        program.until(lambda titles=titles: all(map(whole, titles)))
        # A class sees stage and data, and a page that is turned to.
        assert program.board.compare.pages.isVisible() or presents


def test_presenting_returns_to_a_maximised_window(program):
    program.window.showMaximized()
    program.press(Qt.Key.Key_F11)
    program.press(Qt.Key.Key_F11)
    assert not program.window.isFullScreen()
    assert program.window.isMaximized()
    assert not program.action("present").isChecked()


def test_a_third_axis_is_seen_at_once_and_judged_with_the_others(start):
    program = start(
        SessionSettings(kernel=KernelSettings("rbf", as_values({"gamma": 23})))
    )
    assert ": kernel 7" in program.verdict()
    label = program.find(QLabel, "verdict_label")
    assert "guessing gives 1 / classes" in label.toolTip()
    program.click(program.board.embedding.dimensions.button("3d"))
    assert program.embedding.shape[1] == 3, "the picture waited for the verdict"
    program.until(lambda: ": kernel 100 %" in program.verdict())
