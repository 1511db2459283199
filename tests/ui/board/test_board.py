"""Panels that show one result, linked by rows."""

import re
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QToolButton

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.frames import of_arrays
from kpca_viewer.engine.analysis import AnalysisRequest, analyse, run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.engine.text.describe import axis_title, describe_row, status_line
from kpca_viewer.engine.views import Camera
from kpca_viewer.features.data_plot.new_points import MOST
from kpca_viewer.support.numerals import data_value, ungrouped
from kpca_viewer.widgets.composed_picture import legend_of
from kpca_viewer.widgets.controls import SearchCombo
from kpca_viewer.widgets.joined_scatter import columns
from kpca_viewer.widgets.plots.row_labels import RowLabels
from kpca_viewer.widgets.theme import DARK
from tests.ui.board.boards import keep_new_points, show

SMALL = SessionSettings(data=DataSettings("circles", as_values({"samples": 60})))
IRIS = SessionSettings(data=DataSettings("iris"))


@pytest.fixture
def board(fresh_board, answer):
    board = fresh_board(1000, 700)
    keep = keep_new_points(board)
    show(board, answer(SMALL), SMALL)
    yield board
    board.new_points.requested.disconnect(keep)


VIEWS = [
    ViewSettings(axes=(3, 2, 1)),
    ViewSettings(embedding_3d=True, data_3d=True),
    ViewSettings(data_axes=(1, 0, 2)),
    ViewSettings(color_by="component:2"),
    ViewSettings(color_by="none", isolines=False),
    ViewSettings(spectrum="log", cumulative=False),
    ViewSettings(gram_centred=False, point_size=3.0, motion=False),
]


def test_turning_is_offered_in_three_dimensions_only(qtbot, fresh_board, answer):
    board = fresh_board(1000, 700)
    board.show()
    buttons = board.data.turn, board.embedding.turn
    assert not any(button.isVisible() for button in buttons)
    view = ViewSettings(embedding_3d=True, data_3d=True)
    show(board, answer(IRIS), replace(IRIS, view=view))
    qtbot.waitUntil(lambda: all(button.isVisible() for button in buttons))


@pytest.mark.journey
def test_showing_anything_requests_nothing(board, answer):
    for settings in (SMALL, IRIS):
        for view in VIEWS:
            changed = replace(settings, view=view)
            show(board, answer(settings), changed)
    assert board.requested == []


def test_the_axes_show_the_chosen_components(board, answer):
    result = answer(SMALL)
    show(board, result, replace(SMALL, view=ViewSettings(axes=(3, 0, 1))))
    placed = board.embedding.view.area.placed
    assert np.allclose(placed, result.scores[:, [3, 0]])


@pytest.mark.journey
def test_a_part_of_the_data_stays_in_view_while_gamma_moves(board, answer):
    data, linear = board.data.view, board.compare.pca
    for view in (data, linear):
        view.set_view_range((-0.2, 0.1), (-0.1, 0.2))
    ranges = [view.view_range() for view in (data, linear)]
    other = replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": 9})))
    before = board.embedding.view.area.placed.copy()
    signs = np.sign(
        (answer(SMALL).linear.scores * answer(other).linear.scores).sum(axis=0)
    )
    show(board, answer(other), other)
    assert data.view_range() == ranges[0]
    # Linear PCA is the way round of the embedding, and so is the part in view.
    turned = [
        tuple(sorted(sign * np.array(ends)))
        for sign, ends in zip(signs, ranges[1], strict=True)
    ]
    assert np.allclose(linear.view_range(), turned)
    assert not np.allclose(board.embedding.view.area.placed, before)
    show(board, answer(IRIS), IRIS)
    assert data.view_range() != ranges[0]
    assert linear.view_range() != ranges[1]


@pytest.mark.journey
def test_a_panel_without_a_place_draws_nothing_until_it_has_one(board, answer):
    board.show_workspace("explain")
    before = board.spectrum.view.bars
    other = replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": 9})))
    show(board, answer(other), other)
    assert board.spectrum.view.bars is before
    board.show_workspace("explore")
    assert not np.allclose(board.spectrum.view.bars.shares, before.shares)


