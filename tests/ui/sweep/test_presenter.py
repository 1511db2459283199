"""The whole loop without the main window: start, points, preview, adopt, restart."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QTimer

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.gallery import GalleryPage
from kpca_viewer.features.sweep.presenter import SweepPresenter
from kpca_viewer.features.sweep.runner import SweepRunner
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.window.board import Board

SWEEP = SweepSettings(low=0.1, high=10, steps=5)


class Bench:
    """Store, both runners, board and strip, wired as the program does."""

    def __init__(self, settings):
        self.qtbot = None
        cache = StageCache()

        def work(request, should_stop, progress, publish):
            return run(request, cache, should_stop, progress, publish)

        self.store = SessionStore(settings)
        self.runner = Runner(work)
        self.sweeps = SweepRunner()
        self.board, self.strip = Board(), SweepStrip()
        self.gallery = GalleryPage(self.board.linking, self.board.changes)
        self.presenter = SweepPresenter(
            self.strip,
            self.gallery,
            self.board,
            self.store,
            self.runner,
            self.sweeps,
            {},
        )
        self.board.changes.settings_requested.connect(self._on_requested)
        self.store.changed.connect(self._on_changed)
        self.runner.result_ready.connect(self._on_result)
        self.strip.resize(900, 170)
        self.strip.show()

    def reset(self, qtbot, settings):
        """Begin anew, with the picture of some settings and without a sweep."""
        self.qtbot = qtbot
        self.store.reset(settings)
        self.analyse()
        assert self.strip.state() == "idle"

    def analyse(self):
        with self.qtbot.waitSignal(
            self.runner.busy_changed, check_params_cb=lambda busy: not busy
        ):
            self.runner.submit(AnalysisRequest(self.store.settings))

    def sweep(self, sweep=SWEEP):
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


@pytest.fixture(scope="module")
def shared(qapp, settings):
    bench = Bench(settings)
    yield bench
    bench.close()
    for widget in (bench.board, bench.strip, bench.gallery.view):
        widget.deleteLater()


def timers(bench):
    roots = (bench.board, bench.strip, bench.presenter, bench.runner, bench.sweeps)
    return [timer for root in roots for timer in root.findChildren(QTimer)]


@pytest.fixture
def bench(shared, qtbot, settings):
    shared.reset(qtbot, settings)
    yield shared
    shared.strip.preview.emit(None)
    shared.store.reset(settings)
    qtbot.waitUntil(lambda: not (shared.runner.busy or shared.sweeps.busy))
    qtbot.waitUntil(shared.board.is_settled)
    qtbot.waitUntil(lambda: not any(t.isActive() for t in timers(shared)))
    shared.board.embedding.view.glide.finish()


@pytest.mark.journey
def test_a_film_is_previewed_and_taken_and_nothing_restarts(bench, qtbot):
    bench.sweep()
    assert bench.strip.state() == "done"
    assert bench.strip.points.done == 5
    page, panel = bench.gallery.view.page, bench.board.embedding
    assert (page.result.sweep, page.current) == (SWEEP, 2)
    caption, first = panel.caption(), bench.strip.points.at(0)
    for pointed in (bench.strip.preview, bench.gallery.view.pointed):
        pointed.emit(first)
        assert panel.caption().startswith("Preview of γ = 0.1, to three digits.")
        assert panel.view.point_count == 80
        bench.strip.preview.emit(None)
        assert panel.caption() == caption
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.gallery.view.walked.emit(1, 0)
    assert dict(bench.store.settings.kernel.values)["gamma"] == pytest.approx(3.1622776)
    assert not bench.sweeps.busy
    assert bench.strip.film.playhead == 3
    with qtbot.waitSignal(bench.runner.result_ready):
        bench.gallery.view.adopted.emit(first)
    assert dict(bench.store.settings.kernel.values)["gamma"] == 0.1
    assert bench.gallery.view.page.current == 0


def test_preview_in_space(bench):
    view = replace(bench.store.settings.view, embedding_3d=True)
    bench.store.update(replace(bench.store.settings, view=view))
    bench.analyse()
    bench.sweep()
    bench.strip.preview.emit(bench.strip.film.points.at(4))
    assert not bench.board.embedding.view.is_flat
    bench.strip.preview.emit(None)


@pytest.mark.journey
def test_other_data_restart_the_sweep(bench, qtbot):
    bench.sweep()
    settings = bench.store.settings
    bench.store.update(replace(settings, data=replace(settings.data, seed=5)))
    assert bench.strip.state() == "running"
    qtbot.waitUntil(lambda: bench.strip.state() == "done")
    assert bench.strip.film.points.done == 5


def test_other_settings_make_it_stale_and_another_kernel_puts_it_away(bench):
    bench.sweep()
    settings = bench.store.settings
    analysis = replace(settings.analysis, components=4)
    bench.store.update(replace(settings, analysis=analysis))
    assert "changed" in bench.strip.progress.text()
    assert not bench.sweeps.busy
    bench.store.update(replace(settings, kernel=KernelSettings("linear")))
    assert bench.strip.state() == "idle"
    assert bench.gallery.view.page is None


def test_a_failure_is_said(bench, qtbot):
    bench.store.reset(SessionSettings(data=DataSettings("gone.csv")))
    with qtbot.waitSignal(bench.sweeps.failed):
        bench.presenter.start(SWEEP)
    assert bench.strip.state() == "failed"
    assert "not open" in bench.strip.progress.text()


def test_cancel_keeps_what_is_there(bench, qtbot):
    with qtbot.waitSignal(bench.sweeps.result_ready):
        bench.presenter.start(SweepSettings(low=0.1, high=10, steps=200))
    bench.strip.cancel_requested.emit()
    assert bench.strip.state() == "done"
    assert "missing" in bench.strip.progress.text()


@pytest.mark.journey
def test_another_source_starts_it_anew_with_a_range_of_its_own(bench, qtbot):
    bench.sweep()
    moons = DataSettings("moons", (("samples", 80.0),))
    bench.store.update(replace(bench.store.settings, data=moons))
    assert bench.strip.state() == "idle"
    qtbot.waitUntil(lambda: bench.strip.state() == "done")
    qtbot.waitUntil(lambda: not bench.sweeps.busy)
    assert bench.store.notes.sweep.base.data == moons
    assert bench.store.notes.sweep.sweep.steps == 30


def test_a_cancelled_sweep_is_described_and_not_begun_by_itself(bench, qtbot):
    bench.sweep()
    bench.strip.cancel_requested.emit()
    note = bench.store.notes.sweep
    assert note.cancelled
    data = replace(note.base.data, seed=5)
    bench.store.update(replace(bench.store.settings, data=data))
    assert bench.strip.state() == "idle"
    assert bench.strip.sweep() == SWEEP
    bench.strip.start()
    assert bench.strip.state() == "running"
    assert not bench.store.notes.sweep.cancelled
    bench.strip.cancel_requested.emit()


def flip(bench, components):
    settings = bench.store.settings
    view = replace(settings.view, flipped=components)
    bench.store.update(replace(settings, view=view))
    bench.analyse()


@pytest.mark.journey
def test_film_and_board_are_the_same_way_round(bench):
    flip(bench, (0,))
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


@pytest.mark.journey
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
