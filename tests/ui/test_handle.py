"""From Python into the window and back: what `show` returns."""

import signal

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox
from sklearn.datasets import make_circles
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kpca_viewer
from kpca_viewer import KernelPCA, linear, rbf
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.features.registry import pages
from kpca_viewer.support.errors import DataError, KernelError
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.window import start

X, Y = make_circles(60, factor=0.3, noise=0.05, random_state=0)


@pytest.fixture
def show(qtbot):
    handles = []

    def open_window(*args, **options):
        handle = kpca_viewer.show(*args, block=False, **options)
        handles.append(handle)
        viewer = handle._viewer
        qtbot.waitUntil(lambda: viewer.presenter.result is not None, timeout=60_000)
        return handle, viewer

    yield open_window
    for handle in handles:
        handle.close()


def settled(qtbot, viewer, there):
    qtbot.waitUntil(lambda: not viewer.runner.busy and there(), timeout=60_000)


def test_ctrl_c_while_the_window_is_made_closes_it(qtbot, monkeypatch):
    made = []

    class Interrupted(start.Viewer):
        def __init__(self, *args, **options):
            signal.raise_signal(signal.SIGINT)
            super().__init__(*args, **options)
            made.append(self)

    monkeypatch.setattr(start, "Viewer", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        kpca_viewer.show(X)
    (viewer,) = made
    assert not viewer.window.isVisible()
    assert not viewer.runner.busy


@pytest.mark.journey
def test_fit_look_select_group_and_go_on(show, qtbot):
    fitted = KernelPCA(3, kernel="rbf", gamma=4.0).fit(X)
    handle, viewer = show(X, Y, name="rings", model=fitted)
    assert handle.kernel == {"kernel": "rbf", "gamma": 4.0}
    np.testing.assert_allclose(
        np.abs(handle.embedding.to_numpy()), np.abs(fitted.transform(X)), atol=1e-6
    )
    assert not handle.selection.any()
    viewer.window.board.linking.apply_selection(Y == 1)
    np.testing.assert_array_equal(handle.selection, Y == 1)
    np.testing.assert_array_equal(handle.selected_index, np.flatnonzero(Y == 1))
    groups = viewer.controllers["selection"]
    groups.name("group", "core", Y == 1)
    settled(qtbot, viewer, lambda: "core" in handle.groups)
    np.testing.assert_array_equal(handle.groups["core"], Y == 1)
    scores = handle.model.transform(X)
    np.testing.assert_allclose(scores, handle.embedding.to_numpy(), atol=1e-6)
    assert "rings" in repr(handle)
    figure = handle.figure()
    assert figure.axes[0].get_xlabel().startswith("PC 1")
    pyplot.close(figure)
    assert not pyplot.get_fignums()
    # The same after the window is gone.
    handle.close()
    assert not handle.is_open
    np.testing.assert_array_equal(handle.selection, Y == 1)
    np.testing.assert_array_equal(handle.groups["core"], Y == 1)
    assert handle.model[-1].gamma == 4.0
    assert "closed" in repr(handle)


@pytest.mark.journey
def test_a_sum_of_kernels_opens_and_its_weights_are_dragged(show, qtbot, tmp_path):
    kernel = rbf(4.0) + 0.1 * linear()
    fitted = KernelPCA(3, kernel=kernel).fit(X)
    handle, viewer = show(X, Y, name="rings", model=fitted)
    np.testing.assert_allclose(
        np.abs(handle.embedding.to_numpy()), np.abs(fitted.transform(X)), atol=1e-6
    )
    combo = viewer.window.findChild(QComboBox, "kernel_combo")
    assert combo.currentText() == "RBF + linear"
    row = viewer.window.findChild(NumberRow, "weight_2_row")
    slider = row.findChild(ValueSlider, "weight_2_slider")
    slider.setFocus()
    qtbot.keyClick(slider, Qt.Key.Key_Right)
    settled(qtbot, viewer, lambda: handle.kernel["kernel"].values["weight_2"] > 0.1)
    dragged = handle.kernel["kernel"]
    assert dragged.values["gamma"] == 4.0
    # Every page has something to show or to say.
    for key in pages():
        viewer.window.board.compare.show_page(key)
        settled(qtbot, viewer, lambda: True)
        viewer.window.grab()
    assert viewer.presenter.result.kernel == dragged
    # On in Python: the same kernel, the same scores, a file of them.
    again = KernelPCA(3, **handle.kernel).fit(X)
    model = handle.model
    np.testing.assert_allclose(
        np.abs(again.transform(X)), np.abs(model.transform(X)[:, :3]), atol=1e-6
    )
    model[-1].save(tmp_path / "model.npz")
    loaded = KernelPCA.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(X), model[-1].transform(X))
    save(Document(viewer.presenter.result.settings), tmp_path / "sum.kpca")
    assert load(tmp_path / "sum.kpca").settings.kernel.family == "rbf + linear"


