"""The sample files open with the guesses that a person would make."""

import numpy as np
import pytest
import scipy.io
from sklearn.datasets import load_wine

from kpca_viewer.data.files import FORMATS, read_table
from kpca_viewer.data.importing import guess_import, matrix_report, to_dataset
from kpca_viewer.resources import asset

README = asset("data", "README.md").read_text(encoding="utf-8")
SAMPLES = sorted(path for path in asset("data").iterdir() if path.suffix != ".md")


@pytest.mark.journey
@pytest.mark.parametrize(
    ("name", "shape", "classes", "features"),
    [
        ("wine.csv", (178, 13), ("class_0", "class_1", "class_2"), "alcohol"),
        ("planets.csv", (13, 6), ("dwarf", "giant", "rocky"), "radius_km"),
        ("leaves.tsv", (118, 4), ("beech", "birch", "oak", "willow"), "length_cm"),
        ("leaves.tsv.gz", (118, 4), ("beech", "birch", "oak", "willow"), "length_cm"),
        ("leaves_decimal_comma.csv", (118, 4), None, "length_cm"),
        ("flowers.xlsx", (75, 4), ("cornflower", "daisy", "poppy"), "petals"),
        ("flowers.xls", (75, 4), ("cornflower", "daisy", "poppy"), "petals"),
        ("flowers.xlsb", (75, 4), ("cornflower", "daisy", "poppy"), "petals"),
        ("flowers.ods", (75, 4), ("cornflower", "daisy", "poppy"), "petals"),
        ("rings.parquet", (400, 2), ("inner", "outer"), "x"),
        ("rings.feather", (400, 2), ("inner", "outer"), "x"),
        ("records.json", (59, 4), None, "mass_g"),
        ("records.jsonl", (59, 4), None, "mass_g"),
        ("spiral.npy", (300, 2), ("0", "1"), "x1"),
        ("moons.npz", (300, 2), ("lower", "upper"), "across"),
        ("torus.mat", (400, 3), ("inside", "outside"), "x1"),
        ("torus_v73.mat", (150, 3), ("1", "2"), "x1"),
        ("torus.h5", (150, 3), ("above", "below"), "x1"),
        ("cells.h5ad", (50, 24), ("B cell", "monocyte", "T cell"), "gene01"),
        ("weather.arff", (41, 2), ("no", "yes"), "temperature"),
        ("shapes", (36, 144), ("circle", "cross", "square"), "pixel_0_0"),
        ("letters.svm", (160, 20), ("1", "2", "3", "4"), "x1"),
    ],
)
def test_points(name, shape, classes, features):
    table = read_table(asset("data", name))
    dataset = to_dataset(table, guess_import(table))
    assert dataset.points.shape == shape
    assert dataset.feature_names[0] == features
    assert dataset.labels is not None
    assert classes is None or dataset.label_names == classes
    assert np.isfinite(dataset.points).all()


def test_the_wines_are_those_of_scikit_learn():
    table = read_table(asset("data", "wine.csv"))
    dataset, bunch = to_dataset(table, guess_import(table)), load_wine()
    np.testing.assert_array_equal(dataset.points, bunch.data)
    np.testing.assert_array_equal(dataset.labels, bunch.target)
    assert list(dataset.feature_names) == list(bunch.feature_names)


def test_both_files_of_leaves_hold_the_same():
    one, other = (
        to_dataset(table, guess_import(table))
        for table in map(
            read_table,
            (asset("data", "leaves.tsv"), asset("data", "leaves_decimal_comma.csv")),
        )
    )
    assert one.content_hash == other.content_hash


def test_distances_of_cities():
    table = read_table(asset("data", "cities_distances.csv"))
    dataset = to_dataset(table, guess_import(table))
    assert dataset.kind == "distances"
    assert dataset.row_names[:2] == ("Amsterdam", "Athens")
    paris, rome = dataset.row_names.index("Paris"), dataset.row_names.index("Rome")
    assert 1090 < dataset.points[paris, rome] < 1120
    report = matrix_report(table)
    assert report.startswith("12 × 12, exactly symmetric; diagonal 0;")
    assert "indefinite, negative mass 0.3 %" in report  # the Earth is not flat


def test_kernel_of_sentences():
    table = read_table(asset("data", "kernel.csv"))
    dataset = to_dataset(table, guess_import(table))
    assert dataset.kind == "kernel"
    assert dataset.row_names[0] == "the cat sleeps"
    assert "positive definite" in matrix_report(table)


def test_counts_of_words():
    table = read_table(asset("data", "words.mtx"))
    dataset = to_dataset(table, guess_import(table))
    counts = scipy.io.mmread(asset("data", "words.mtx")).toarray()
    np.testing.assert_array_equal(dataset.points, counts)


def test_the_folder_is_small_and_described():
    for path in SAMPLES:
        assert path.stat().st_size < 50_000
        assert f"`{path.name}`" in README
    endings = {path.suffix.lstrip(".") for path in SAMPLES}
    for row in FORMATS:
        assert endings & set(row.extensions), row.title