class Paints(QObject):
    """Counts what is painted on some widgets."""

    def __init__(self, *widgets):
        super().__init__()
        self.count = 0
        for widget in widgets:
            widget.installEventFilter(self)

    def eventFilter(self, _watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


def trusted(result):
    """Return a result whose captions have the score of rows without classes."""
    scores = {"linear_accuracy": None, "trustworthiness": 0.9}
    both = result.comparison
    parts = {"kernel": both.kernel, "linear": both.linear}
    parts = {name: replace(part, **scores) for name, part in parts.items()}
    return replace(result, comparison=replace(both, **parts))


@pytest.mark.journey
def test_scores_that_come_later_paint_no_plot_again(board, answer, qtbot, qapp):
    board.show()
    qtbot.waitExposed(board)
    result = answer(SMALL)
    show(board, replace(result, comparison=None), SMALL)
    for _ in range(5):
        qapp.processEvents()
    scatters = (board.data.view, board.embedding.view, board.compare.pca)
    paints = Paints(board.spectrum.view, *(s.canvas.viewport() for s in scatters))
    show(board, result, SMALL)
    # Scenes and layouts follow in later rounds of events.
    for _ in range(5):
        qapp.processEvents()
    assert "explained" in board.embedding.caption()
    assert paints.count == 0
    other = replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": 9})))
    show(board, answer(other), other)
    qtbot.waitUntil(lambda: paints.count >= 3)


@pytest.mark.journey
def test_isolines_follow_gamma_theme_and_switch(board, answer):
    underlay = board.data.view.area.underlay
    seen = [underlay.image]
    other = replace(SMALL, kernel=KernelSettings("rbf", as_values({"gamma": 9})))
    show(board, answer(other), other)
    seen.append(underlay.image)
    board.set_theme(DARK)
    seen.append(underlay.image)
    assert seen[0] != seen[1] != seen[2]
    off = replace(other, view=ViewSettings(isolines=False))
    show(board, answer(off), off)
    assert underlay.image is None


def test_plane_data_have_isolines_and_other_data_features(board, answer):
    assert "Isolines of PC 1" in board.data.caption()
    axes = [board.findChild(SearchCombo, f"data_{axis}_combo") for axis in "xyz"]
    assert not any(combo.isVisibleTo(board.data) for combo in axes)
    show(board, answer(IRIS), IRIS)
    assert "Isolines" not in board.data.caption()
    offered = [combo.isVisibleTo(board.data) for combo in axes]
    assert offered == [True, True, False]
    # Which columns follow the components is said.
    assert "PC 1" in board.data.caption()
    first, second, _ = (combo.currentIndex() for combo in axes)
    other = next(index for index in range(4) if index not in (first, second))
    axes[1].setCurrentIndex(other)
    (request,) = board.requested
    assert request.view.data_axes[:2] == (first, other)


def test_tools_are_changes_of_the_view(board):
    board.embedding.dimensions.button("3d").click()
    board.findChild(QToolButton, "spectrum_log_button").click()
    board.findChild(QToolButton, "spectrum_sum_button").click()
    board.compare.show_page("gram")
    board.compare.views["gram"].centring.button("raw").click()
    views = [request.view for request in board.requested]
    assert views == [
        ViewSettings(embedding_3d=True),
        ViewSettings(spectrum="log"),
        ViewSettings(cumulative=False),
        ViewSettings(gram_centred=False),
    ]


@pytest.mark.parametrize(
    ("clicked", "axes"), [(5, (5, 1, 2)), (1, (1, 0, 2)), (0, (0, 1, 2))]
)
def test_a_component_moves_to_the_x_axis(board, clicked, axes):
    board.spectrum.view.component_clicked.emit(clicked)
    assert [request.view.axes for request in board.requested] == [axes]


@pytest.mark.journey
def test_selection_is_shared_and_belongs_to_its_data(board, answer):
    mask = np.arange(60) < 5
    board.embedding.view.selected.emit(mask, "replace")
    for view in (board.data.view, board.embedding.view, board.compare.pca):
        assert (view.area.cloud.selected == mask).all()
    board.compare.show_page("table")
    assert board.compare.views["table"].view.model.rows.tolist() == [0, 1, 2, 3, 4]
    show(board, answer(IRIS), IRIS)
    assert board.linking.selection is None
    assert board.compare.views["table"].view.model.rowCount() == 150


def test_the_table_knows_of_hidden_classes(board, answer):
    board.embedding.legend.hidden_changed.emit({0})
    board.compare.show_page("table")
    count = int((answer(SMALL).dataset.labels == 0).sum())
    assert (
        board.compare.views["table"].view.caption()
        == f"All 60 rows, {count} of them hidden"
    )
    board.embedding.legend.hidden_changed.emit(set())
    assert board.compare.views["table"].view.caption() == "All 60 rows"
    board.set_hidden({1})
    show(board, answer(IRIS), IRIS)
    assert board.compare.views["table"].view.caption() == "All 150 rows"


def written(view) -> list[str]:
    """Return what stands beside the points, drawn now."""
    exported(view)
    return sorted(view.area.cloud.label_texts)


@pytest.mark.journey
def test_few_rows_are_named_beside_their_points(board, answer):
    three = SessionSettings(data=DataSettings.of_source("three_points"))
    show(board, answer(three), three)
    views = (board.data.view, board.embedding.view, board.compare.pca)
    for view in views:
        assert written(view) == ["a", "b", "c"]
        with_names = exported(view)
        view.area.cloud.set_labels(RowLabels())
        assert exported(view) != with_names
    board.linking.set_names({1: "middle"})
    for view in views:
        assert written(view) == ["a", "c", "middle"]
    board.linking.set_names({})
    show(board, answer(SMALL), SMALL)
    for view in views:
        assert written(view) == []


@pytest.mark.journey
def test_pointing_at_a_class_lifts_it_in_every_plot(board, answer):
    show(board, answer(IRIS), IRIS)
    views = (board.data.view, board.embedding.view)
    before = [exported(view) for view in views]
    board.embedding.legend.classes_hovered.emit(frozenset({1}))
    for view, picture in zip(views, before, strict=True):
        assert exported(view) != picture
    board.embedding.legend.classes_hovered.emit(None)
    assert [exported(view) for view in views] == before


@pytest.mark.journey
def test_rows_that_are_selected_or_named_have_their_label_and_others_on_request(
    board, answer
):
    show(board, answer(IRIS), IRIS)
    view = board.embedding.view
    mask = np.zeros(150, dtype=bool)
    mask[[17, 60, 120]] = True
    board.linking.apply_selection(mask)
    board.linking.set_names({5: "odd one"})
    assert written(view) == ["121", "18", "61", "odd one"]
    by_class = replace(IRIS, view=replace(IRIS.view, label_by="label"))
    show(board, answer(IRIS), by_class)
    assert written(view) == ["odd one", "setosa", "versicolor", "virginica"]
    board.linking.clear()
    assert written(view) == ["odd one"]
    every = replace(IRIS, view=replace(IRIS.view, labels=True, label_by="feature:0"))
    show(board, answer(IRIS), every)
    texts = written(view)
    assert len(texts) > 10
    assert {"odd one", *texts} <= {"odd one", *map(data_value, _lengths(answer(IRIS)))}


def _lengths(result):
    return [float(value) for value in result.dataset.points[:, 0]]


@pytest.mark.journey
def test_shapes_tell_a_column_beside_the_colours(board):
    columns = {"site": ["Wien", "Graz", None] * 4, "age": np.arange(12) / 7}
    dataset = Dataset(np.arange(24.0).reshape(12, 2) ** 2, columns=columns)
    result, view = analyse(dataset), ViewSettings(shape_by="column:site")
    for by, kind in (("column:age", "continuous"), ("none", "single")):
        settings = SessionSettings(view=replace(view, color_by=by))
        show(board, result, settings)
        cloud = board.embedding.view.area.cloud
        assert cloud.palette.ordered == (kind == "continuous")
        assert cloud.shapes.tolist() == [1, 0, 0] * 4
        assert board.embedding.shape_legend.names == ("Graz", "Wien")
        entries = legend_of(board.scene.colors, DARK).entries
        assert [entry.name for entry in entries] == ["Graz", "Wien"]
    show(board, result, SessionSettings())
    assert not board.embedding.shape_legend.isVisibleTo(board)


def test_a_shape_that_no_row_has_is_in_no_legend(board):
    points = np.arange(24.0).reshape(12, 2) ** 2
    names = ("inner", "middle", "outer")
    dataset = Dataset(points, labels=np.array([0, 2] * 6), label_names=names)
    result = analyse(dataset)
    settings = SessionSettings(view=ViewSettings(color_by="none", shape_by="label"))
    show(board, result, settings)
    assert board.embedding.shape_legend.accessibleName() == (
        "Shape by class: inner, outer"
    )
    entries = legend_of(board.scene.colors, DARK).entries
    assert [entry.name for entry in entries] == ["inner", "outer"]


def test_scores_that_come_later_draw_no_plot_of_the_rows_again(
    board, answer, monkeypatch
):
    show(board, replace(answer(SMALL), comparison=None), SMALL)
    short, colored = board.compare.caption(), []
    for view in (board.data.view, board.compare.pca):

        def set_colors(*colors, view=view, take=view.set_colors):
            colored.append(view.objectName())
            take(*colors)

        monkeypatch.setattr(view, "set_colors", set_colors)
    show(board, trusted(answer(SMALL)), SMALL)
    assert colored == []
    assert len(board.compare.caption()) > len(short)


def exported(view) -> QImage:
    picture = QImage(300, 200, QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    view.render_to(painter, QRectF(0, 0, 300, 200))
    painter.end()
    return picture


@pytest.mark.parametrize(
    ("three", "words"),
    [(True, "Only two components: nothing on the third axis."), (False, "")],
)
def test_an_axis_without_a_component_is_explained(board, answer, three, words):
    settings = SessionSettings(
        data=DataSettings.of_source("three_points"),
        view=ViewSettings(embedding_3d=three),
    )
    show(board, answer(settings), settings)
    assert ("Only two" in board.embedding.caption()) == three
    assert words in board.embedding.caption()


@pytest.mark.journey
def test_hidden_pages_catch_up_when_they_are_turned_to(board, answer):
    board.compare.show_page("gram")
    board.compare.show_page("pca")
    show(board, answer(IRIS), IRIS)
    assert board.compare.views["gram"].view.result is answer(SMALL), (
        "a hidden page was drawn"
    )
    board.compare.show_page("gram")
    assert board.compare.views["gram"].view.result is answer(IRIS)


@pytest.mark.journey
def test_a_panel_changes_places_with_the_stage(board):
    board.show()
    inspector = board.spectrum.parent()
    stage = board.embedding.parent()
    board.bring_to_stage("spectrum")
    assert (board.on_stage, board.front()) == ("spectrum", "spectrum")
    assert (board.spectrum.parent(), board.embedding.parent()) == (stage, inspector)
    assert all(p.isVisible() for p in board.panels)
    # One after the other: never two of them, and the embedding ends it.
    board.bring_to_stage("data")
    assert board.spectrum.parent() is inspector
    assert board.restore()
    assert board.embedding.parent() is stage
    assert (board.on_stage, board.front()) == ("embedding", None)
    assert not board.restore()


@pytest.mark.journey
def test_a_button_of_every_panel_leads_to_the_stage_and_back(board):
    board.show()
    for panel in (board.data, board.spectrum, board.compare):
        button = panel.findChild(QToolButton, "stage_button")
        assert button.isVisible()
        button.click()
        assert panel.parent().objectName() == "stage_column"
        button.click()
        assert board.on_stage == "embedding"
    board.show_workspace("explain")
    for panel in board.panels:
        assert not panel.findChild(QToolButton, "stage_button").isVisible()


def test_the_theme_reaches_every_plot(board):
    board.set_theme(DARK)
    for view in (board.data.view, board.embedding.view, board.compare.pca):
        assert view.area.theme is DARK
    assert board.spectrum.view.theme is DARK
    assert board.compare.views["gram"].view.theme is DARK


@pytest.mark.journey
def test_new_points_only_where_they_have_a_place(board, answer):
    board.new_points.drop()
    assert len(board.new_points.positions) == 1
    for _ in range(MOST + 5):
        board.new_points.drop()
    assert len(board.new_points.positions) == MOST
    show(board, answer(IRIS), IRIS)
    assert not board.data.view.area.markers
    board.new_points.clear()
    board.new_points.drop()
    assert board.new_points.positions == (), "four features have no place for a click"


@pytest.mark.journey
def test_new_points_follow_the_embedding_into_space(board, answer):
    board.new_points.drop()
    view = ViewSettings(embedding_3d=True)
    show(board, answer(SMALL), replace(SMALL, view=view))
    (marker,) = board.embedding.view.area.markers
    assert len(marker.position) == 3


@pytest.mark.journey
def test_other_data_are_seen_whole_from_the_same_side(board, answer):
    view = board.embedding.view
    view.set_camera(Camera(azimuth=10, zoom=4.0, pan=(0.3, 0.2)))
    show(board, answer(SMALL), SMALL)
    assert view.camera.zoom == 4.0
    show(board, answer(IRIS), IRIS)
    assert view.camera == Camera(azimuth=10)


def test_columns_that_are_not_there_are_zeros():
    table = np.arange(6.0).reshape(3, 2)
    chosen, picked = columns(table, (1, 4, 0), 3)
    assert picked == [1, -1, 0]
    assert chosen.tolist() == [[1, 0, 0], [3, 0, 2], [5, 0, 4]]


@pytest.mark.journey
def test_dense_and_krylov_say_the_same_of_an_indefinite_kernel(board, answer):
    """Where not all eigenvalues are computed, shares are estimates and say so."""
    kernel = KernelSettings("sigmoid", as_values({"gamma": 1, "coef0": 1}))
    said = {}
    for solver in ("dense", "krylov"):
        settings = replace(
            SMALL, kernel=kernel, analysis=AnalysisSettings(4, solver=solver)
        )
        result = answer(settings)
        show(board, result, settings)
        assert "95 % never reached" in board.spectrum.view.bars.mark_text
        said[solver] = result, axis_title(result, 0), board.spectrum.caption()
    (exact, title, words), (other, about, estimate) = said["dense"], said["krylov"]
    assert "≈" not in title + words
    assert about.startswith("PC 1 (≈ ")
    np.testing.assert_allclose(other.shares, exact.shares, rtol=0.02)
    assert other.effective_rank == pytest.approx(exact.effective_rank, rel=0.04)
    assert re.search(r"negative mass [0-9.]+ %, in amber: ", words)
    assert re.search(r"negative mass about [0-9.]+ %( \(.* to .* %\))?: ", estimate)


def test_a_row_describes_itself(answer):
    text = describe_row(answer(IRIS), 0)
    assert text.splitlines()[0] == "row 1 · setosa"
    assert "sepal length (cm) = 5.1" in text


def test_the_status_line_says_everything(answer):
    settings = replace(
        SMALL,
        kernel=KernelSettings("poly", as_values({"gamma": 1, "degree": 2})),
        analysis=replace(SMALL.analysis, center=False, solver="dense"),
    )
    parts = status_line(answer(settings)).split("  ·  ")
    assert parts[:4] == [
        "60 × 2",
        "Polynomial γ = 1 p = 2 c = 1",
        "not centred",
        "dense",
    ]
    assert parts[4].endswith(" ms")
    assert len(parts) == 5


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.0243, "24 ms"), (1.999, "1,999 ms"), (2.0, "2.0 s"), (15.7, "15.7 s")],
)
def test_long_times_are_told_in_seconds(answer, seconds, text):
    line = status_line(replace(answer(SMALL), seconds=seconds))
    assert text in line.split("  ·  ")


