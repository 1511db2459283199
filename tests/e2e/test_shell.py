"""History, themes, help, layout, and what the next start remembers."""

import numpy as np
from PySide6.QtCore import QSize, Qt, QThread
from PySide6.QtWidgets import (
    QComboBox,
    QDockWidget,
    QLabel,
    QSplitter,
    QToolButton,
    QWidget,
)

from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.widgets.controls import Segmented, Switch
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.plots.legend_parts import LegendScale
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.e2e.program import CTRL, SHIFT, Program


def test_a_drag_is_one_step_with_a_readable_name(program):
    first = program.settings
    assert not program.action("undo").isEnabled()
    program.drag_slider("gamma_slider", 0.54, steps=12)
    program.settle()
    dragged = program.settings
    gamma = dict(dragged.kernel.values)["gamma"]
    assert program.action("undo").text() == f"&Undo γ 4 → {gamma:.4g}"

    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings == first
    assert program.result.settings.kernel == first.kernel
    assert not program.action("undo").isEnabled()
    assert program.action("redo").text() == f"&Redo γ 4 → {gamma:.4g}"
    slider = program.find(ValueSlider, "gamma_slider")
    position = slider.value()
    program.press(Qt.Key.Key_Z, CTRL | SHIFT)
    program.settle()
    assert program.settings == dragged
    assert slider.value() != position, "the slider does not follow"
    assert program.result.kernel.values["gamma"] == gamma


def test_every_seed_that_is_typed_is_a_step(program):
    field = program.find(QWidget, "seed_field")
    for seed in ("5", "7"):
        program.focus(field)
        field.selectAll()
        program.type(seed)
        program.press(Qt.Key.Key_Return)
        program.settle()
    assert program.viewer.store.undo_text == "seed 5 → 7"
    program.press(Qt.Key.Key_Z, CTRL, on=program.window)
    program.settle()
    assert program.settings.data.seed == 5
    assert field.value() == 5


def test_rolling_gives_other_points(program):
    before = program.result.dataset.points
    program.click(program.find(QWidget, "roll_button"))
    program.settle()
    assert program.settings.data.seed != 0
    assert (program.result.dataset.points != before).any()
    assert program.viewer.store.undo_text.startswith("seed 0 → ")


def test_another_source_starts_with_its_own_axes_and_keeps_habits(program):
    program.unfold("components")
    program.choose("x_axis_combo", "PC 3")
    program.choose("color_combo", "PC 1")
    program.click(program.find(QToolButton, "spectrum_log_button"))
    program.settle()
    program.choose("source_combo", "S-curve")
    program.settle()
    view = program.settings.view
    assert (view.axes, view.color_by) == ((0, 1, 2), "label")
    assert view.spectrum == "log"
    assert view.data_3d
    assert not program.board.data.view.is_flat
    assert program.find(QComboBox, "x_axis_combo").currentData() == 0
    assert program.find(QComboBox, "color_combo").currentText() == "position"


def test_what_only_the_view_needs_computes_nothing(program):
    computed = program.result
    board = program.board
    with program.never_busy():
        program.choose("color_combo", "PC 2")
        assert board.embedding.legend.findChild(LegendScale).isVisible()
        program.unfold("appearance")
        before = board.embedding.view.area.cloud.point_size
        program.drag_slider("point_size_slider", 0.9)
        assert board.embedding.view.area.cloud.point_size > 1.5 * before
        program.click(program.find(QToolButton, "spectrum_log_button"))
        program.click(program.find(QToolButton, "spectrum_sum_button"))
        program.click(program.find(Switch, "isolines_switch"))
        assert "Isolines" not in program.caption("data")
        program.click(program.find(Switch, "motion_switch"))
        # The table asks how odd its rows are; these need nothing.
        for page in ("gram", "derivation", "pca"):
            program.action(f"page_{page}").trigger()
    assert program.result is computed
    # A third axis is judged with the others, but nothing is decomposed for it.
    program.click(program.find(Segmented, "embedding_dimensions").button("3d"))
    assert not board.embedding.view.is_flat
    assert program.find(QComboBox, "z_axis_combo").isEnabled()
    program.settle()
    assert program.result.decomposition is computed.decomposition
    view = program.settings.view
    assert (view.color_by, view.spectrum, view.cumulative) == (
        "component:1",
        "log",
        False,
    )
    assert (view.isolines, view.motion, view.embedding_3d) == (False, False, True)


