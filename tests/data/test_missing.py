"""Ways to treat gaps, and what is known of a row that had some."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.impute import KNNImputer

from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import (
    GapCounter,
    complete,
    guess_import,
    new_data,
    propose,
    to_dataset,
)
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.support.errors import DataError

N, BLOCK = 418, 106


@pytest.fixture(scope="module")
def clinic(tmp_path_factory):
    """Return a table in which a block of 9 columns is missing in 106 rows."""
    random = np.random.default_rng(25)
    values = random.lognormal(sigma=0.6, size=(N, 20)).round(3)
    values[N - BLOCK :, 11:] = np.nan
    for column in (2, 5):
        values[random.choice(N - BLOCK, 3, replace=False), column] = np.nan
    frame = pd.DataFrame(values, columns=[f"{chr(97 + j)}_value" for j in range(20)])
    frame["budget"] = np.where(random.random(N) < 0.91, np.nan, random.normal(size=N))
    frame["ward"] = random.choice(["north", "south"], N)
    frame["date"] = [f"note {row}" for row in range(N)]
    path = tmp_path_factory.mktemp("clinic") / "clinic.csv"
    frame.to_csv(path, index=False)
    return read_table(path)


def test_a_column_that_is_mostly_missing_is_proposed_as_metadata(clinic):
    proposals = propose(clinic)
    (suspect,) = [s for s in proposals.suspects if s.is_gappy]
    assert (suspect.column, suspect.role) == ("budget", "ignore")
    assert suspect.reason.startswith("nothing in 9")
    assert proposals.settings.role("budget") == "ignore"
    assert propose(clinic, 1.0).settings.role("budget") == "feature"
    # A block of a quarter is below the share that is proposed, and above this one.
    assert len([s for s in propose(clinic, 0.2).suspects if s.is_gappy]) == 10
    assert len(guess_import(clinic, 0.2).columns("feature")) == 11


def test_where_all_columns_are_mostly_missing_they_stay(tmp_path):
    path = tmp_path / "gappy.csv"
    path.write_text("a,b,c\n1,,\n,2,\n,,3\n4,,1\n,5,\n6,,2\n")
    assert guess_import(read_table(path)).columns("feature") == ("a", "b", "c")


def test_sentinels_count_as_missing(tmp_path):
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.normal(size=(40, 4)), columns=[*"abcd"])
    frame.loc[:20, "d"] = -999
    frame.to_csv(tmp_path / "data.csv", index=False)
    (suspect,) = propose(read_table(tmp_path / "data.csv")).suspects
    assert (suspect.column, suspect.is_gappy) == ("d", True)


def test_filled_cells_are_a_column_of_the_rows(clinic):
    guessed = guess_import(clinic)
    assert guessed.missing == "median"
    dataset = to_dataset(clinic, guessed)
    cells = dataset.filled_cells
    assert dataset.filled == (int(cells.sum()), 11) == (9 * BLOCK + 6, 11)
    assert cells.tolist() == dataset.columns["Filled cells"].values.tolist()
    assert (cells[-BLOCK:] == 9).all()
    dropped = to_dataset(clinic, replace(guessed, missing="drop"))
    assert "Filled cells" not in dropped.columns
    assert dropped.filled_cells is None


def test_columns_with_gaps_are_left_out_for_good(clinic):
    chosen = replace(guess_import(clinic), missing="columns")
    features = chosen.columns("feature")
    assert GapCounter(clinic).columns(features, chosen) == 11
    dataset = to_dataset(clinic, chosen)
    assert (dataset.n, dataset.d, dataset.left_out) == (N, 9, 0)
    assert {"c_value", "t_value"} <= dataset.columns.keys()
    every = tuple((name, "feature") for name in ("c_value", "t_value"))
    with pytest.raises(DataError, match="Every feature has a gap, so no column is le"):
        to_dataset(clinic, replace(chosen, roles=every))


def test_nearest_rows_fill_gaps_as_scikit_learn_does(clinic, monkeypatch):
    chosen = replace(guess_import(clinic), missing="nearest")
    chosen = chosen.with_role("ward", "ignore")
    dataset = to_dataset(clinic, chosen)
    raw = np.column_stack([clinic.column(n).values for n in dataset.feature_names])
    spread = np.nanstd(raw, axis=0)
    wanted = KNNImputer().fit_transform(raw / spread) * spread
    np.testing.assert_allclose(dataset.points, wanted)
    assert dataset.filled[0] == 9 * BLOCK + 6
    # A model of raw rows knows no rows: it fills by the median of these.
    rows = RawRows.of(dataset, chosen, Scaler.learn(dataset.points, "none"))
    found = rows.dataset(clinic)
    medians = np.median(dataset.points, axis=0)
    np.testing.assert_allclose(found.points[-1, -9:], medians[-9:])
    new = new_data(clinic, chosen, dataset)
    np.testing.assert_array_equal(new.points, found.points)
    monkeypatch.setattr(complete, "MOST_COMPARISONS", 1000)
    with pytest.raises(DataError, match="would take too long; fill them by the median"):
        to_dataset(clinic, chosen)


def test_a_word_of_the_nearest_rows_fills_a_gap(tmp_path):
    frame = pd.DataFrame({"x": np.arange(40.0), "z": np.arange(40.0) ** 2})
    frame["word"] = ["low"] * 20 + ["high"] * 20
    frame.loc[[3, 35], "word"] = None
    frame.to_csv(tmp_path / "data.csv", index=False)
    table = read_table(tmp_path / "data.csv")
    chosen = guess_import(table).with_role("word", "feature")
    dataset = to_dataset(table, replace(chosen, missing="nearest"))
    assert dataset.feature_names[2:] == ("word=high", "word=low")
    assert dataset.points[[3, 35], 2:].tolist() == [[0, 1], [1, 0]]
    assert dataset.filled == (2, 1)
