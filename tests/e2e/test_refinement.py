"""Many rows in the window: few digits soon, all of them when asked for."""

import numpy as np
from PySide6.QtWidgets import QLabel

from tests.e2e.files import accept, drop, sheet
from tests.many_rows import flat_rows, let_few_be_many


def test_more_digits_are_offered_taken_and_given_back(start, tmp_path, monkeypatch):
    let_few_be_many(monkeypatch)
    path = tmp_path / "flat.csv"
    np.savetxt(path, flat_rows(), delimiter=",", fmt="%.6f")
    program = start()
    assert not program.action("refine").isEnabled()
    drop(program, path)
    sheet(program)
    accept(program)
    program.until(lambda: "Refine" in program.buttons())
    found = program.result.decomposition
    assert (found.rank, found.certificate) == (120, "statistical")
    assert "with probability 1 − 10⁻⁹; to 10⁻⁶ they take about" in program.message()
    status = program.find(QLabel, "status_label").text()
    assert "with probability 1 − 10⁻⁹" in status
    assert program.action("refine").isEnabled()
    assert not program.action("refine").isChecked()

    program.click(program.buttons()["Refine"])
    program.settle()
    assert program.result.decomposition.error <= 1e-6
    assert program.action("refine").isChecked()
    assert "Refine" not in program.buttons()
    assert program.action("undo").text() == "&Undo refinement on"

    program.action("undo").trigger()
    program.settle()
    assert program.result.decomposition.rank == 120
