"""What only large files show: several batches, samples, growing blocks, stopping."""

import json
from functools import cache

import numpy as np
import openpyxl
import pandas as pd
import pytest
import scipy.io

from kpca_viewer.data.files import ReadOptions, excel, read_table
from kpca_viewer.data.files.cells import block_columns
from kpca_viewer.data.files.collect import Block
from kpca_viewer.support.errors import Cancelled, DataError

SAMPLE = ReadOptions(sample=200, seed=5)
COUNT = 2500


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(2)
    return pd.DataFrame(
        {
            "k": np.arange(COUNT, dtype=float),
            **{f"f{j}": random.normal(size=COUNT) for j in range(9)},
            "word": random.choice(["u", "v", "w"], COUNT),
        }
    )


def write(frame, path):
    match path.suffix:
        case ".csv":
            frame.to_csv(path, index=False)
        case ".xlsx":
            frame.head(300).to_excel(path, index=False)
        case ".parquet":
            frame.to_parquet(path, row_group_size=700)
        case ".json":
            frame.to_json(path, orient="records", double_precision=15)
        case ".jsonl":
            frame.to_json(path, orient="records", lines=True, double_precision=15)
        case ".npy":
            np.save(path, frame.drop(columns="word").to_numpy())
        case ".npz":
            np.savez(
                path,
                X=frame.drop(columns="word").to_numpy(),
                y=frame["word"].to_numpy(str),
            )
        case ".mat":
            words = frame["word"].to_numpy(object)[:, None]
            points = frame.drop(columns="word").to_numpy()
            scipy.io.savemat(path, {"X": points, "y": words}, do_compression=True)
        case ".arff":
            kinds = [f"@attribute {n} numeric\n" for n in frame.columns[:-1]]
            head = "@relation r\n" + "".join(kinds) + "@attribute word {u,v,w}\n@data\n"
            path.write_text(head + frame.to_csv(index=False, header=False))
        case ".svm":
            lines = (
                f"{row[-1]} "
                + " ".join(f"{j + 1}:{v!r}" for j, v in enumerate(row[:-1]))
                for row in frame.replace({"u": "1", "v": "2", "w": "3"}).values.tolist()
            )
            path.write_text("\n".join(lines))
    return path


ENDINGS = (
    *("csv", "xlsx", "parquet", "json", "jsonl"),
    *("npy", "npz", "mat", "arff", "svm"),
)


@pytest.fixture(scope="module")
def file(frame, tmp_path_factory):
    """Return what writes the table once for every format."""
    folder = tmp_path_factory.mktemp("large")
    return cache(lambda ending: write(frame, folder / f"a.{ending}"))


@pytest.mark.parametrize("ending", ENDINGS)
def test_everything_arrives(frame, file, ending):
    table = read_table(file(ending))
    expected = frame.head(300) if ending == "xlsx" else frame
    assert table.n == len(expected)
    for j in (0, 4, 9):
        np.testing.assert_allclose(
            table.columns[j].values, expected.iloc[:, j], rtol=1e-9, atol=1e-12
        )
    if ending not in ("npy", "svm"):
        assert table.columns[-1].values.tolist() == expected["word"].tolist()


@pytest.mark.parametrize("ending", ENDINGS)
def test_samples_and_first_rows(frame, file, ending):
    path = file(ending)
    table = read_table(path, options=SAMPLE)
    assert table.n == 200
    assert any(note.startswith("random sample of 200 of") for note in table.notes)
    rows = table.row_numbers - 1
    assert (np.diff(rows) > 0).all()
    assert rows[-1] > (150 if ending == "xlsx" else 2000)
    np.testing.assert_array_equal(table.columns[0].values, rows)
    if ending not in ("npy", "svm"):
        assert table.columns[-1].values.tolist() == frame["word"].iloc[rows].tolist()
    first = read_table(path, options=ReadOptions(max_rows=7))
    assert first.columns[0].values.tolist() == list(range(7))
    assert any(note.startswith("first 7") for note in first.notes)


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "jsonl", "arff"])
def test_stopping_in_the_middle(file, ending):
    path = file(ending)
    parts = []

    def progress(stage, part):
        if stage == "reading":
            parts.append(part)

    with pytest.raises(Cancelled):
        read_table(path, progress=progress, should_stop=lambda: len(parts) >= 1)
    assert len(parts) == 1


def test_a_sheet_that_claims_endless_rows(tmp_path, monkeypatch):
    book = openpyxl.Workbook()
    book.active.append(["a", "b"])
    book.active.cell(row=5000, column=2, value=1)
    book.save(tmp_path / "a.xlsx")
    assert read_table(tmp_path / "a.xlsx").n == 1
    monkeypatch.setattr(excel, "MAX_ROWS", 1000)
    with pytest.raises(DataError, match="more than 1,000 rows"):
        read_table(tmp_path / "a.xlsx")


def test_a_block_grows_without_losing_rows():
    asked = []
    block = Block(2, 0, asked.append)
    for k in range(50):
        block.reserve(10)[...] = k
    matrix = block.finish()
    assert matrix.shape == (500, 2)
    np.testing.assert_array_equal(matrix[:, 0], np.repeat(np.arange(50), 10))
    assert asked


def test_huge_whole_numbers_are_infinite(tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"a": 10**400, "b": 1}, {"a": -(10**400), "b": 2}]))
    assert read_table(path).column("a").numbers.tolist() == [np.inf, -np.inf]


def test_half_characters_in_json_are_replaced(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('[{"a\\ud800": "x\\ud800", "b": 1}]')
    table = read_table(path)
    assert table.names == ("a", "b")
    assert table.columns[0].values[0] == "x?"


def test_bytes_in_parquet(tmp_path):
    frame = pd.DataFrame({"a": [b"x", None, b"\xff"], "b": [1, 2, 3]})
    frame.to_parquet(tmp_path / "a.parquet")
    assert read_table(tmp_path / "a.parquet").column("a").values.tolist() == [
        *("x", None, "\ufffd"),
    ]


def test_columns_are_judged_by_all_their_rows():
    block = np.full((1500, 4), 7.0)
    block[-1] = (8.0, 7.5, np.nan, np.inf)
    block[-2, 3] = -np.inf
    other, broken, gap, infinite = block_columns("abcd", block)
    assert (other.constant, other.whole, other.missing) == (False, True, 0)
    assert (broken.constant, broken.whole, broken.missing) == (False, False, 0)
    assert (gap.constant, gap.whole, gap.missing) == (True, True, 1)
    assert (infinite.constant, infinite.whole, infinite.missing) == (False, False, 0)
