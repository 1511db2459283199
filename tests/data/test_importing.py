"""Tables become data sets: guesses, gaps, words, matrices and new rows."""

from dataclasses import replace

import msgspec
import numpy as np
import pytest

from kpca_viewer.data.dataset import UNLABELLED, row_numbers, without
from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.data.files.cells import object_array
from kpca_viewer.data.importing import (
    ImportSettings,
    OddCellError,
    guess_import,
    matrix_report,
    new_data,
    to_dataset,
)
from kpca_viewer.data.importing.convert import label_codes
from kpca_viewer.data.metadata import natural
from kpca_viewer.data.table import Column, Table
from kpca_viewer.support.errors import DataError


def rows(header, lines, count=20):
    return read_text(
        header + "\n" + "\n".join(lines[k % len(lines)] for k in range(count))
    )


def numbers(count=20, columns=2, seed=0):
    return np.random.default_rng(seed).normal(size=(count, columns)).round(3)


def with_column(name, cells, count=20):
    """Return a table of two features a, b and one more column."""
    values = numbers(count)
    lines = [f"{x},{y},{cells[k % len(cells)]}" for k, (x, y) in enumerate(values)]
    return read_text(f"a,b,{name}\n" + "\n".join(lines))


def dataset_of(table, **changes):
    return to_dataset(table, replace(guess_import(table), **changes))


# guesses


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("class", ["u", "v"], "label"),
        ("Species", ["1", "2", "3"], "label"),
        ("target", [str(k / 7) for k in range(20)], "label"),
        ("what", ["u", "v"], "label"),
        ("what", ["0", "1"], "label"),
        ("what", [f"w{k}" for k in range(20)], "name"),
        ("id", [str(k) for k in range(100, 120)], "name"),
        ("what", ["7"], "ignore"),
        ("what", ["NA"], "ignore"),
        ("index", [str(k) for k in range(20)], "ignore"),
        ("Unnamed: 0", [str(k) for k in range(20)], "ignore"),
        ("c", [str(k / 7) for k in range(20)], "feature"),
        ("c", [*map(str, range(19)), "oops"], "feature"),
        ("c", [f"w{k}" for k in range(15)], "ignore"),
    ],
)
def test_guessed_roles(name, cells, role):
    settings = guess_import(with_column(name, cells))
    assert settings.role(name) == role
    assert settings.columns("feature")[:2] == ("a", "b")


def test_y_is_a_coordinate_beside_x():
    values = numbers(30)
    table = read_text("x,y\n" + "\n".join(f"{a},{b}" for a, b in values))
    assert guess_import(table).columns("feature") == ("x", "y")
    corners = rows("x,y,z", ["0.5,1.5,2.5", "1.5,0.5,3", "2.5,0.5,1"])
    assert guess_import(corners).columns("feature") == ("x", "y", "z")
    classes = rows("x,y,z", ["0.5,1,2", "1.5,0,3", "2.5,0,1", "0.5,1,0"])
    assert guess_import(classes).columns("label") == ("y",)


def test_counts_and_answers_are_no_labels():
    table = rows("q1,q2,q3", ["1,2,3", "2,3,1", "3,1,5", "1,1,2"])
    assert guess_import(table).columns("label") == ()


def test_a_table_of_words_uses_them_as_features():
    table = rows("q1,q2,q3", ["yes,no,maybe", "no,no,yes", "yes,yes,no"])
    settings = guess_import(table)
    assert len(settings.columns("feature")) == 2
    assert to_dataset(table, settings).feature_names == (
        *("q1=no", "q1=yes", "q2=no", "q2=yes"),
    )


def test_many_gaps_are_filled_and_few_left_out():
    few = with_column("c", ["1.5", *(str(k / 3) for k in range(18)), "NA"])
    assert guess_import(few).missing == "drop"
    assert dataset_of(few).n == 19
    many = with_column("c", ["1.5", "2.5", "NA"])
    assert guess_import(many).missing == "median"
    assert dataset_of(many).n == 20


