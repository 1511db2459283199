"""The first rows of a large file, without the rest."""

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.data.files import ReadOptions, preview_table, read_table
from kpca_viewer.support.errors import DataError

N = 5000


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(N, 3)).round(4), columns=list("abc"))
    return frame.assign(kind=np.where(frame["a"] > 0, "up", "down"))


def write(frame, path):
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".npz":
        points = frame[["a", "b", "c"]].to_numpy()
        np.savez_compressed(path, X=points, y=frame["kind"].to_numpy(dtype=str))
    elif path.suffix == ".arff":
        head = "@relation t\n" + "".join(f"@attribute {n} numeric\n" for n in "abc")
        rows = frame.to_csv(index=False, header=False)
        path.write_text(f"{head}@attribute kind {{up,down}}\n@data\n{rows}")
    else:
        np.save(path, frame[["a", "b", "c"]].to_numpy())


@pytest.mark.parametrize("name", ["t.csv", "t.parquet", "t.npy", "t.npz", "t.arff"])
def test_the_first_rows_are_those_of_the_file(frame, tmp_path, name):
    path = tmp_path / name
    write(frame, path)
    preview = preview_table(path, 100)
    whole = read_table(path)
    assert preview.n == 100
    for few, every in zip(preview.columns, whole.columns, strict=True):
        assert few.kind == every.kind
        np.testing.assert_array_equal(few.values, every.values[:100])
    assert preview.total == pytest.approx(N, rel=0.02)
    assert preview.estimated == (name in ("t.csv", "t.arff"))
    assert preview.content_hash == ""
    assert whole.total is None
    assert whole.content_hash


def test_a_preview_knows_how_to_read_the_rest(frame, tmp_path):
    write(frame, tmp_path / "t.csv")
    options = ReadOptions(na_values=("up",))
    preview = preview_table(tmp_path / "t.csv", 50, options=options)
    assert preview.options.na_values == ("up",)
    assert preview.column("kind").missing > 0


@pytest.mark.parametrize("name", ["t.xlsx", "t.json"])
def test_files_that_are_unpacked_as_a_whole_have_none(frame, tmp_path, name):
    path = tmp_path / name
    if name == "t.xlsx":
        frame[:20].to_excel(path, index=False)
    else:
        frame[:20].to_json(path, orient="records")
    assert preview_table(path) is None


def test_columns_first_are_read_as_a_whole(tmp_path):
    path = tmp_path / "t.npy"
    array = np.asfortranarray(np.arange(60.0).reshape(20, 3))
    np.save(path, array)
    preview = preview_table(path, 5)
    assert preview.total == 20
    np.testing.assert_array_equal(preview.columns[1].values, array[:5, 1])


@pytest.mark.parametrize(
    ("points", "labels"),
    [
        (np.arange(60.0).reshape(20, 3), np.arange(20) % 2),
        (np.asfortranarray(np.arange(60.0).reshape(20, 3)), np.arange(20) % 2),
        # Samples as columns, and labels in one row.
        (np.arange(60.0).reshape(3, 20), np.arange(20) % 2),
        (np.arange(60.0).reshape(20, 3), np.arange(20)[None, :] % 2),
    ],
)
def test_arrays_of_any_layout(tmp_path, points, labels):
    path = tmp_path / "t.npz"
    np.savez(path, X=points, y=labels, feature_names=np.array(["u", "v", "w"]))
    preview, whole = preview_table(path, 5), read_table(path)
    assert (preview.n, preview.total, whole.n) == (5, 20, 20)
    assert preview.names == whole.names
    for few, every in zip(preview.columns, whole.columns, strict=True):
        np.testing.assert_array_equal(few.values, every.values[:5])


def test_a_preview_unpacks_the_first_rows_only(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, X=np.full((50_000, 4), 1.5), y=np.arange(50_000) % 3)
    content = bytearray(path.read_bytes())
    # Damage far behind the first rows, which the whole array does not survive.
    content[1_000_000] ^= 1
    path.write_bytes(content)
    assert preview_table(path, 100).total == 50_000
    with pytest.raises(DataError):
        read_table(path)


def test_the_name_of_a_table_says_what_was_taken(frame, tmp_path):
    path = tmp_path / "t.csv"
    write(frame, path)
    assert read_table(path).key == str(path)
    sample = read_table(path, options=ReadOptions(sample=50, seed=3))
    assert sample.key == f"{path} · 50 rows by seed 3"
    assert sample.options.seed == 3
