"""The loop between store, runner and window, with work that the test decides."""

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.columns.stages import COLUMNS
from kpca_viewer.support.errors import DataError, KernelError, KernelOverflowError
from kpca_viewer.widgets.plots.coloring import coloring as compute
from kpca_viewer.window.main_window import MainWindow
from kpca_viewer.window.presenter import Presenter

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 40})))


class Stage:
    """A presenter whose work fails when the test says so."""

    def __init__(self, qtbot):
        self.qtbot = qtbot
        self.error = None
        self.requests = []
        self.goes_on = Event()
        self.goes_on.set()
        cache = StageCache()

        def work(request, should_stop, progress, publish):
            self.should_stop = should_stop
            self.requests.append(request)
            self.goes_on.wait()
            if self.error is not None:
                raise self.error
            return run(request, cache, should_stop, progress, publish)

        self.store = SessionStore(SMALL)
        self.runner = Runner(work)
        self.window = MainWindow()
        self.presenter = Presenter(self.window, self.store, self.runner)
        qtbot.addWidget(self.window)

    def settle(self):
        self.qtbot.waitUntil(lambda: not self.runner.busy)

    def fail(self, error, settings):
        self.error = error
        self.store.update(settings)
        self.settle()
        self.error = None

    def buttons(self):
        bar = self.window.message_bar
        return [
            button.text()
            for button in bar.findChildren(QPushButton, "message_action")
            if not button.isHidden()
        ]

    def message(self):
        return self.window.message_bar.text()


@pytest.fixture
def stage(qtbot, tmp_path):
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path)
    )
    stage = Stage(qtbot)
    stage.settle()
    yield stage
    stage.runner.close()


def with_gamma(gamma):
    return replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": gamma})))


def test_a_result_reaches_every_panel(stage):
    assert stage.presenter.result.settings == SMALL
    board = stage.window.board
    assert board.embedding.view.point_count == 40
    assert board.data.view.point_count == 40
    assert board.spectrum.view.bars is not None
    assert stage.window.status_text().startswith("40 × 2")


def test_a_failure_keeps_the_last_result_and_offers_a_way_back(stage):
    good = stage.presenter.result
    stage.fail(
        KernelOverflowError("Too much. Scale the data, or less γ."), with_gamma(3)
    )
    assert stage.presenter.result is good
    assert stage.message() == "Too much. Scale the data, or less γ."
    assert stage.buttons() == ["Standardise columns", "Undo"]
    assert all(panel.is_dimmed() for panel in stage.window.board.panels)
    stage.store.undo()
    stage.settle()
    assert stage.message() == ""
    # The plots follow one by one.
    panels = stage.window.board.panels
    stage.qtbot.waitUntil(lambda: not any(panel.is_dimmed() for panel in panels))


def test_scaling_is_not_proposed_to_scaled_data(stage):
    data = replace(SMALL.data, scaling="standardise")
    stage.fail(KernelOverflowError("Scale the data."), replace(SMALL, data=data))
    assert stage.buttons() == ["Undo"]


@pytest.mark.parametrize("error", [DataError, KernelError])
def test_trouble_with_data_proposes_no_scaling(stage, error):
    stage.fail(error("Scale the data yourself."), with_gamma(3))
    assert stage.buttons() == ["Undo"]


def test_a_bug_is_named_and_ends_nothing(stage):
    stage.fail(ZeroDivisionError("oh"), with_gamma(3))
    assert stage.message() == "Something went wrong inside (ZeroDivisionError: oh)."
    stage.store.update(with_gamma(4))
    stage.settle()
    assert stage.message() == ""
    assert stage.presenter.result.kernel.values["gamma"] == 4


def test_a_view_option_does_not_clear_an_error(stage):
    stage.fail(KernelError("No."), with_gamma(3))
    count = len(stage.requests)
    view = replace(SMALL.view, point_size=12.0)
    stage.store.update(replace(stage.store.settings, view=view))
    assert stage.message() == "No."
    assert len(stage.requests) == count