def test_settings_are_values_that_survive_json():
    settings = guess_import(with_column("class", ["u", "v"]))
    text = msgspec.json.encode(settings)
    assert msgspec.json.decode(text, type=ImportSettings) == settings
    assert hash(settings) == hash(replace(settings))
    options = ReadOptions(arrays=("X", "y"), decimal=",")
    assert (
        msgspec.json.decode(msgspec.json.encode(options), type=ReadOptions) == options
    )


def test_there_is_one_label():
    settings = ImportSettings((("a", "label"), ("b", "feature")))
    settings = settings.with_role("b", "label")
    assert settings.roles == (("a", "ignore"), ("b", "label"))
    table = with_column("c", ["u", "v"])
    both = ImportSettings((("a", "label"), ("c", "label"), ("b", "feature")))
    with pytest.raises(DataError, match="“a” and “c” are all chosen as label"):
        to_dataset(table, both)


# points


def test_features_labels_and_names():
    table = read_text("n,a,b,c\nr1,1,2,u\nr2,3,4,\nr3,5,6,v\nr4,5,7,u\n")
    dataset = to_dataset(
        table,
        ImportSettings(
            (("n", "name"), ("b", "feature"), ("a", "feature"), ("c", "label"))
        ),
    )
    assert dataset.points.tolist() == [[2, 1], [4, 3], [6, 5], [7, 5]]
    assert dataset.feature_names == ("b", "a")
    assert dataset.labels.tolist() == [0, UNLABELLED, 1, 0]
    assert dataset.label_names == ("u", "v")
    assert dataset.row_names == ("r1", "r2", "r3", "r4")
    assert dataset.name == "clipboard"


def test_labels_are_sorted_as_a_person_would():
    dataset = dataset_of(with_column("class", ["c10", "c9", "C1"]))
    assert dataset.label_names == ("C1", "c9", "c10")


def test_a_label_of_many_numbers_colours_the_points():
    table = with_column("target", [str(k / 7) for k in range(60)], count=60)
    dataset = dataset_of(table)
    assert dataset.labels is None
    assert dataset.columns["target"].values[7] == 1
    assert dataset.scale == "target"


def test_a_label_of_many_words_is_refused():
    table = with_column("class", [f"w{k}" for k in range(300)], count=300)
    settings = guess_import(table).with_role("class", "label")
    with pytest.raises(DataError, match="more than 256 different values"):
        to_dataset(table, settings)


def test_a_pure_matrix_is_shared_and_not_copied():
    table = read_text("\n".join(f"{a},{b}" for a, b in numbers(30)))
    dataset = dataset_of(table)
    assert np.shares_memory(dataset.points, table.columns[0].values)
    assert not dataset.points.flags.writeable


def test_text_in_a_column_of_numbers_is_named_or_missing():
    lines = [f"{k},{k % 7},{k / 3}" for k in range(5000)]
    lines[4181] = "1,2,spicy"
    table = read_text("a,b,flavour\n" + "\n".join(lines))
    settings = guess_import(table)
    with pytest.raises(DataError) as caught:
        to_dataset(table, settings)
    assert str(caught.value) == (
        "Row 4,182, column “flavour” holds “spicy”, which is not a number; treat it "
        "as missing, or make the column a label."
    )
    assert to_dataset(table, replace(settings, treat_text_as_missing=True)).n == 4999
    ignored = to_dataset(table, settings.with_role("flavour", "ignore"))
    assert ignored.feature_names == ("a", "b")


def test_rows_of_a_sample_keep_their_numbers(tmp_path):
    lines = [f"{k},{k / 3}" for k in range(3000)]
    lines[1234] = "1234,inf"
    (tmp_path / "a.csv").write_text("a,b\n" + "\n".join(lines))
    for seed in range(50):
        options = ReadOptions(sample=1000, seed=seed)
        table = read_table(tmp_path / "a.csv", options=options)
        if np.isinf(table.column("b").values).any():
            with pytest.raises(DataError, match="Row 1,235, column “b” holds an inf"):
                dataset_of(table)
            return
    pytest.fail("no sample held the row")