@pytest.mark.journey
def test_rows_with_gaps_keep_their_places(show):
    frame = pd.DataFrame(X, columns=["a", "b"], index=[f"r{i}" for i in range(60)])
    frame.iloc[4, 0] = np.nan
    handle, viewer = show(frame, missing="drop")
    viewer.window.board.linking.apply_selection(np.arange(59) == 10)
    assert handle.selected_index.tolist() == [11]
    assert len(handle.selection) == 60
    assert handle.embedding.index[10] == "r11"


@pytest.mark.journey
def test_names_metadata_and_a_pipeline(show):
    names = [f"n{i}" for i in range(60)]
    model = make_pipeline(StandardScaler(), KernelPCA(2, kernel="poly", degree=2))
    handle, viewer = show(X, names=names, metadata={"when": np.arange(60)}, model=model)
    data = viewer.presenter.result.dataset
    assert data.row_names == tuple(names)
    assert "when" in data.columns
    assert handle.kernel["kernel"] == "poly"
    assert handle.kernel["degree"] == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"names": ["a"]}, "1 entries for 60 rows"),
        ({"metadata": {"m": [1, 2]}}, "“m” has 2 entries"),
        ({"kernel": "magic"}, "no kernel 'magic'"),
    ],
)
def test_what_does_not_fit_is_said(qapp, options, words):
    with pytest.raises((DataError, KernelError), match=words):
        kpca_viewer.show(X, block=False, **options)


@pytest.mark.parametrize("what", ["embedding", "spectrum"])
def test_plots_on_axes_of_matplotlib(what):
    model = KernelPCA(5, kernel="rbf", gamma=4.0).fit(X)
    before = pyplot.get_fignums()
    axes = kpca_viewer.plot(model, what, y=Y)
    # What is made without axes is shown by pyplot, so by a notebook too.
    assert pyplot.get_fignums() == [*before, axes.figure.number]
    axes.figure.canvas.draw()
    if what == "embedding":
        drawn = np.concatenate([c.get_offsets() for c in axes.collections])
        scores = model.transform(X)[:, :2]
        rows = np.concatenate([scores[c == Y] for c in dict.fromkeys(Y.tolist())])
        np.testing.assert_allclose(drawn, rows, atol=1e-9)
        assert axes.get_xlabel().startswith("PC 1")
    else:
        heights = [bar.get_height() for bar in axes.patches]
        np.testing.assert_allclose(heights, 100 * model.explained_variance_ratio_)
    with pytest.raises(DataError, match="cannot be plotted"):
        kpca_viewer.plot(model, "pie")
    pyplot.close(axes.figure)


def test_a_file_is_read_as_the_window_opens_it():
    from kpca_viewer.resources import asset

    wine = kpca_viewer.read(asset("data", "wine.csv"))
    assert (wine.n, wine.d) == (178, 13)
    assert wine.label_names == ("class_0", "class_1", "class_2")
