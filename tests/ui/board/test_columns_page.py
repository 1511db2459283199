"""The page Columns: influence, groups, one column beside a component."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from sklearn.decomposition import PCA

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.features.columns import page as columns_page
from kpca_viewer.features.columns.page import NOT_YET, group_choices
from kpca_viewer.features.columns.stages import PAGE
from kpca_viewer.support.numerals import fixed, percent
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.analyses import analysed
from tests.ui.board.boards import show_page

IRIS = SessionSettings(DataSettings("iris"), KernelSettings("linear"))
STAGES = StageCache()


def answer(settings=IRIS, dataset=None, page=PAGE, **options):
    return analysed(settings, dataset, STAGES, page=page, **options)


@pytest.fixture
def board(qtbot, fresh_board):
    """A board that makes the changes that it requests."""
    board = fresh_board(1200, 800)

    def follow(settings, _gesture):
        board.show_scene(board.scene.changed(settings=settings))
        board.settle()

    board.changes.settings_requested.connect(follow)
    yield show_page(qtbot, board, PAGE, answer())
    board.changes.settings_requested.disconnect(follow)


def show(board, result, **view):
    settings = replace(result.settings, view=ViewSettings(**view))
    board.show_scene(board.scene.changed(result=result, settings=settings))
    board.settle()


def names(board):
    return [bar.name for bar in board.compare.views["columns"].view.bars.bars]


def click_line(board, line):
    bars = board.compare.views["columns"].view.bars
    at = bars.line_box(line).center().toPoint()
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=at)


def choose(combo, text):
    index = combo.findText(text)
    assert index >= 0, [combo.itemText(i) for i in range(combo.count())]
    combo.setCurrentIndex(index)
    combo.activated.emit(index)


def select(board, rows):
    mask = np.zeros(board.linking.count, dtype=bool)
    mask[rows] = True
    board.linking.apply_selection(mask)


def test_bars_of_the_linear_kernel_are_the_loadings_of_pca(board):
    view = board.compare.views["columns"].view
    X = board.scene.result.dataset.points
    features = board.scene.result.dataset.feature_names
    pca = PCA(2).fit(X)
    for component in (0, 1):
        choose(view.component, f"PC {component + 1}")
        assert board.scene.settings.view.columns_of == component
        lengths = np.abs(pca.components_[component]) * X.std(axis=0)
        order = np.argsort(-lengths)
        assert names(board) == [features[f] for f in order]
        values = [bar.value for bar in view.bars.bars]
        assert values == pytest.approx(lengths[order], abs=1e-6)
        shares = np.square(lengths[order]) / np.square(lengths).sum()
        first = view.bars.bars[0]
        assert first.numbers[0] == percent(shares[0])
        scores = board.scene.result.scores[:, component]
        assert first.numbers[1] == fixed(np.corrcoef(X[:, order[0]], scores)[0, 1], 2)
        assert board.compare.caption().startswith(f"PC {component + 1}")
    choose(view.component, "Picture (PC 1, 2)")
    assert board.scene.settings.view.columns_of is None
    assert len(view.bars.bars[0].numbers) == 2
    said = board.compare.caption()
    assert said.startswith("PC 1: the largest influence is that of “")
    assert "PC 2: the largest correlation is that of “sepal width (cm)”" in said


def test_pointing_at_a_line_says_its_numbers(board):
    view = board.compare.views["columns"].view
    choose(view.component, "PC 1")
    QTest.mouseMove(view.bars, view.bars.line_box(0).center().toPoint())
    name, strength, share, related, way, *_ = view.bars.label_lines()
    assert name == names(board)[0]
    assert "per SD" in strength
    assert "%" in share
    assert related.startswith("correlation with PC 1: ")
    assert "with it in 100 % of the rows" in way
    assert any("random order" in line for line in view.bars.label_lines())


def test_a_click_colours_all_plots_and_shows_the_column_beside_the_component(board):
    view = board.compare.views["columns"].view
    choose(view.component, "PC 2")
    click_line(board, 1)
    settings, result = board.scene.settings.view, board.scene.result
    f = result.dataset.feature_names.index(names(board)[1])
    assert settings.color_by == f"feature:{f}"
    assert settings.column == f
    assert board.scene.colors.kind == "continuous"
    shown = view.plot.shown
    assert view.plot.isVisible()
    assert shown.names == (names(board)[1], "PC 2")
    np.testing.assert_array_equal(shown.places[:, 0], result.dataset.points[:, f])
    np.testing.assert_array_equal(shown.places[:, 1], result.scores[:, 1])
    np.testing.assert_array_equal(shown.colors.codes, board.scene.colors.codes)
    # The same line again lets it go.
    click_line(board, 1)
    assert board.scene.settings.view.color_by == "label"
    assert board.scene.settings.view.column is None
    assert view.plot.shown.colors.kind == "class"


def test_one_step_gives_the_colours_of_the_classes_back(board):
    view = board.compare.views["columns"].view
    assert not view.colors_back.isVisible()
    for release in (view.colors_back.click, board.compare.let_go):
        for line in (0, 2, 1):
            click_line(board, line)
        assert view.colors_back.isVisible()
        release()
        assert board.scene.settings.view.color_by == "label"
        assert board.scene.settings.view.column is None
        assert not view.colors_back.isVisible()
    assert not board.compare.let_go()


def test_rows_of_the_small_plot_are_those_of_all_plots(board):
    plot = board.compare.views["columns"].view.plot
    row = 50
    at = plot.frame().to_pixels(plot.shown.places[[row]])[0]
    QTest.mouseMove(plot, plot.rect().topLeft())
    QTest.mouseMove(plot, QRectF(*at, 1, 1).topLeft().toPoint())
    hovered = board.linking.hovered
    assert hovered is not None
    away = np.abs(plot.frame().to_pixels(plot.shown.places[[hovered]])[0] - at)
    assert away.max() < 6


def test_a_choice_is_as_wide_as_its_words_and_its_list_as_the_longest(board):
    units = board.compare.views["columns"].view.units
    units.showPopup()
    lines = units.view()
    assert lines.viewport().width() >= lines.sizeHintForColumn(0) > units.width()
    units.hidePopup()
    narrow = units.width()
    choose(units, "per scaled unit")
    board.settle()
    assert units.sizeHint().width() > narrow


def test_keys_copy_the_list_as_a_table(board, qtbot):
    bars = board.compare.views["columns"].view.bars
    bars.setFocus()
    with qtbot.waitSignal(board.changes.text_copied):
        QTest.keyClick(bars, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, *lines = QGuiApplication.clipboard().text().splitlines()
    assert head.startswith("column\tinfluence")
    assert [line.split("\t")[0] for line in lines] == names(board)


def test_a_class_against_another_is_what_numpy_says(board):
    view = board.compare.views["columns"].view
    QTest.mouseClick(view.what.button("groups"), Qt.MouseButton.LeftButton)
    assert board.scene.settings.view.columns == "groups"
    assert not view.component.isVisible()
    choose(view.groups, "versicolor and virginica")
    dataset = board.scene.result.dataset
    a, b = (dataset.points[dataset.labels == code] for code in (1, 2))
    auc = [
        np.mean((a[:, None, f] > b[:, f]) + 0.5 * (a[:, None, f] == b[:, f]))
        for f in range(4)
    ]
    values = {bar.name: bar.value for bar in view.bars.bars}
    expected = {n: 2 * p - 1 for n, p in zip(dataset.feature_names, auc, strict=True)}
    assert values == pytest.approx(expected)
    order = [abs(bar.value) for bar in view.bars.bars]
    assert order == sorted(order, reverse=True)
    assert all(bar.strong for bar in view.bars.bars)
    caption = board.compare.caption()
    assert "50 and 50 rows" in caption
    assert "smaller in “versicolor”" in caption
    click_line(board, 0)
    assert board.scene.settings.view.color_by.startswith("feature:")


def test_the_selection_is_compared_with_the_rest_as_it_changes(board):
    view = board.compare.views["columns"].view
    show(board, answer(), columns="groups")
    assert view.bars.words.startswith("No row is selected")
    assert not view.plot.isVisible()
    select(board, range(50))
    assert len(view.bars.bars) == 4
    assert "50 and 100 rows" in board.compare.caption()
    assert "the selection" in board.compare.caption()
    select(board, range(150))
    assert view.bars.words.startswith("All rows are selected")
    assert board.compare.caption() == ""
    select(board, range(20, 60))
    assert "40 and 110 rows" in board.compare.caption()
    board.linking.clear()
    assert view.bars.words.startswith("No row is selected")


def test_one_row_tells_no_column_from_chance(board):
    """However far out it lies: one sentence says so, and bars are grey."""
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[7] = 100.0
    show(board, answer(dataset=Dataset(X, name="table")), columns="groups")
    select(board, [7])
    assert board.compare.caption() == (
        "No column tells the groups of 1 and 39 rows apart with 95 % confidence, all "
        "columns asked at once."
    )
    bars = board.compare.views["columns"].view.bars.bars
    assert [bar.value for bar in bars] == [1, 1, 1]
    assert not any(bar.strong for bar in bars)


def test_a_constant_column_tells_no_groups_apart(board):
    X = np.random.default_rng(0).normal(size=(40, 3))
    X[:, 1], X[:20, 2] = 5, 9
    data = Dataset(X, name="table", feature_names=("a", "b", "c"))
    show(board, answer(dataset=data), columns="groups")
    select(board, range(20))
    assert board.compare.caption() == (
        "1 of 3 columns tells the groups of 20 and 20 rows apart with 95 % confidence, "
        "all columns asked at once. “c” does so best: it is larger in the selection "
        "for 100 % of all pairs (90 % … 100 %)."
    )
    last = board.compare.views["columns"].view.bars.bars[-1]
    assert (last.name, last.numbers[-1], last.strong) == ("b", "the same", False)
    assert last.about == "b\nthe same in all rows"


def test_many_cells_are_compared_beside_the_window(board, qtbot, monkeypatch):
    monkeypatch.setattr(columns_page, "SMALL", 0)
    page = board.compare.views[PAGE]
    with qtbot.waitSignal(page.aside.answered):
        show(board, answer(), columns="groups", compared=(0, -1))
        assert board.compare.views["columns"].view.bars.words == columns_page.COMPARING
    assert len(board.compare.views["columns"].view.bars.bars) == 4
    assert "50 and 100 rows" in board.compare.caption()


def test_two_classes_are_one_choice_and_many_are_each_with_the_rest():
    def offered(count):
        labels = np.arange(max(2 * count, 4)) % max(count, 1)
        dataset = Dataset(
            np.zeros((len(labels), 2)),
            labels if count else None,
            tuple(f"c{j}" for j in range(count)),
        )
        return [value for _, value in group_choices(dataset)]

    assert offered(0) == [None]
    assert offered(2) == [None, (0, 1)]
    assert offered(3) == [None, (0, -1), (1, -1), (2, -1), (0, 1), (0, 2), (1, 2)]
    assert offered(30) == [None, *((j, -1) for j in range(30))]


@pytest.mark.parametrize(
    ("dataset", "words"),
    [
        (Dataset(np.eye(5), name="given", kind="kernel"), "no columns"),
        (Dataset(np.ones((1, 2)), name="one"), "one row only"),
    ],
)
def test_where_nothing_can_be_said_the_page_says_why(board, dataset, words):
    show(board, answer(dataset=dataset))
    view = board.compare.views["columns"].view
    assert words in view.bars.words
    assert not view.plot.isVisible()
    assert board.compare.caption() == ""


def test_a_given_matrix_has_no_columns_for_groups_either(board):
    show(board, answer(dataset=Dataset(np.eye(5), name="given", kind="kernel")))
    show(board, board.scene.result, columns="groups")
    assert "matrix without columns" in board.compare.views["columns"].view.bars.words


def test_constant_columns_come_last_and_are_said(board):
    X = np.random.default_rng(0).normal(size=(12, 3))
    X[:, 1] = 4
    show(board, answer(dataset=Dataset(X, name="flat", feature_names=("a", "b", "c"))))
    assert names(board)[-1] == "b"
    last = board.compare.views["columns"].view.bars.bars[-1]
    assert last.numbers[0] == "constant"
    assert last.strong is False
    told = board.compare.views[PAGE].caption(board.scene.result)
    assert "“b” is constant" in told.tip


def test_edges_of_a_kernel_are_said(board):
    settings = replace(IRIS, kernel=KernelSettings("laplacian"))
    show(board, answer(settings))
    assert "edge at every row" in board.compare.caption()


def test_until_it_is_measured_the_page_says_so_and_then_keeps_the_last(board):
    show(board, answer(page="pca", dataset=Dataset(np.eye(9)[:, :4], name="new")))
    view = board.compare.views["columns"].view
    assert view.bars.words == NOT_YET
    show(board, answer())
    kept = names(board)
    show(board, answer(replace(IRIS, kernel=KernelSettings("rbf")), moving=True))
    assert names(board) == kept
    assert board.compare.is_dimmed()
    assert board.compare.caption() == "It follows as soon as the slider rests."
    show(board, answer())
    assert not board.compare.is_dimmed()


def test_a_hidden_page_draws_nothing_when_rows_are_selected(board):
    show(board, answer(), columns="groups")
    board.compare.show_page("pca")
    before = board.compare.caption()
    select(board, range(50))
    assert board.compare.caption() == before
    assert board.compare.views["columns"].view.bars.words
    board.compare.show_page(PAGE)
    assert len(board.compare.views["columns"].view.bars.bars) == 4


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_page_becomes_a_picture_with_bars_and_plot(board, theme):
    view = board.compare.views["columns"].view
    view.set_theme(theme)
    image = QImage(900, 400, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 900, 400))
    painter.end()
    left = {image.pixelColor(x, y).name() for x in range(540) for y in range(0, 400, 9)}
    right = {image.pixelColor(x, y).name() for x in range(560, 900) for y in (150, 200)}
    bar = QColor(theme.accent).name(), QColor(theme.disabled).name()
    assert left & set(bar)
    assert len(right) > 10


def test_a_narrow_page_has_bars_only(board):
    view = board.compare.views["columns"].view
    assert view.plot.isVisible()
    view.resize(300, 300)
    assert not view.plot.isVisible()
    view.resize(800, 300)
    assert view.plot.isVisible()
