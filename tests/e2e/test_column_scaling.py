"""The analyst scales one column by its logarithm, without a new import."""

import numpy as np
import pandas as pd
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from tests.e2e.files import accept, drop
from tests.e2e.program import CTRL

RANDOM = np.random.default_rng(5)


def test_a_logarithm_is_chosen_refused_undone_and_reset(program, tmp_path):
    frame = pd.DataFrame(
        {
            "mass of the whole animal (kg)": np.exp(RANDOM.normal(1, 2, 60)),
            "height": RANDOM.normal(0, 1, 60),
            "age": RANDOM.normal(9, 1, 60),
        }
    )
    link = program.window.findChild(QPushButton, "column_scaling_button")
    table = program.window.findChild(QWidget, "column_scaling")
    reset = program.window.findChild(QPushButton, "column_scaling_reset")
    assert not link.isVisible(), "circles have no columns to speak of"
    frame.to_csv(tmp_path / "animals.csv", index=False)
    drop(program, tmp_path / "animals.csv")
    accept(program)
    before, shown = program.settings, program.result.points.dense()
    assert link.isVisible()
    assert not table.isVisible()
    program.click(link)
    assert table.isVisible()
    assert table.height() <= 210
    mass = "mass of the whole animal (kg)"
    program.choose(f"column_scaling_{mass}", "Log, then")
    program.settle()
    assert program.settings.data.column_scaling == ((mass, "log"),)
    logs = np.log(frame[mass])
    expected = (logs - logs.mean()) / logs.std(ddof=0)
    np.testing.assert_allclose(program.result.points.dense()[:, 0], expected)
    assert reset.isVisible()

    combo = program.find(QComboBox, "column_scaling_height")
    combo.setCurrentIndex(combo.findData("log"))
    lowest = f"needs values above 0, and its smallest is −{-frame['height'].min():.3f}"
    assert lowest in program.message()
    assert combo.currentData() is None
    assert program.settings.data.column_scaling == ((mass, "log"),)

    program.click(reset)
    program.settle()
    assert program.settings == before
    assert not reset.isVisible()
    np.testing.assert_array_equal(program.result.points.dense(), shown)
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    combo = program.find(QComboBox, f"column_scaling_{mass}")
    assert combo.currentData() == "log"

    program.choose("scaling_combo", "Rows to unit")
    program.settle()
    assert program.settings.data.column_scaling == ()
    assert not link.isEnabled()
    assert not table.isVisible()
