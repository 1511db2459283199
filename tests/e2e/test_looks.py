"""Recolouring, labelling and describing compute nothing."""

import numpy as np
import pandas as pd
import pytest
from PySide6.QtWidgets import QComboBox

from kpca_viewer.widgets.controls import Switch
from tests.e2e.files import accept, drop


@pytest.fixture
def patients(tmp_path):
    """Thirty rows with two measurements, and four columns that are none."""
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "name": [f"patient {k}" for k in range(30)],
            "site": np.resize(["Wien", "Graz", "<b>Linz</b>"], 30),
            "age": random.normal(50, 9, 30).round(1),
            "height": random.normal(170, 9, 30).round(1),
            "weight": random.normal(70, 9, 30).round(1),
            "remark": [None, "came late"] * 15,
            "outcome": np.resize(["well", "ill"], 30),
        }
    )
    path = tmp_path / "patients.csv"
    frame.to_csv(path, index=False)
    return path


def choose(program, name, text):
    combo = program.find(QComboBox, name)
    combo.setCurrentIndex(combo.findText(text))


def test_nothing_is_computed_for_colour_shape_or_label(start, patients):
    program = start()
    drop(program, patients)
    accept(program)
    program.unfold("appearance")
    result = program.result
    cloud = program.viewer.window.board.embedding.view.area.cloud
    plain = cloud.palette
    with program.never_busy():
        choose(program, "color_combo", "site")
        choose(program, "shape_combo", "remark")
        choose(program, "label_combo", "site")
        program.find(Switch, "labels_switch").setChecked(True)
        program.until(lambda: "<b>Linz</b>" in cloud.label_texts)
    assert program.result is result
    board = program.viewer.window.board
    assert board.embedding.view.class_names == ("<b>Linz</b>", "Graz", "Wien")
    assert board.embedding.shape_legend.names == ("came late",)
    assert cloud.palette is not plain
    view = program.settings.view
    assert (view.color_by, view.shape_by) == ("column:site", "column:remark")
    assert program.viewer.store.undo_text == "labels beside points on"
    with program.never_busy():
        for _ in range(4):
            program.viewer.store.undo()
    assert program.settings.view.color_by == "label"


def test_a_hovered_row_says_what_its_colour_means_first(start, patients):
    program = start()
    drop(program, patients)
    accept(program)
    choose(program, "color_combo", "remark")
    text = program.viewer.window.board.embedding.view.describe(1)
    assert text.splitlines()[:3] == [
        "patient 1 · ill",
        "remark: came late",
        "site: Graz",
    ]
