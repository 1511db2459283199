"""Many rows in the window: few digits soon, all of them when asked for."""

from threading import Event

import numpy as np
from PySide6.QtWidgets import QLabel

from kpca_viewer.engine import decomposition
from kpca_viewer.features.columns.stages import COLUMNS
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
    chip = program.find(QLabel, "certificate_chip")
    assert "with probability 1 − 10⁻⁹" in chip.text()
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


def test_a_refinement_goes_on_while_columns_are_opened(start, tmp_path, monkeypatch):
    """The page needs its picture, which may take minutes: it waits for it."""
    let_few_be_many(monkeypatch)
    begun, opened = [], Event()
    asked = decomposition.asked

    def watched(problem, *, refined, moving):
        if refined:
            begun.append(problem)
            assert opened.wait(60)
        return asked(problem, refined=refined, moving=moving)

    monkeypatch.setattr(decomposition, "asked", watched)
    path = tmp_path / "flat.csv"
    np.savetxt(path, flat_rows(), delimiter=",", fmt="%.6f")
    program = start()
    drop(program, path)
    sheet(program)
    accept(program)
    program.until(lambda: "Refine" in program.buttons())
    program.click(program.buttons()["Refine"])
    program.until(lambda: bool(begun))
    program.window.board.toggle_page("columns")
    opened.set()
    program.settle()
    assert len(begun) == 1
    assert program.result.decomposition.error <= 1e-6
    assert program.result.get(COLUMNS) is not None