def test_rows_of_a_part_of_a_file_are_called_as_in_the_file(tmp_path):
    lines = [f"{k},{k / 3}" for k in range(300)]
    lines[17] = "17,"
    (tmp_path / "a.csv").write_text("a,b\n" + "\n".join(lines))
    options = ReadOptions(sample=200, seed=1)
    table = read_table(tmp_path / "a.csv", options=options)
    data = dataset_of(table)
    assert data.n < 300
    # Column “a” counts the rows of the file from 0.
    told = [data.row_number(row) for row in range(data.n)]
    assert told == (data.points[:, 0] + 1).astype(int).tolist()
    assert told != list(range(1, data.n + 1))
    # Where some are left out, and where a sample is drawn of the sample.
    kept = without(data, np.arange(data.n) % 2 == 0)
    assert row_numbers(kept).tolist() == (kept.points[:, 0] + 1).tolist()
    fewer = dataset_of(table, sample=50)
    assert row_numbers(fewer).tolist() == (fewer.points[:, 0] + 1).tolist()


def test_infinite_values_can_count_as_missing():
    table = with_column("c", [*(str(k / 3) for k in range(19)), "inf"])
    assert dataset_of(table, treat_text_as_missing=True).n == 19
    assert dataset_of(table, treat_text_as_missing=True, missing="median").n == 20


def test_gaps_are_filled_with_the_median_and_the_most_frequent_word():
    table = read_text("a,b,c\n1,5,u\nNA,6,u\n3,7,v\n100,8,NA\n")
    settings = ImportSettings(
        (("a", "feature"), ("b", "feature"), ("c", "feature")), missing="median"
    )
    dataset = to_dataset(table, settings)
    assert dataset.feature_names == ("a", "b", "c=u", "c=v")
    assert dataset.points[1].tolist() == [3, 6, 1, 0]
    assert dataset.points[3].tolist() == [100, 8, 1, 0]
    assert to_dataset(table, replace(settings, missing="drop")).n == 2


@pytest.mark.parametrize(
    ("text", "changes", "message"),
    [
        ("a,b\nNA,1\n2,NA\n", {}, "No row of 2 is complete, most gaps are in “a”"),
        ("a,b\nNA,1\n2,2\n", {}, "Only one row of 2 is complete"),
        ("a,b\nNA,1\nNA,2\n", {}, "“a” holds no number in any row"),
        ("a,b\n1,2\n1,2\n", {}, "same value in all rows"),
        ("a,b\n1,2\n3,4\n", {"sample": 1}, "A sample of 1 rows shows nothing"),
        ("a,b\n1,u\n3,v\n", {"one_hot": False}, "“b” holds words such as “u”"),
        ("a,b\n1,u\n3,v\n", {"roles": (("z", "feature"),)}, "no column “z”"),
        ("a,b\n1,u\n3,v\n", {"roles": ()}, "No column is a feature"),
        ("a\n1\n2\n", {}, "only one column, “a”"),
        ("a,b\n1,2\n", {}, "only one row"),
    ],
)
def test_what_cannot_be_used_is_explained(text, changes, message):
    table = read_text(text)
    every = tuple((name, "feature") for name in table.names)
    with pytest.raises(DataError, match=message):
        to_dataset(table, ImportSettings(**{"roles": every, **changes}))


@pytest.mark.parametrize("one_hot", [True, False])
def test_a_text_column_without_a_word(one_hot):
    empty = np.array([None, None], dtype=object)
    table = Table((Column("a", np.arange(2.0)), Column("t", empty, "text")))
    settings = ImportSettings((("a", "feature"), ("t", "feature")), one_hot=one_hot)
    with pytest.raises(DataError, match="“t” holds no value in any row"):
        to_dataset(table, settings)


def test_too_many_words_for_one_column_each():
    table = with_column("c", [f"w{k}" for k in range(150)], count=300)
    settings = guess_import(table).with_role("c", "feature")
    with pytest.raises(DataError, match="more than 100 different words"):
        to_dataset(table, settings)


def test_a_sample_is_drawn_by_its_seed():
    table = with_column("name", [f"w{k}" for k in range(100)], count=100)
    one, same, other = (
        dataset_of(table, sample=30, sample_seed=seed) for seed in (1, 1, 2)
    )
    assert one.n == 30
    assert one.content_hash == same.content_hash != other.content_hash
    place = table.column("name").values.tolist().index(one.row_names[3])
    assert one.points[3, 0] == table.column("a").values[place]


