"""How odd every row is, as columns beside the coordinates."""

import csv

import numpy as np
import pytest

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.data.generators import generate

NAMES = ("cos2", "t2", "spe")


def columns_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name] for row in rows] for name in rows[0]}


@pytest.mark.journey
def test_columns_are_those_of_the_estimator(run, tmp_path):
    words = ("circles", "--gamma", 2, "--components", 3, "--diagnostics", "--out")
    for name in ("c.csv", "c.npz", "c.npy"):
        assert run(*words, name)[0] == 0
    points = generate("circles").points
    expected = KernelPCA(3, kernel="rbf", gamma=2).fit(points).diagnostics()
    written = columns_of(tmp_path / "c.csv")
    assert list(written)[-6:] == ["PC1", "PC2", "PC3", *NAMES]
    arrays = np.load(tmp_path / "c.npz")
    beside = np.load(tmp_path / "c.npy")[:, 3:]
    for j, name in enumerate(NAMES):
        values = getattr(expected, name)
        np.testing.assert_array_equal(np.array(written[name], dtype=float), values)
        np.testing.assert_array_equal(arrays[name], values)
        np.testing.assert_array_equal(beside[:, j], values)


def test_without_the_option_nothing_is_added(run, tmp_path):
    run("circles", "--components", 2, "--out", "c.csv")
    assert not set(NAMES) & set(columns_of(tmp_path / "c.csv"))


def test_new_rows_get_their_numbers_from_the_training_model(run, tmp_path, table):
    words = ("--components", 2, "--gamma", 1, "--diagnostics")
    files = ("--out", "o.csv", "--new", "new.csv", "--out-new", "n.csv")
    code, _, err = run("old.csv", *words, *files, "--model", "m.npz")
    assert (code, err) == (0, "")
    scaled = (table - table[:30].mean(axis=0)) / table[:30].std(axis=0)
    expected = KernelPCA(2, kernel="rbf", gamma=1).fit(scaled[:30])
    told = expected.diagnostics(scaled[30:])
    written = columns_of(tmp_path / "n.csv")
    code, _, err = run("new.csv", "--onto", "m.npz", "--diagnostics", "--out", "k.csv")
    assert (code, err) == (0, "")
    kept = columns_of(tmp_path / "k.csv")
    for name in NAMES:
        values = np.array(written[name], dtype=float)
        np.testing.assert_allclose(values, getattr(told, name), atol=1e-9)
        assert kept[name] == written[name]
    spe = np.array(written["spe"], dtype=float)
    np.testing.assert_allclose(spe, -expected.score_samples(scaled[30:]), atol=1e-9)


@pytest.mark.journey
def test_an_indefinite_kernel_says_what_is_missing(run, tmp_path):
    words = ("--kernel", "sigmoid", "--gamma", 2, "--components", 2, "--diagnostics")
    code, out, _ = run("circles", *words, "--out", "c.csv")
    assert code == 0
    assert "only t2 is written: The kernel has negative eigenvalues" in out
    written = columns_of(tmp_path / "c.csv")
    assert "t2" in written
    assert not {"cos2", "spe"} & set(written)
    assert "choose a definite kernel." in out
