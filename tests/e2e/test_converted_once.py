"""A table becomes a data set once, whoever looks at it, checks it and analyses it."""

import gc
from dataclasses import replace
from weakref import ref

import pytest
from PySide6.QtCore import Qt

from kpca_viewer.cli import main as cli
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import convert, converted, guess_import, taken
from kpca_viewer.resources import asset
from tests.e2e.files import accept, drop, press_on_column, sheet

WINE = asset("data", "wine.csv")
ROWS = 178


@pytest.fixture
def conversions(monkeypatch):
    """Note the rows of every table whose features are read."""
    counts = []
    real = convert.feature_matrix

    def counting(table, *rest):
        counts.append(table.n)
        return real(table, *rest)

    monkeypatch.setattr(convert, "feature_matrix", counting)
    return counts


def test_a_dropped_file_is_converted_once(start, conversions):
    program = start()
    drop(program, WINE)
    accept(program)
    assert program.result.dataset.n == ROWS
    assert conversions == [ROWS]


def test_other_columns_are_converted_once_more(start, conversions):
    program = start()
    drop(program, WINE)
    page = sheet(program)
    press_on_column(program, page, 0, Qt.Key.Key_M)
    accept(program)
    assert program.result.dataset.d == 12
    assert conversions == [ROWS, ROWS]


def test_a_long_file_is_looked_at_in_part_and_converted_once(
    start, conversions, tmp_path
):
    path = tmp_path / "long.csv"
    lines = (f"{i % 7},{i / 9:.3f},{(i * i) % 11}" for i in range(6000))
    path.write_text("a,b,c\n" + "\n".join(lines))
    program = start()
    drop(program, path)
    accept(program)
    assert program.result.dataset.n == 6000
    assert conversions.count(6000) == 1


@pytest.mark.parametrize("command", ["embed", "sweep"])
def test_a_command_converts_once(conversions, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    how = {
        "embed": ["--out", "a.csv"],
        "sweep": ["--gamma", "1:2:2", "--no-pictures", "--out", "swept"],
    }[command]
    assert cli.main([command, str(WINE), *how]) == 0
    assert conversions == [ROWS]


def test_what_was_taken_or_belongs_to_no_table_is_not_kept():
    table = read_table(WINE)
    settings = guess_import(table)
    dataset = converted(table, settings)
    assert converted(table, settings) is dataset
    other = replace(settings, missing="median")
    assert converted(table, other) is not dataset
    assert taken(table, settings) is None, "the last one counts"
    dataset = converted(table, settings)
    assert taken(table, settings).dataset is dataset
    assert taken(table, settings) is None
    kept = ref(converted(table, settings))
    del table
    gc.collect()
    assert kept() is None
