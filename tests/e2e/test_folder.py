"""A folder of files is opened as a sample of all its rows."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel

from kpca_viewer.data.parts import sampling
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.settings import KernelSettings, SessionSettings
from kpca_viewer.export.script import as_python
from tests.e2e.files import accept, again, drop, open_file, read, sheet, sheets

PARTS, ROWS, SAMPLE = 4, 300, 200


def write(folder: Path, part: int) -> None:
    rng = np.random.default_rng(part)
    angle = rng.uniform(0, 2 * np.pi, ROWS)
    outer = rng.random(ROWS) < 0.5
    radius = np.where(outer, 1.0, 0.3) + 0.05 * rng.normal(size=ROWS)
    columns = {
        "x": radius * np.cos(angle),
        "y": radius * np.sin(angle),
        "ring": np.where(outer, "outer", "inner"),
    }
    pq.write_table(pa.table(columns), folder / f"part{part}.parquet")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setattr(sampling, "SAMPLE", SAMPLE)
    found = tmp_path / "rings"
    found.mkdir()
    for part in range(1, PARTS + 1):
        write(found, part)
    return found


TOLD = f"{SAMPLE} of {PARTS * ROWS:,} rows, drawn at random"


def test_a_dropped_folder_is_a_sample_of_all_its_rows(start, folder):
    program = start()
    drop(program, folder)
    page = sheet(program)
    assert TOLD in page.findChild(QLabel, "import_summary").text()
    size = page.findChild(QLabel, "import_size").text()
    assert size.startswith(f"{TOLD}  ·  3 columns")
    accept(program)
    data = program.result.dataset
    assert (data.n, data.d, data.sampled_from) == (SAMPLE, 2, PARTS * ROWS)
    assert data.label_names == ("inner", "outer")
    assert set(data.columns["part"].words) == {
        f"part{k}.parquet" for k in range(1, PARTS + 1)
    }
    assert program.viewer.preferences.recent() == [folder]
    assert f"drawn at random from {PARTS * ROWS:,} rows" in program.window.status_text()
    assert TOLD in program.find(QLabel, "rows_note").text()


def test_the_menu_asks_for_a_folder(start, folder, monkeypatch):
    program = start()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_args: str(folder))
    QTest.keySequence(program.window, "Ctrl+Shift+O")
    accept(program)
    assert program.result.dataset.sampled_from == PARTS * ROWS


def test_what_is_wrong_with_a_folder_is_one_sentence(start, folder, tmp_path):
    program = start()
    before = program.result
    (tmp_path / "empty").mkdir()
    drop(program, tmp_path / "empty")
    assert "holds no file that can be read" in program.message()
    pq.write_table(pa.table({"x": np.arange(50.0)}), folder / "part9.parquet")
    drop(program, folder)
    assert (
        "Part 5 (part9.parquet) lacks the columns “y” and “ring”" in program.message()
    )
    assert not sheets(program)
    assert program.result is before


def test_a_folder_of_equal_rows_is_refused(start, tmp_path):
    program = start()
    for part in (1, 2):
        (tmp_path / f"p{part}.csv").write_text("x,y\n" + "1,2\n" * 20)
    before = program.result
    drop(program, tmp_path)
    assert "all rows are the same point" in program.message()
    assert program.result is before


def test_a_session_finds_its_folder_again(start, folder, tmp_path):
    program = start()
    open_file(program, folder)
    accept(program)
    points = program.result.dataset.points
    path = tmp_path / "rings.kpca"
    save(program.viewer.sessions.document(), path)
    file = load(path).data.file
    assert (file.path, file.reading.parts) == (folder, ())
    program = again(start, path)
    assert np.array_equal(program.result.dataset.points, points)
    assert TOLD in program.find(QLabel, "rows_note").text()
    # The script reads the same rows.
    names = {"__name__": "script"}
    exec(compile(as_python(program.result, file=file), "script.py", "exec"), names)
    assert np.array_equal(names["X"], points)
    folder.rename(folder.with_name("moved"))
    open_file(program, path)
    assert "not there any more" in program.message()


def test_a_pattern_is_opened_and_remembered(start, folder):
    program = start()
    pattern = folder / "part[12].parquet"
    open_file(program, pattern)
    accept(program)
    assert program.result.dataset.sampled_from == 2 * ROWS
    assert program.viewer.preferences.recent() == [pattern]


def test_a_start_names_a_folder_with_a_kernel(start, folder):
    settings = SessionSettings(kernel=KernelSettings("rbf", (("gamma", 7.0),)))
    program = start(settings)
    program.viewer.controllers["import_sheet"].open_named(folder, settings, "minmax")
    read(program)
    accept(program)
    assert program.result.kernel.values["gamma"] == 7
    assert program.settings.data.scaling == "minmax"


def test_gaps_among_drawn_rows_are_said_of_them_alone(start, folder):
    program = start()
    path = folder / "part1.parquet"
    columns = pq.read_table(path).to_pydict()
    columns["x"][::2] = [None] * (ROWS // 2)
    pq.write_table(pa.table(columns), path)
    drop(program, folder)
    accept(program)
    data = program.result.dataset
    assert 0 < data.left_out < SAMPLE
    told = f"{data.left_out} of {SAMPLE} rows drawn have gaps and are left out"
    assert told in program.message()
