"""The whole loop without the main window: start, points, preview, adopt, restart."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.event_loop import EventLoopSteps
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.presenter import SweepPresenter
from kpca_viewer.features.sweep.runner import SweepRunner
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.theme import DARK
from kpca_viewer.window.board import Board
from tests.ui.sweep.windows import views

SWEEP = SweepSettings(low=0.1, high=10, steps=5)


class Bench:
    """Store, both runners, board and strip, wired as the program does."""

    def __init__(self, qtbot, settings):
        self.qtbot = qtbot
        cache = StageCache()

        def work(request, should_stop, progress, publish):
            return run(request, cache, should_stop, progress, publish)

        self.store = SessionStore(settings)
        self.runner = Runner(work)
        self.sweeps = SweepRunner()
        self.board, self.strip = Board(), SweepStrip()
        qtbot.addWidget(self.board)
        qtbot.addWidget(self.strip)
        self.presenter = SweepPresenter(
            self.strip, self.board, self.store, self.runner, self.sweeps, {}
        )
        self.board.changes.settings_requested.connect(self._on_requested)
        self.store.changed.connect(self._on_changed)
        self.runner.result_ready.connect(self._on_result)
        self.strip.resize(900, 170)
        self.strip.show()
        self.analyse()

    def analyse(self):
        with self.qtbot.waitSignal(
            self.runner.busy_changed, check_params_cb=lambda busy: not busy
        ):
            self.runner.submit(AnalysisRequest(self.store.settings))

    def sweep(self, sweep=SWEEP):
        with self.qtbot.waitSignal(self.sweeps.finished):
            self.presenter.start(sweep)
        # The last point is there a moment before the thread has put its work down.
        self.qtbot.waitUntil(lambda: not self.sweeps.busy)

    def _on_requested(self, settings, gesture):
        self.store.update(settings, gesture)

    def _on_changed(self, old, new):
        self.runner.submit(AnalysisRequest(new))

    def _on_result(self, result):
        self.show(result)

    def show(self, result):
        """Show a result on the board now."""
        settings = self.store.settings
        self.board.show_scene(
            self.board.scene.changed(settings=settings, result=result)
        )
        self.board.settle()

    def close(self):
        self.runner.close()
        self.presenter.close()
        self.strip.close()


@pytest.fixture
def bench(qtbot, settings):
    bench = Bench(qtbot, settings)
    yield bench
    bench.close()


def test_from_start_to_a_film(bench):
    bench.sweep()
    assert bench.strip.state() == "done"
    assert bench.strip.film.points.done == 5
    assert bench.presenter.result().sweep == SWEEP


def test_adopting_changes_the_settings_and_nothing_restarts(bench, qtbot):
    bench.sweep()
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.strip.step(1)
    assert dict(bench.store.settings.kernel.values)["gamma"] == pytest.approx(3.1622776)
    assert not bench.sweeps.busy
    assert bench.strip.state() == "done"
    assert bench.strip.film.playhead == 3


def test_preview_lends_the_embedding(bench):
    bench.sweep()
    panel = bench.board.embedding
    caption = panel.caption()
    point = bench.strip.film.points.at(0)
    bench.strip.preview.emit(point)
    assert panel.caption().startswith("Preview of γ = 0.1, to three digits.")
    assert panel.view.point_count == 80
    bench.strip.preview.emit(None)
    assert panel.caption() == caption
    panel.view.hide()


def test_preview_in_space(bench):
    view = replace(bench.store.settings.view, embedding_3d=True)
    bench.store.update(replace(bench.store.settings, view=view))
    bench.analyse()
    bench.sweep()
    bench.strip.preview.emit(bench.strip.film.points.at(4))
    assert not bench.board.embedding.view.is_flat
    bench.strip.preview.emit(None)


def test_other_data_restart_the_sweep(bench, qtbot):
    bench.sweep()
    settings = bench.store.settings
    with qtbot.waitSignal(bench.sweeps.finished):
        bench.store.update(replace(settings, data=replace(settings.data, seed=5)))
        assert bench.strip.state() == "running"
    assert bench.strip.film.points.done == 5


def test_other_settings_make_it_stale(bench):
    bench.sweep()
    settings = bench.store.settings
    analysis = replace(settings.analysis, components=4)
    bench.store.update(replace(settings, analysis=analysis))
    assert "changed" in bench.strip.bar.progress.text()
    assert not bench.sweeps.busy


def test_a_kernel_without_the_parameter_folds_it(bench):
    bench.sweep()
    settings = bench.store.settings
    bench.store.update(replace(settings, kernel=KernelSettings("linear")))
    assert bench.strip.state() == "idle"
    assert bench.sweeps.sweep is None


def test_a_failure_is_said(bench, qtbot):
    bench.store.reset(SessionSettings(data=DataSettings("gone.csv")))
    with qtbot.waitSignal(bench.sweeps.failed):
        bench.presenter.start(SWEEP)
    assert bench.strip.state() == "failed"
    assert "not open" in bench.strip.bar.progress.text()


def test_cancel_keeps_what_is_there(bench, qtbot):
    with qtbot.waitSignal(bench.sweeps.point_ready):
        bench.presenter.start(SweepSettings(low=0.1, high=10, steps=200))
    bench.strip.cancel_requested.emit()
    assert bench.strip.state() == "done"
    assert "missing" in bench.strip.bar.progress.text()


def test_gallery_and_comparison_open(bench, qtbot):
    bench.presenter.show_gallery()
    assert bench.presenter.gallery.view is None
    bench.sweep()
    bench.board.show_scene(bench.board.scene.changed(theme=DARK))
    bench.presenter.show_gallery()
    gallery = bench.presenter.gallery.view
    assert gallery.isVisible()
    said = []
    bench.board.changes.settings_requested.connect(
        lambda new, gesture: said.append(new)
    )
    gallery.adopted.emit(bench.strip.film.points.at(0))
    assert dict(said[0].kernel.values)["gamma"] == 0.1
    bench.presenter.pin_current()
    gallery.pin_requested.emit(bench.strip.film.points.at(4))
    compare = bench.presenter.compare
    assert compare.isVisible()
    assert compare.difference() is not None
    bench.presenter.close()
    assert not gallery.isVisible()
    assert not compare.isVisible()


def fills(compare):
    """Whether the pictures of a comparison fill their plots."""
    return not any(view.aspect_locked for view in views(compare))


def fill_panels(bench):
    settings = bench.store.settings
    bench.store.update(replace(settings, view=replace(settings.view, fills=True)))


def test_windows_beside_the_board_follow_it_in_later_turns(bench, qtbot):
    bench.sweep()
    bench.presenter.show_gallery()
    for index in (0, 4):
        bench.strip.pin_requested.emit(bench.strip.film.points.at(index))
    compare = bench.presenter.compare
    assert compare.isVisible()
    at_once, small = [], bench.presenter.gallery.view.multiples
    before = small.grab().toImage()
    bench.board.shown.connect(lambda _: at_once.append(fills(compare)))
    fill_panels(bench)
    qtbot.waitUntil(lambda: fills(compare))
    assert at_once[0] is False
    assert small.grab().toImage() != before


def test_a_closed_comparison_follows_when_it_is_opened(bench, qtbot):
    bench.sweep()
    for index in (0, 4):
        bench.strip.pin_requested.emit(bench.strip.film.points.at(index))
    compare = bench.presenter.compare
    compare.close()
    fill_panels(bench)
    qtbot.waitUntil(lambda: bench.presenter.shades().fills)
    qtbot.waitUntil(lambda: not bench.runner.busy)
    qtbot.waitUntil(lambda: not bench.presenter.findChild(EventLoopSteps).running)
    assert not fills(compare)
    bench.presenter.show_compare()
    assert fills(compare)


def test_export_is_asked_for_with_the_sweep(bench):
    said = []
    bench.presenter.export_requested.connect(said.append)
    bench.strip.export_requested.emit()
    assert said == []
    bench.sweep()
    bench.strip.export_requested.emit()
    assert len(said[0].points) == 5


def flip(bench, components):
    settings = bench.store.settings
    view = replace(settings.view, flipped=components)
    bench.store.update(replace(settings, view=view))
    bench.analyse()


def test_the_film_keeps_the_sides_of_the_window(bench, qtbot):
    """A preview is mirrored as the picture is that it stands for."""
    bench.sweep()
    result = bench.board.scene.result
    place = bench.strip.film.points.nearest(bench.strip.film.playhead)
    bench.strip.preview.emit(place)
    for axis in (0, 1):
        assert place.film[:, axis] @ result.scores[:, axis] > 0
    bench.strip.preview.emit(None)


@pytest.mark.parametrize("flipped", [(0,), (1,), (0, 1)])
def test_film_and_board_are_the_same_way_round(bench, flipped):
    flip(bench, flipped)
    bench.sweep()

    def agree(point):
        scores = bench.board.scene.result.scores[point.rows, :2]
        return (np.einsum("ij,ij->j", point.thumbnail, scores) > 0).all()

    # γ = 1 is in the middle, and on the board.
    assert agree(bench.strip.film.points.at(2))
    for position in (4, 0, 3, 1):
        with bench.qtbot.waitSignal(
            bench.runner.busy_changed, check_params_cb=lambda busy: not busy
        ):
            bench.strip.adopt(bench.strip.film.points.at(position))
        assert agree(bench.strip.film.points.at(position))


def test_a_film_turns_round_with_the_board(bench):
    bench.sweep()
    before = bench.strip.film.points.at(4).thumbnail
    flip(bench, (0, 1))
    np.testing.assert_array_equal(bench.strip.film.points.at(4).thumbnail, -before)


def test_a_pin_that_is_early_gets_its_measures_later(bench, analysis, qtbot):
    pins = []
    bench.presenter.pins.pins_changed.connect(pins.append)
    bench.show(replace(analysis, comparison=None))
    bench.presenter.pin_current()
    (early,) = pins[0]
    assert "silhouette" not in early.measures
    qtbot.waitUntil(lambda: pins[-1][0].is_scored)
    (whole,) = pins[-1]
    assert whole.measures["silhouette"] == pytest.approx(
        analysis.comparison.kernel.silhouette
    )
    np.testing.assert_array_equal(whole.coordinates, early.coordinates)
    qtbot.waitUntil(lambda: not bench.presenter.pins.busy)


def test_a_film_of_another_kernel_says_so_and_brings_it_back(bench, qtbot):
    bench.sweep()
    point = bench.strip.film.points.at(0)
    laplacian = replace(bench.store.settings, kernel=KernelSettings("laplacian"))
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.store.update(laplacian)
    bench.strip.preview.emit(point)
    assert "RBF (Gaussian), γ = 0.1" in bench.board.embedding.caption()
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.strip.adopt(point)
    kernel = bench.store.settings.kernel
    assert (kernel.family, dict(kernel.values)["gamma"]) == ("rbf", pytest.approx(0.1))