@pytest.mark.journey
def test_an_indefinite_kernel_is_explained_in_words(board, answer):
    settings = replace(SMALL, kernel=KernelSettings("sigmoid"))
    show(board, answer(settings), settings)
    caption = board.spectrum.caption()
    assert "the kernel matrix is indefinite, shares are of all eigenvalues" in caption
    assert "Σ" not in caption


@pytest.mark.journey
def test_features_of_different_units_fill_the_plot(board):
    random = np.random.default_rng(0)
    planets = of_arrays(random.normal(size=(80, 2)) * [1, 4000], name="planets")
    settings = SessionSettings(data=DataSettings("planets"))
    board.resize(1000, 700)
    board.show()
    for dataset, equal in ((planets, False), (stretched(planets, [1, 3]), True)):
        request = AnalysisRequest(settings, {"planets": dataset})
        show(board, run(request, StageCache()), settings)
        frame = board.data.view.area.frame
        (x0, x1), (y0, y1) = frame.x_range, frame.y_range
        across, up = frame.width / (x1 - x0), frame.height / (y1 - y0)
        assert (across == pytest.approx(up, rel=0.02)) is equal


def stretched(dataset, scale):
    points = dataset.points / np.ptp(dataset.points, axis=0) * scale
    return of_arrays(points, name=dataset.name)


def test_a_row_is_described_by_every_column_that_is_no_feature():
    columns = {"site": ["Wien", None], "year": [2001.0, 2002.5], "none": [np.nan] * 2}
    dataset = Dataset(np.array([[1.0, 2.0], [3.0, 5.0]]), columns=columns)
    result = analyse(dataset)
    score = ungrouped(float(result.scores[0, 0]))
    assert describe_row(result, 0).splitlines() == [
        *("row 1", "site: Wien", "year: 2001", "x1 = 1", "x2 = 2"),
        f"kernel PC 1 = {score}",
    ]
    assert describe_row(result, 1).splitlines()[1] == "year: 2002.5"


def test_another_theme_before_a_result_is_drawn_looks_at_its_own_columns(board, answer):
    show(board, answer(IRIS), IRIS)
    # As when the panel waits for its turn.
    board.data.scene = board.data.scene.changed(result=answer(SMALL), settings=SMALL)
    board.set_theme(DARK)
    board.data.show_scene(board.data.scene)
    assert board.data.view.point_count == 60
