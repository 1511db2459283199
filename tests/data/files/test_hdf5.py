"""AnnData, HDF5 and MATLAB 7.3: chosen on the sheet, and scores written back."""

import shutil

import h5py
import numpy as np
import pytest
import scipy.sparse as sp

from kpca_viewer.cli.main import main
from kpca_viewer.data.files import ReadOptions, hdf5, read_table
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import Cancelled, DataError

CELLS = asset("data", "cells.h5ad")


def matrix(name):
    with h5py.File(CELLS) as file:
        group = file[name]
        parts = tuple(group[key][()] for key in ("data", "indices", "indptr"))
        make = sp.csr_matrix if name == "X" else sp.csc_matrix
        return make(parts, shape=tuple(group.attrs["shape"])).toarray()


@pytest.mark.parametrize("name", ["X", "layers/log"])
def test_sparse_matrices_of_cells(name):
    table = read_table(CELLS, options=ReadOptions(arrays=(name,)))
    dataset = to_dataset(table, guess_import(table))
    np.testing.assert_array_equal(dataset.points, matrix(name))
    assert dataset.feature_names[0] == "gene01"
    assert dataset.label_names == ("B cell", "monocyte", "T cell")
    assert dataset.row_names[0] == "cell_001"
    assert list(dataset.columns) == ["total counts"]
    assert table.parts == ("X", "layers/log", "obsm/X_pca")


def test_an_embedding_of_cells():
    table = read_table(CELLS, options=ReadOptions(arrays=("obsm/X_pca",)))
    assert table.names[:2] == ("pca1", "pca2")
    with pytest.raises(DataError, match="no matrix “y”"):
        read_table(CELLS, options=ReadOptions(arrays=("y",)))


def test_without_h5py_the_extra_is_named(monkeypatch):
    monkeypatch.setattr(hdf5, "find_spec", lambda name: None)
    with pytest.raises(DataError, match=r"kpca-viewer\[hdf5\]"):
        read_table(CELLS)


def test_reading_can_be_cancelled():
    calls = iter([False] * 4)
    with pytest.raises(Cancelled):
        read_table(CELLS, should_stop=lambda: next(calls, True))


def test_scores_come_back_into_a_copy(tmp_path, capsys):
    data, out = tmp_path / "cells.h5ad", tmp_path / "scores.h5ad"
    shutil.copy(CELLS, data)
    assert main(["embed", str(data), "--out", str(out), "--components", "3"]) == 0
    assert data.read_bytes() == CELLS.read_bytes()
    assert main(["embed", str(data), "--out", str(data)]) == 2
    assert data.read_bytes() == CELLS.read_bytes()
    force = ["embed", str(data), "--out", str(data), "--force", "--components", "3"]
    assert main(force) == 0
    capsys.readouterr()
    for path in (out, data):
        scores, eigenvalues = stored(path)
        assert scores.shape == (50, 3)
        np.testing.assert_allclose((scores**2).sum(0), eigenvalues, rtol=1e-6)
    assert main(["embed", "circles", "--out", str(tmp_path / "a.h5ad")]) == 2
    assert "no .h5ad file" in capsys.readouterr().err


def stored(path):
    try:
        import anndata
    except ImportError:
        with h5py.File(path) as file:
            assert file["obsm/X_kpca"].attrs["encoding-type"] == "array"
            return file["obsm/X_kpca"][()], file["uns/kpca/eigenvalues"][()]
    data = anndata.read_h5ad(path)
    return data.obsm["X_kpca"], data.uns["kpca"]["eigenvalues"]


def test_scores_are_not_written_through_a_link(tmp_path, capsys):
    data, victim = tmp_path / "cells.h5ad", tmp_path / "victim.h5"
    shutil.copy(CELLS, data)
    with h5py.File(victim, "w") as file:
        file.create_group("obsm")
    with h5py.File(data, "r+") as file:
        del file["obsm"]
        file["obsm"] = h5py.ExternalLink(str(victim), "/obsm")
    before = victim.read_bytes()
    assert main(["embed", str(data), "--out", str(tmp_path / "out.h5ad")]) == 2
    assert "is a link" in capsys.readouterr().err
    assert victim.read_bytes() == before
    assert not (tmp_path / "out.h5ad").exists()