# matrices


def matrix_text(matrix, names=None):
    lines = [",".join(repr(float(v)) for v in row) for row in matrix]
    if names:
        lines = [",".join(["name", *names])] + [
            f"{name},{line}" for name, line in zip(names, lines, strict=True)
        ]
    return "\n".join(lines)


@pytest.fixture
def kernel():
    points = numbers(6, 3)
    return points @ points.T


@pytest.fixture
def distances():
    points = numbers(6, 3)
    return np.linalg.norm(points[:, None] - points[None], axis=2)


def test_kernel_matrices_are_recognised(kernel):
    table = read_text(matrix_text(kernel))
    assert guess_import(table).matrix == "kernel"
    dataset = dataset_of(table)
    assert dataset.kind == "kernel"
    np.testing.assert_allclose(dataset.points, kernel)
    assert dataset.row_names is None
    assert "positive semidefinite" in matrix_report(table)


def test_distance_matrices_are_recognised_with_their_names(distances):
    table = read_text(matrix_text(distances, list("pqrstu")))
    settings = guess_import(table)
    assert (settings.matrix, settings.role("name")) == ("distances", "name")
    dataset = dataset_of(table, sample=4)
    assert dataset.kind == "distances"
    assert dataset.points.shape == (4, 4)
    assert dataset.row_names == dataset.feature_names
    assert "semidefinite" in matrix_report(table)


def test_the_header_of_a_matrix_names_its_rows(distances):
    text = "p,q,r,s,t,u\n" + matrix_text(distances)
    assert dataset_of(read_text(text)).row_names == tuple("pqrstu")


def test_the_index_of_a_matrix_is_left_out(kernel):
    lines = matrix_text(kernel).splitlines()
    text = ",0,1,2,3,4,5\n" + "\n".join(f"{k},{line}" for k, line in enumerate(lines))
    table = read_text(text)
    assert guess_import(table).matrix == "kernel"
    assert dataset_of(table).points.shape == (6, 6)
    assert matrix_report(table).startswith("6 × 6")


def test_rounding_in_print_does_not_matter(kernel):
    noisy = kernel * (1 + 1e-8 * numbers(6, 6))
    table = read_text(matrix_text(noisy))
    dataset = dataset_of(table)
    assert (dataset.points == dataset.points.T).all()


@pytest.mark.parametrize("matrix", ["kernel", "distances"])
def test_squares_that_are_no_such_matrix(matrix, kernel, distances):
    skew = kernel.copy()
    skew[1, 2] += 1
    table = read_text(matrix_text(skew))
    assert guess_import(table).matrix == "points"
    assert "not symmetric: row 2, column 3" in matrix_report(table)
    with pytest.raises(DataError, match="not symmetric: row 2, column 3"):
        dataset_of(table, matrix=matrix)
    gap = read_text(matrix_text(kernel).replace(repr(float(kernel[0, 0])), "NA"))
    with pytest.raises(DataError, match="Row 1, column “x1” is missing"):
        dataset_of(gap, matrix=matrix)
    with pytest.raises(DataError, match="missing or infinite"):
        matrix_report(gap)
    long = read_text(matrix_text(numbers(6, 3)))
    with pytest.raises(DataError, match="square, but there are 6 rows and 3"):
        dataset_of(long, matrix=matrix)
    with pytest.raises(DataError, match="not a square matrix"):
        matrix_report(long)


def test_distances_are_checked(kernel, distances):
    with pytest.raises(DataError, match="holds the negative distance"):
        dataset_of(read_text(matrix_text(kernel)), matrix="distances")
    distances[2, 2] = 1
    with pytest.raises(DataError, match="distance of row 3 to itself is 1"):
        dataset_of(read_text(matrix_text(distances)), matrix="distances")
    zero = Table(tuple(Column(f"x{k}", np.zeros(3)) for k in range(3)))
    every = tuple((name, "feature") for name in zero.names)
    with pytest.raises(DataError, match="matrix is zero"):
        to_dataset(zero, ImportSettings(every, matrix="distances"))