def test_the_embedding_turns_in_three_dimensions(program):
    program.press(Qt.Key.Key_T)
    view = program.board.embedding.view
    assert not view.is_flat
    before = view.camera
    program.drag(view, [view.rect().center(), view.rect().center() * 1.2])
    assert view.camera != before
    program.click(program.find(QWidget, "embedding_turn_button"))
    assert view.turning
    program.press(Qt.Key.Key_T)
    assert view.is_flat


def test_the_theme_is_switched_both_ways(program):
    card = program.window.palette().window().color()
    first = program.viewer.theme
    other = DARK if first is LIGHT else LIGHT
    for theme in (other, first):
        program.press(Qt.Key.Key_T, CTRL)
        assert program.viewer.theme is theme
        assert program.action("theme").isChecked() == (theme is DARK)
        assert program.board.embedding.view.area.theme is theme
        picture = program.window.grab().toImage()
        assert (
            picture.pixelColor(2, picture.height() // 2).name() == theme.window.lower()
        )
    assert program.window.palette().window().color() == card


def test_help_opens_beside_the_plots_explains_the_picture_and_closes(program):
    program.press(Qt.Key.Key_F1)
    panel = program.find(QDockWidget, "help_panel")
    assert panel.isVisible()
    texts = [label.text() for label in panel.findChildren(QWidget) if text_of(label)]
    for expected in ("Ctrl+Shift+Z", "F11", "Drag in a plot", "Laplacian"):
        assert expected in texts
    program.until(lambda: program.board.embedding.view.width() > 400)
    assert panel.width() < 400

    def told() -> str:
        return "\n".join(label.text() for label in panel.findChildren(QLabel))

    assert "k(x, y) = exp(−4 ‖x − y‖²)" in told()
    assert f"effective rank is {program.result.effective_rank:.1f}" in told()
    assert (
        "By a line, the kernel separates what plain PCA cannot: kernel 100 %, plain "
        "PCA 46 %" in told()
    )
    program.press(Qt.Key.Key_1)
    program.settle()
    assert "Linear: k(x, y) = xᵀy. It is a dot product in 2 dimensions." in told()
    assert "A line does not separate the classes: 4" in told()
    program.press(Qt.Key.Key_F1)
    assert not panel.isVisible()


def test_every_term_on_the_screen_has_a_tooltip_with_its_formula(program):
    board = program.board
    for panel, formula in (
        (board.embedding, "zⱼ = √μⱼ uⱼ"),
        (board.spectrum, "μ₁ ≥ μ₂"),
        (board.compare, "k(x, y) = xᵀy"),
    ):
        header = panel.findChild(QWidget, "panel_header")
        assert formula in header.toolTip()
    for panel, term in (
        (board.embedding, "Share, explained: μⱼ / Σ|μ|"),
        (board.spectrum, "Effective rank: (Σ|μ|)² / Σμ²"),
    ):
        assert term in panel.findChild(QLabel, "panel_caption").toolTip()
    board.compare.show_page("gram")
    assert (
        "Kᵢⱼ = k(xᵢ, xⱼ)" in board.compare.findChild(QWidget, "panel_header").toolTip()
    )
    for kind, name, formula in (
        (QLabel, "certificate_chip", "ε μ₁"),
        (QWidget, "kernel_formula", "Feature space"),
        (Switch, "center_switch", "K̃ = HKH"),
        (QWidget, "kernel_combo", "k(x, y) = φ(x)ᵀφ(y)"),
    ):
        assert formula in program.find(kind, name).toolTip(), name


def test_help_squeezes_no_plot_on_a_small_screen(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    window, board = program.window, program.board
    program.until(lambda: window.sidebar.isVisible())

    def whole() -> bool:
        """Whether every panel has the room that its tools need."""
        return all(p.width() >= p.minimumSizeHint().width() for p in board.panels)

    window.resize(1024, 700)
    program.until(lambda: window.width() == 1024)
    program.click(board.data.dimensions.button("3d"))
    program.click(board.embedding.dimensions.button("3d"))
    program.settle()
    program.press(Qt.Key.Key_F1)
    panel = program.find(QDockWidget, "help_panel")
    program.until(whole)
    assert panel.isVisible()
    assert not window.sidebar.isVisible()
    # Whoever wants the controls has read enough.
    program.press(Qt.Key.Key_F9)
    assert window.sidebar.isVisible()
    assert not panel.isVisible()
    program.press(Qt.Key.Key_F1)
    assert not window.sidebar.isVisible()
    program.press(Qt.Key.Key_F1)
    assert window.sidebar.isVisible()
    program.until(whole)
    # There is room for both in a wide window, until it is made narrow.
    window.resize(1366, 768)
    program.until(lambda: window.width() == 1366)
    program.press(Qt.Key.Key_F1)
    assert window.sidebar.isVisible()
    program.until(whole)
    window.resize(1024, 700)
    program.until(lambda: not window.sidebar.isVisible() and whole())


def text_of(widget: QWidget) -> str:
    return widget.text() if hasattr(widget, "text") else ""


def test_all_points_are_shown_again(program):
    view = program.board.embedding.view
    before = view.view_range()
    view.zoom(4.0, view.rect().center())
    assert view.view_range() != before
    program.press(Qt.Key.Key_0, CTRL)
    assert view.view_range() == before


def test_copying_puts_the_embedding_on_the_clipboard(program, qapp):
    size = program.board.embedding.view.size()
    program.press(Qt.Key.Key_C, CTRL | SHIFT)
    assert qapp.clipboard().pixmap().size() == size
    assert program.message() == "The embedding is on the clipboard."


def test_copy_as_python_is_a_script_whatever_was_copied_before(program, qapp):
    panel = program.viewer.controllers["export_panel"].panel()
    panel.show_page("code", "notebook")
    program.press(Qt.Key.Key_P, CTRL | SHIFT)
    assert "\nfrom kpca_viewer import KernelPCA\n" in qapp.clipboard().text()
    # The other kind of script is a choice like any other.
    panel.show_page("code", "sklearn")
    program.press(Qt.Key.Key_P, CTRL | SHIFT)
    assert "from sklearn.decomposition import KernelPCA" in qapp.clipboard().text()
    panel.close()


def test_the_next_start_goes_on_where_this_one_ended(program, restart):
    program.drag_slider("gamma_slider", 0.54)
    program.press(Qt.Key.Key_T, CTRL)
    program.choose("source_combo", "Moons")
    program.settle()
    # Small enough for the screen of the tests, which has 800 × 800 pixels.
    program.window.resize(960, 650)
    main = program.find(QSplitter, "main_splitter")
    main.setSizes([360, 600])
    sizes, settings, theme = main.sizes(), program.settings, program.viewer.theme
    again = restart(program)
    assert again.settings == settings
    assert again.viewer.theme is theme
    assert again.action("theme").isChecked() == (theme is DARK)
    assert again.window.size() == QSize(960, 650)
    assert again.find(QSplitter, "main_splitter").sizes() == sizes
    assert again.result.dataset.name == "Moons"


def test_the_next_start_has_every_panel(program, restart):
    program.board.bring_to_stage("spectrum")
    again = restart(program)
    assert all(panel.isVisible() for panel in again.board.panels)
    assert all(panel.width() > 200 for panel in again.board.panels)
    assert all(panel.height() > 150 for panel in again.board.panels)


def test_presenting_is_not_remembered(program, restart):
    program.press(Qt.Key.Key_F11)
    again = restart(program)
    assert not again.window.isFullScreen()
    assert not again.action("present").isChecked()


def test_reset_of_the_layout_keeps_data_and_settings(program):
    program.choose("source_combo", "Moons")
    program.press(Qt.Key.Key_1, on=program.board.embedding.view.canvas)
    program.window.resize(1200, 700)
    program.settle()
    before, theme = program.settings, program.viewer.theme
    main = program.find(QSplitter, "main_splitter")
    main.setSizes([500, 700])
    program.action("reset_layout").trigger()
    program.settle()
    assert (program.settings, program.viewer.theme) == (before, theme)
    assert program.window.size() == QSize(1366, 768)
    assert main.sizes()[0] < 400


def test_starting_over_forgets_everything(program, restart):
    program.click(program.find(QWidget, "first_card_close"))
    program.press(Qt.Key.Key_1)
    program.press(Qt.Key.Key_T, CTRL)
    program.window.resize(1200, 700)
    program.settle()
    before = program.settings
    program.action("start_over").trigger()
    program.settle()
    assert program.settings == first_session()
    program.action("undo").trigger()
    assert program.settings == before
    program.action("redo").trigger()
    program.settle()
    assert program.window.size() == QSize(1366, 768)
    assert program.action("theme").isChecked() == (program.viewer.theme is DARK)
    again = restart(program)
    assert again.settings == first_session()
    assert again.find(QWidget, "first_card").isVisible()


def test_a_spoilt_memory_does_not_stop_the_start(home, start):
    program = start()
    store = program.viewer.preferences.store
    program.press(Qt.Key.Key_C)
    program.settle()
    program.close()
    (kept,) = home.rglob("*.kpca-last")
    text = kept.read_text(encoding="utf-8")
    assert '"rbf"' in text
    kept.write_text(text.replace('"rbf"', '"no such kernel"'), encoding="utf-8")
    store.setValue("window/geometry", "nonsense")
    store.setValue("theme", "pink")
    store.sync()
    again = start()
    assert again.settings == first_session()
    assert "no such kernel" in again.message()
    again.close()
    kept.write_text("nonsense", encoding="utf-8")
    assert start().settings == first_session()


def test_a_theme_for_one_start_is_not_remembered(start):
    first: Program = start()
    usual = first.viewer.theme
    other = DARK if usual is LIGHT else LIGHT
    first.close()
    once = start(theme=other)
    assert once.viewer.theme is other
    assert once.action("theme").isChecked() == (other is DARK)
    once.close()
    assert start().viewer.theme is usual


def test_closing_during_work_ends_it(program):
    program.viewer.store.update(
        SessionSettings(data=program.settings.data.with_value("samples", 20_000))
    )
    assert program.viewer.runner.busy
    program.close()
    assert not program.viewer.runner.busy
    assert not program.viewer.runner.findChild(QThread, "kpca-worker").isRunning()


def test_escape_closes_help_before_it_clears_a_selection(program):
    program.board.linking.apply_selection(np.arange(400) < 9, "replace")
    program.press(Qt.Key.Key_F1)
    panel = program.find(QWidget, "help_panel")
    program.press(Qt.Key.Key_Escape)
    assert not panel.isVisible()
    assert program.board.linking.selection is not None
    program.press(Qt.Key.Key_Escape)
    assert program.board.linking.selection is None


def test_what_is_worked_on_covers_no_menu(program):
    window = program.window
    window.resize(1280, 720)
    window.progress.report("all rows, 384 landmarks, checking that none is missing")
    program.until(window.progress.is_shown)
    note = window.findChild(QWidget, "progress_note").geometry()
    bar = window.menuBar()
    assert window.rect().contains(note)
    for menu in bar.actions():
        place = bar.actionGeometry(menu).translated(bar.pos())
        assert not note.intersects(place), menu.text()
    window.progress.end()
