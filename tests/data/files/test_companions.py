"""A matrix of genes × cells takes the names that lie beside it."""

import gzip
import shutil

import numpy as np
import pytest

from kpca_viewer.data.files import read_table
from kpca_viewer.data.frames import read
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import DataError

NAMES = ("cells_matrix.mtx.gz", "cells_features.tsv.gz", "cells_barcodes.tsv.gz")


@pytest.fixture
def folder(tmp_path):
    for name in NAMES:
        content = gzip.decompress(asset("data", name).read_bytes())
        plain = name.removesuffix(".gz").removeprefix("cells_")
        (tmp_path / plain).write_bytes(content)
    return tmp_path


def cells(path):
    table = read_table(path)
    return table, to_dataset(table, guess_import(table))


@pytest.mark.journey
def test_packed_and_plain_files_hold_the_cells_of_anndata(folder):
    _, expected = cells(asset("data", "cells.h5ad"))
    for path in (asset("data", NAMES[0]), folder / "matrix.mtx"):
        table, dataset = cells(path)
        np.testing.assert_array_equal(dataset.points, expected.points)
        assert dataset.feature_names == expected.feature_names
        assert dataset.row_names == expected.row_names
        assert any("turned" in note for note in table.notes)
    shutil.move(folder / "features.tsv", folder / "genes.tsv")
    assert cells(folder / "matrix.mtx")[1].feature_names == expected.feature_names


@pytest.mark.parametrize("name", ["barcodes.tsv", "features.tsv"])
@pytest.mark.parametrize("lines", [1, 1_000_000])
def test_lists_of_another_length_are_named(folder, name, lines):
    (folder / name).write_bytes(b"a\tb\n" * lines)
    with pytest.raises(DataError, match=f"“{name}” beside “matrix.mtx” has "):
        read_table(folder / "matrix.mtx")


def test_a_list_that_is_no_gzip_file(folder):
    shutil.move(folder / "barcodes.tsv", folder / "barcodes.tsv.gz")
    with pytest.raises(DataError, match="barcodes"):
        read_table(folder / "matrix.mtx")


def test_without_one_of_the_lists_it_stays_as_it_is(folder):
    (folder / "barcodes.tsv").unlink()
    assert read_table(folder / "matrix.mtx").n == 24


def test_the_folder_is_the_table_and_names_it(folder):
    dataset = read(folder)
    assert (dataset.n, dataset.d, dataset.name) == (50, 24, folder.name)