def test_kernels_are_remembered_until_other_data_come(stage):
    stage.store.update(with_gamma(3))
    actions = stage.window.actions_table
    actions["kernel_linear"].trigger()
    assert stage.store.settings.kernel == KernelSettings("linear")
    actions["kernel_rbf"].trigger()
    assert stage.store.settings.kernel == with_gamma(3).kernel
    stage.store.update(replace(with_gamma(3), data=DataSettings("three_points")))
    actions["kernel_linear"].trigger()
    stage.store.update(replace(stage.store.settings, data=DataSettings("moons")))
    actions["kernel_rbf"].trigger()
    assert stage.store.settings.kernel == KernelSettings("rbf")
    stage.settle()


def test_undo_and_redo_say_what_they_do(stage):
    actions = stage.window.actions_table
    assert actions["undo"].text() == "&Undo"
    assert not actions["undo"].isEnabled()
    actions["toggle_center"].trigger()
    assert actions["undo"].text() == "&Undo centring off"
    stage.store.undo()
    assert actions["redo"].text() == "&Redo centring off"
    assert actions["toggle_center"].isChecked()
    stage.settle()


def test_cancelling_before_the_first_picture_promises_none(qtbot, tmp_path):
    stage = Stage(qtbot)
    assert stage.presenter.cancel()
    assert not stage.runner.busy
    assert stage.message() == "Cancelled; there is no picture yet."
    assert stage.buttons() == ["Compute again"]
    assert not stage.window.board.embedding.is_dimmed()
    stage.window.message_bar.findChild(QPushButton, "message_action").click()
    stage.settle()
    assert stage.presenter.result is not None
    assert stage.message() == ""
    stage.runner.close()


def counted(monkeypatch, widgets):
    """Return the names of widgets as often as they are filled from now on."""
    filled = []
    for widget in widgets:

        def refresh(widget=widget, refresh=widget.refresh):
            filled.append(widget.objectName())
            refresh()

        monkeypatch.setattr(widget, "refresh", refresh)
    return filled


def test_a_step_of_a_slider_fills_no_card_twice_and_colours_nothing_anew(
    stage, monkeypatch
):
    window, colors = stage.window, stage.presenter.scene.colors
    stage.qtbot.waitUntil(window.board.is_settled)
    for card in window.sidebar.cards:
        card.set_collapsed(False)
    filled = counted(monkeypatch, window.sidebar.cards)
    stage.store.update(with_gamma(3), "γ")
    stage.settle()
    stage.qtbot.waitUntil(window.board.is_settled)
    assert window.board.scene.result.kernel.values["gamma"] == 3
    assert sorted(filled) == ["components_card", "kernel_card"]
    assert stage.presenter.scene.colors is colors


def test_colours_that_mean_a_component_follow_every_result_once(stage, monkeypatch):
    view = replace(SMALL.view, color_by="component:0")
    stage.store.update(replace(SMALL, view=view))
    stage.settle()
    asked, came = [], []

    def coloring(result, view):
        asked.append(result)
        return compute(result, view)

    monkeypatch.setattr("kpca_viewer.widgets.scene.coloring", coloring)
    stage.runner.result_ready.connect(came.append)
    stage.store.update(replace(with_gamma(3), view=view))
    stage.settle()
    stage.qtbot.waitUntil(stage.window.board.is_settled)
    assert asked == came != []


def test_a_scene_that_is_shown_already_touches_nothing(stage, monkeypatch):
    window = stage.window
    stage.qtbot.waitUntil(window.board.is_settled)
    filled = counted(monkeypatch, [*window.sidebar.cards, *window.board.panels])
    with stage.qtbot.assertNotEmitted(window.board.shown):
        window.show_scene(stage.presenter.scene.changed())
        window.show_scene(replace(stage.presenter.scene))
    assert filled == []


def test_a_page_that_is_opened_meanwhile_does_not_stop_the_picture(stage):
    asked = len(stage.requests)
    stage.goes_on.clear()
    stage.store.update(SMALL.with_refinement(True))
    stage.qtbot.waitUntil(lambda: len(stage.requests) == asked + 1)
    stage.window.board.compare.show_page("columns")
    assert not stage.should_stop()
    stage.goes_on.set()
    stage.qtbot.waitUntil(lambda: stage.presenter.result.get(COLUMNS) is not None)
    stage.settle()
    assert [r.page == "columns" for r in stage.requests[asked:]] == [False, True]
    assert stage.presenter.result.settings.analysis.refined
    assert stage.presenter.result.get(COLUMNS).is_complete
