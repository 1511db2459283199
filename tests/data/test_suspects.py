"""Ids, years and classes are not taken for measurements without a word."""

import numpy as np
import pytest

from kpca_viewer.data.files import read_text
from kpca_viewer.data.importing import (
    ImportSettings,
    guess_import,
    suspects,
    to_dataset,
)

N = 40


def table_of(**columns):
    lines = [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    return read_text("\n".join([",".join(columns), *lines]))


def measured(count=2):
    random = np.random.default_rng(3)
    return {f"m{'abc'[k]}": random.normal(size=N).round(3) for k in range(count)}


@pytest.mark.parametrize(
    ("name", "values", "role", "reason"),
    [
        (
            "patient_id",
            range(701, 741),
            "name",
            "a different whole number in every row",
        ),
        ("PatientID", [1, 1, 2, 2] * 10, "ignore", "whole numbers and is called an id"),
        ("year", [1998, 2024] * 20, "ignore", "years, 1998 to 2024"),
        ("admitted", [2001, 2013] * 20, "ignore", "years, 2001 to 2013"),
    ],
)
def test_what_is_asked_about(name, values, role, reason):
    table = table_of(**measured(), **{name: list(values)}, last=measured()["ma"])
    (found,) = suspects(table)
    assert (found.column, found.role, found.reason) == (name, role, reason)
    assert guess_import(table).role(name) == role


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("acid", range(701, 741)),
        ("humid", [1, 2] * 20),
        ("years_of_school", [7.5, 9.0] * 20),
        ("count", range(40)),
    ],
)
def test_what_is_a_measurement(name, values):
    table = table_of(**measured(), **{name: list(values)}, last=measured()["ma"])
    assert suspects(table) == []
    assert guess_import(table).role(name) == "feature"


def test_a_class_among_pixels_is_proposed_as_label():
    random = np.random.default_rng(0)
    pixels = {f"pixel_{j}": random.integers(0, 17, N) for j in range(12)}
    first = {"pixel_99": random.integers(0, 17, N)}
    table = table_of(**first, digit=np.arange(N) % 10, **pixels)
    (found,) = suspects(table)
    assert (found.column, found.role) == ("digit", "label")
    assert found.reason == "10 whole numbers beside 13 columns “pixel…”"
    assert len(to_dataset(table, guess_import(table)).label_names) == 10


def test_where_nothing_else_is_left_numbers_are_features():
    table = table_of(year=[2001, 2013] * 20, id_a=range(40), id_b=[3, 4] * 20)
    assert suspects(table) == []
    assert guess_import(table).columns("feature")


def test_gaps_that_are_filled_are_counted_by_cells_and_columns():
    table = read_text("a,b,w\n1,2,x\n,3,y\n3,,x\n,7,\n5,11,x\n")
    roles = (("a", "feature"), ("b", "feature"), ("w", "feature"))
    filled = to_dataset(table, ImportSettings(roles, missing="median"))
    assert (filled.n, filled.filled, filled.left_out) == (5, (4, 3), 0)
    left = to_dataset(table, ImportSettings(roles))
    assert (left.n, left.filled, left.left_out) == (2, (0, 0), 3)


@pytest.mark.parametrize("seed", range(4))
def test_of_a_sample_only_the_gaps_of_its_own_rows_count(seed):
    table = read_text("n,a,b\nr,1,2\ngap 1,,3\ns,3,5\ngap 2,,7\nt,5,11\n")
    roles = (("n", "name"), ("a", "feature"), ("b", "feature"))
    dataset = to_dataset(table, ImportSettings(roles, "median", False, True, 3, seed))
    gaps = [name for name in dataset.row_names if name.startswith("gap")]
    assert dataset.filled == (len(gaps), min(len(gaps), 1))
    # They are filled with the median of all rows, not of the sample.
    for name, value in zip(dataset.row_names, dataset.points[:, 0], strict=True):
        assert value == 3 or not name.startswith("gap")
