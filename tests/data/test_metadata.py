"""Columns that are no features stay with their rows."""

import pickle

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files import read_text
from kpca_viewer.data.importing import ImportSettings, new_data, to_dataset
from kpca_viewer.data.metadata import MOST_CATEGORIES, MetaColumn
from kpca_viewer.support.errors import DataError

TABLE = (
    "who,site,visit,a,b,kind\n"
    "ann,Wien,3,1,2,u\n"
    "bob,,1,,4,v\n"
    "cat,Graz,2,5,6,u\n"
    "dan,Wien,1,7,9,v\n"
)
ROLES = (("who", "name"), ("a", "feature"), ("b", "feature"), ("kind", "label"))


def test_every_other_column_comes_along_with_the_rows_that_are_kept():
    dataset = to_dataset(read_text(TABLE), ImportSettings(ROLES))
    assert dataset.row_names == ("ann", "cat", "dan")
    assert list(dataset.columns) == ["site", "visit"]
    assert dataset.columns["site"].texts() == ("Wien", "Graz", "Wien")
    assert dataset.columns["visit"].values.tolist() == [3, 2, 1]
    # They are no label: nothing is coloured by them unless somebody wants it.
    assert dataset.scale == ""


def test_a_sample_takes_its_own_rows():
    settings = ImportSettings(ROLES, missing="median", sample=2, sample_seed=3)
    dataset = to_dataset(read_text(TABLE), settings)
    places = {
        "ann": ("Wien", 3),
        "bob": ("", 1),
        "cat": ("Graz", 2),
        "dan": ("Wien", 1),
    }
    sites, visits = dataset.columns["site"], dataset.columns["visit"].values.tolist()
    for row, name in enumerate(dataset.row_names):
        assert (sites.text(row), visits[row]) == places[name]


def test_rows_of_a_second_file_bring_theirs():
    first = to_dataset(read_text(TABLE), ImportSettings(ROLES))
    table = read_text("b,a,kind,site,doctor\n1,2,u,Linz,ed\n3,5,u,Graz,flo\n")
    again = new_data(table, ImportSettings(ROLES), first)
    assert again.columns["site"].texts() == ("Linz", "Graz")
    assert again.columns["doctor"].texts() == ("ed", "flo")


def test_rows_that_are_taken_have_only_their_own_words():
    column = MetaColumn.of(["Wien", "Graz", None, "Linz", "Wien"])
    taken = column.take(np.array([4, 2, 0]))
    assert (taken.words, taken.texts()) == (("Wien",), ("Wien", "", "Wien"))
    assert taken.same(MetaColumn.of(["Wien", None, "Wien"]))


def test_words_become_codes_in_the_order_of_a_person():
    column = MetaColumn.of(["c10", None, "c9", "", "c9"])
    assert column.words == column.categories == ("c9", "c10")
    assert column.codes.tolist() == [1, -1, 0, -1, 0]
    assert column.texts(np.array([4, 1])) == ("c9", "")


@pytest.mark.parametrize(
    ("numbers", "categories"),
    [
        ([7, 0, np.nan, 7], ("0", "7")),
        ([0.5, 1, 2], None),
        (range(13), None),
        ([4, 4, 4], None),
        ([1, np.inf], None),
    ],
)
def test_a_few_whole_numbers_are_codes_of_categories(numbers, categories):
    column = MetaColumn.of(np.array(list(numbers), dtype=float))
    assert column.categories == categories
    if categories is not None:
        assert column.codes.tolist() == [1, 0, -1, 1]


def test_too_many_words_are_no_categories():
    words = [f"patient {k}" for k in range(MOST_CATEGORIES + 1)]
    column = MetaColumn.of(words)
    assert column.categories is None
    assert column.text(7) == "patient 7"
    assert MetaColumn.of(words[:-1]).categories == column.words[:-1]


def test_nobody_can_write_to_it():
    numbers = np.arange(3.0)
    for column in (MetaColumn(numbers), MetaColumn.of(["a", "b", "a"])):
        for same in (column, pickle.loads(pickle.dumps(column)), column.take(None)):
            assert same.same(column)
            assert not same.values.flags.writeable
    numbers[0] = 7
    assert MetaColumn(numbers).values is not numbers
    assert not MetaColumn(numbers).same(MetaColumn(np.arange(3.0)))


@pytest.mark.parametrize("codes", [[0, 2], [-2, 0]])
def test_codes_without_a_word_are_refused(codes):
    with pytest.raises(DataError, match="codes of a column"):
        MetaColumn(np.array(codes), ("a", "b"))
    with pytest.raises(DataError, match="“t” has shape"):
        Dataset(np.eye(2), columns={"t": ["a"]})
