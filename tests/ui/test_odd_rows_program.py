"""How odd rows are in the real program: page, table, colours, undo and sessions."""

import numpy as np
import pytest

from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.features.outliers.compute import PAGE
from kpca_viewer.features.outliers.stages import ODD_LIST, ODD_ROWS
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.composed_picture import legend_of
from kpca_viewer.widgets.theme import LIGHT

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

SMALL = SessionSettings(DataSettings("circles", as_values({"samples": 60})))


@pytest.fixture
def program(start):
    return start(SMALL)


def test_turning_to_the_page_computes_it_and_turning_away_spares_it(program):
    assert program.result.get(ODD_ROWS) is None
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    assert program.result.get(ODD_LIST) is not None
    assert program.viewer.presenter.scene.stale is None
    assert "60 rows" in program.caption("page")
    program.action("page_pca").trigger()
    program.choose("kernel_combo", "Laplacian")
    program.settle()
    assert program.result.get(ODD_ROWS) is None


def test_the_table_has_a_column_for_each_number(program):
    program.action("page_table").trigger()
    program.settle()
    table = program.window.findChild(TableView, "table_view")
    titles = [column.title for column in table.model.columns]
    assert titles[-3:] == ["cos²", "T²", "SPE"]
    np.testing.assert_array_equal(
        table.model.columns[-1].values, program.result.get(ODD_ROWS).numbers.spe
    )


def test_colours_are_one_step_and_follow_the_kernel(program):
    program.choose("color_combo", "Distance to the model SPE")
    program.settle()
    scene = program.viewer.presenter.scene
    assert scene.colors.kind == "continuous"
    assert scene.colors.title == "SPE"
    assert scene.colors.high == program.result.get(ODD_ROWS).numbers.spe.max()
    assert program.viewer.store.undo_text == "colour by class → SPE"
    before = scene.colors.codes
    program.choose("kernel_combo", "Laplacian")
    program.settle()
    after = program.viewer.presenter.scene.colors
    assert after.title == "SPE"
    assert not np.array_equal(after.codes, before)
    program.action("undo").trigger()
    program.action("undo").trigger()
    program.settle()
    assert program.settings.view.color_by == "label"
    assert program.viewer.presenter.scene.colors.kind == "class"


def test_sizes_are_one_step_and_tell_the_number(program):
    program.choose("size_combo", "Leverage T²")
    program.settle()
    assert program.viewer.store.undo_text == "size by nothing → T²"
    t2 = program.result.get(ODD_ROWS).numbers.t2
    order = np.argsort(t2)
    for view in (program.board.embedding.view, program.board.data.view):
        diameters = view.area.cloud.diameters
        assert (np.diff(diameters[order]) >= 0).all()
        assert diameters[order[-1]] > 2 * diameters[order[0]]
    legend = program.board.embedding.size_legend
    assert legend.isVisible()
    assert (legend.title, legend.ends[1]) == ("T²", ungrouped(float(t2.max())))
    # On paper too, by the same sizes and with both ends in the legend.
    colors = program.viewer.presenter.scene.colors
    names = [entry.name for entry in legend_of(colors, LIGHT).entries]
    assert names[-2:] == [f"T² = {ungrouped(float(v))}" for v in (t2.min(), t2.max())]
    program.action("undo").trigger()
    program.settle()
    assert program.settings.view.size_by == "none"
    assert np.ptp(program.board.embedding.view.area.cloud.diameters) == 0
    assert not legend.isVisible()


def test_an_indefinite_kernel_offers_leverage_alone(program):
    program.choose("kernel_combo", "Sigmoid")
    program.settle()
    combo = program.window.findChild(object, "color_combo")
    titles = [combo.itemText(i) for i in range(combo.count())]
    offered = "Leverage T²" in titles, "Distance to the model SPE" in titles
    lengths = program.viewer.presenter.scene.has_lengths
    assert offered == (True, lengths)


def test_all_components_are_one_step_of_the_history(program):
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    tool = program.window.board.compare.views[PAGE].tool
    program.click(tool.button("all"))
    program.settle()
    assert program.result.get(ODD_ROWS).components == tuple(range(10))
    assert program.caption("page").startswith("PC 1–10")
    program.action("undo").trigger()
    program.settle()
    assert program.result.get(ODD_ROWS).components == (0, 1)