def test_an_indefinite_matrix_is_reported():
    table = read_text("0,1,10\n1,0,1\n10,1,0\n")
    report = matrix_report(table)
    assert "indefinite, negative mass 24.2 %" in report  # 16 / 66, docs/mathematics.md
    assert "is −16: indefinite" in report


# new rows


@pytest.fixture
def model():
    table = read_text("a,b,kind,class\n1,2,u,p\n3,4,v,q\n5,6,u,p\n7,9,u,q\n2,1,v,p\n")
    settings = ImportSettings(
        (("a", "feature"), ("b", "feature"), ("kind", "feature"), ("class", "label")),
        missing="median",
    )
    return settings, to_dataset(table, settings)


def test_new_rows_are_matched_by_name(model):
    table = read_text("b,extra,class,a,kind\n20,x,q,10,v\n,y,new,11,\n")
    dataset = new_data(table, *model)
    assert dataset.feature_names == model[1].feature_names
    assert dataset.points.tolist() == [[10, 20, 0, 1], [11, 4, 1, 0]]
    assert dataset.label_names == ("p", "q", "new")
    assert dataset.labels.tolist() == [1, 2]


def test_one_new_row_without_a_label(model):
    dataset = new_data(read_text("a,b,kind\n1,2,u\n"), *model)
    assert dataset.n == 1
    assert dataset.labels is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,c,kind\n1,2,u\n", "lacks the column “b”, but has “c” besides"),
        ("c,kind\n1,u\n", "lacks the columns “a” and “b”, but has “c” besides"),
        ("a,b,kind\n1,2,u\n3,4,w\n", "Row 2, column “kind” holds “w”"),
        ("a,b,kind\n1,inf,u\n", "Row 1, column “b” holds an infinite"),
        ("a,b,kind\n1,2,u\n1,x,u\n1,3,u\n", "Row 2, column “b” holds “x”"),
        ("a,b,kind\n1,x,u\n1,y,u\n", "Row 1, column “b” holds “x”"),
    ],
)
def test_new_rows_that_do_not_fit(model, text, message):
    with pytest.raises(DataError, match=message):
        new_data(read_text(text), *model)


def test_no_new_rows_for_a_matrix(kernel):
    table = read_text(matrix_text(kernel))
    settings = guess_import(table)
    with pytest.raises(DataError, match="cannot be placed beside a matrix"):
        new_data(table, settings, to_dataset(table, settings))


def test_a_word_can_count_as_missing():
    text = "a,b\n" + "".join(f"{i},{i * i % 7}\n" for i in range(10))
    table = read_text(text + "10,odd\n11,worse\n")
    settings = guess_import(table)
    with pytest.raises(OddCellError, match="Row 11, column “b” holds “odd”") as caught:
        to_dataset(table, settings)
    assert caught.value.word == "odd"
    settings = settings.with_missing("odd")
    with pytest.raises(OddCellError, match="worse") as caught:
        to_dataset(table, settings)
    settings = settings.with_missing(caught.value.word)
    assert to_dataset(table, settings).n == 10
    # Words that are classes of a feature can be missing as well.
    table = read_text("a,b\n1,x\n2,y\n3,z\n4,x\n")
    settings = replace(guess_import(table), roles=(("a", "feature"), ("b", "feature")))
    dataset = to_dataset(table, settings.with_missing("z"))
    assert dataset.feature_names == ("a", "b=x", "b=y")
    assert dataset.n == 3
    for word in "xyz":
        settings = settings.with_missing(word)
    with pytest.raises(DataError, match="holds no value"):
        to_dataset(table, settings)


def test_classes_that_sort_alike_keep_their_order():
    # Of sixteen digits, the last ones are read as a number of their own.
    words = [f"{k}{zeros}" for k in "372" for zeros in ("0" * 15, "0" * 16, "0" * 17)]
    column = Column("class", object_array(words), "text")
    once = label_codes(column)[1]
    assert once == tuple(sorted(words, key=natural))
