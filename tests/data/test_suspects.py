"""Ids, years and classes are not taken for measurements without a word."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.files import read_text
from kpca_viewer.data.importing import (
    GapCounter,
    ImportSettings,
    guess_import,
    propose,
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
        ("PID", [*range(1, 80, 2)], "name", "a different whole number in every row"),
        (
            "Sample Number",
            [k * k * 977 for k in range(N)],
            "name",
            "a different whole number in every row",
        ),
        ("count", range(40), "name", "every whole number from 0 to 39 once"),
        (
            "place",
            [3 * (k * 7 % 41) for k in range(N)],
            "name",
            "a different whole number in every row, out of only 41 between 0 and 120",
        ),
        ("year", [1998, 2024] * 20, "ignore", "years, 1998 to 2024"),
        ("admitted", [2001, 2013] * 20, "ignore", "years, 2001 to 2013"),
    ],
)
def test_what_is_asked_about(name, values, role, reason):
    table = table_of(**measured(), **{name: list(values)}, last=measured()["ma"])
    (found,) = propose(table).suspects
    assert (found.column, found.role, found.reason) == (name, role, reason)
    assert guess_import(table).role(name) == role


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("acid", [k * k * 31 for k in range(N)]),
        ("humid", [1, 2] * 20),
        ("years_of_school", [7.5, 9.0] * 20),
        ("inhabitants", [k * k * 977 + 12 for k in range(N)]),
        ("number of inhabitants", [k * k * 977 + 12 for k in range(N)]),
        ("sample 3", [k * k * 977 + 12 for k in range(N)]),
    ],
)
def test_what_is_a_measurement(name, values):
    table = table_of(**measured(), **{name: list(values)}, last=measured()["ma"])
    assert propose(table).suspects == ()
    assert guess_import(table).role(name) == "feature"


def test_a_class_among_pixels_is_proposed_as_label():
    random = np.random.default_rng(0)
    pixels = {f"pixel_{j}": random.integers(0, 17, N) for j in range(12)}
    first = {"pixel_99": random.integers(0, 17, N)}
    table = table_of(**first, digit=np.arange(N) % 10, **pixels)
    (found,) = propose(table).suspects
    assert (found.column, found.role) == ("digit", "label")
    assert found.reason == "10 whole numbers beside 13 columns “pixel…”"
    assert len(to_dataset(table, guess_import(table)).label_names) == 10


def test_where_nothing_else_is_left_numbers_are_features():
    table = table_of(year=[2001, 2013] * 20, id_a=range(40), id_b=[3, 4] * 20)
    assert propose(table).suspects == ()
    assert guess_import(table).columns("feature")


def test_ranks_and_one_of_two_coordinates_are_features():
    random = np.random.default_rng(1)
    ranks = {name: random.permutation(N) for name in ("speed", "height", "reach")}
    assert propose(table_of(**ranks, **measured(2))).suspects == ()
    assert propose(table_of(x=range(N), **measured(1))).suspects == ()


@pytest.mark.parametrize("missing", ["drop", "median"])
def test_a_sentinel_counts_as_missing_in_its_column_alone(missing):
    age = np.arange(20.0, 20 + N)
    age[[3, 17, 30]] = -999
    depth = np.linspace(-2000, 0, N).round(1)
    depth[5] = -999.0
    table = table_of(**measured(), age=age, depth=depth)
    proposals = propose(table)
    (found,) = proposals.sentinels
    assert (found.column, found.value) == ("age", -999.0)
    assert found.reason == "−999 in 3 rows, all others are between 20 and 59"
    settings = replace(proposals.settings, missing=missing)
    dataset = to_dataset(table, settings)
    gaps = GapCounter(table).rows(settings.columns("feature"), settings)
    if missing == "drop":
        assert (dataset.n, dataset.left_out, gaps) == (N - 3, 3, 3)
    else:
        assert (dataset.n, dataset.filled) == (N, (3, 1))
        assert dataset.points[3, 2] == np.median(age[age > 0])
    assert dataset.points[:, 2].min() == 20
    assert (dataset.points[:, 3] == -999).sum() == 1
    kept = to_dataset(table, replace(settings, sentinels=()))
    assert (kept.n, kept.points[:, 2].min()) == (N, -999)


@pytest.mark.parametrize(
    "values",
    [
        [9999, *range(N - 1)],  # once
        [99, 99, *range(60, 98)],  # among the others
        [-500, -500, *range(38)],  # no such number
    ],
)
def test_numbers_that_are_no_sentinels(values):
    assert propose(table_of(**measured(), far=values)).sentinels == ()


def test_gaps_by_sentinels_are_filled_where_they_are_many():
    table = table_of(**measured(), age=[-999, 20, 31, 42] * 10, last=range(N))
    assert guess_import(table).missing == "median"


@pytest.mark.parametrize(
    ("name", "last", "reason"),
    [
        ("Total", "sum", "is called “Total”"),
        ("Summe:", None, "is called “Summe:”"),
        ("z", "sum", "is the sum of the others in 3 columns"),
        ("z", "mean", "is the mean of the others in 3 columns"),
    ],
)
def test_a_row_of_totals_is_left_out(name, last, reason):
    columns = {key: np.append(v, 0.5) for key, v in measured(3).items()}
    for values in columns.values():
        if last is not None:
            values[-1] = round(getattr(values[:-1], last)(), 4)
    names = [f"p{k}" for k in range(N)]
    kinds = [*["u", "v"] * (N // 2), name]
    table = table_of(person=[*names, name], **columns, kind=kinds)
    proposals = propose(table)
    assert proposals.totals is not None
    assert (proposals.totals.number, proposals.totals.reason) == (N + 1, reason)
    dataset = to_dataset(table, proposals.settings)
    assert (dataset.n, dataset.left_out, dataset.label_names) == (N, 0, ("u", "v"))
    assert dataset.row_names[-1] == names[-1]
    every = to_dataset(table, replace(proposals.settings, left_out=()))
    assert every.n == N + 1


def test_a_last_row_like_the_others_is_data():
    kinds = ["total", "mean"] * (N // 2)
    table = table_of(**measured(3), kind=kinds)
    assert propose(table).totals is None


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
