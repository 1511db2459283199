"""The menus tell what holds, and offer only what can be done."""

import numpy as np
from PySide6.QtCore import Qt

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.window.feature import all_actions
from tests.e2e.files import accept, drop
from tests.e2e.program import CTRL, SHIFT


def checked(program, group: str) -> list[str]:
    table = program.window.actions_table
    keys = [row.key for _, row in all_actions() if row.key.startswith(group)]
    return [key for key in keys if table[key].isChecked()]


def test_the_present_kernel_and_page_are_marked(program):
    assert checked(program, "kernel_") == ["kernel_rbf"]
    program.press(Qt.Key.Key_2)
    assert checked(program, "kernel_") == ["kernel_poly"]
    program.settle()
    assert program.result.kernel.plain_formula() == "k(x, y) = (xᵀy + 1)²"
    # Once more leaves it marked.
    program.action("kernel_poly").trigger()
    assert checked(program, "kernel_") == ["kernel_poly"]
    program.choose("kernel_combo", "Cosine")
    assert checked(program, "kernel_") == ["kernel_cosine"]
    program.press(Qt.Key.Key_Z, CTRL)
    assert checked(program, "kernel_") == ["kernel_poly"]
    program.settle()

    assert checked(program, "page_") == ["page_pca"]
    program.press(Qt.Key.Key_3, CTRL | SHIFT)
    assert program.board.compare.pages.value() == "table"
    assert checked(program, "page_") == ["page_table"]
    program.board.compare.show_page("gram")
    assert checked(program, "page_") == ["page_gram"]


def test_new_points_and_projected_data_can_be_removed_once_there_are_some(program):
    assert not program.action("clear_new_points").isEnabled()
    program.press(Qt.Key.Key_N)
    assert program.action("clear_new_points").isEnabled()
    program.press(Qt.Key.Key_Backspace, CTRL)
    assert program.board.new_points.positions == ()
    assert not program.action("clear_new_points").isEnabled()

    assert not program.action("remove_new_rows").isEnabled()
    program.viewer.presenter.data.set_new_rows(program.result.dataset)
    program.settle()
    assert program.result.new_scores is not None
    assert program.action("remove_new_rows").isEnabled()
    program.action("remove_new_rows").trigger()
    program.settle()
    assert not program.action("remove_new_rows").isEnabled()


def test_a_given_matrix_offers_no_kernels(program, tmp_path):
    path = tmp_path / "distances.csv"
    points = np.random.default_rng(0).normal(size=(12, 2))
    np.savetxt(path, np.hypot(*(points[:, None] - points).T), delimiter=",")
    drop(program, path)
    accept(program)
    program.settle()
    assert program.result.dataset.kind == "distances"
    assert not any(program.action(f"kernel_{name}").isEnabled() for name in FAMILIES)
    assert program.action("toggle_center").isChecked()
    assert not program.action("toggle_center").isEnabled()
    program.choose("source_combo", "Moons")
    program.settle()
    assert all(program.action(f"kernel_{name}").isEnabled() for name in FAMILIES)
    assert program.action("toggle_center").isEnabled()
