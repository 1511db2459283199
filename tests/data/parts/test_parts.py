"""A table in parts: which files, which pieces, and the same rows as in memory."""

import os
import pickle
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kpca_viewer.core.solvers.blocks import each_block, look
from kpca_viewer.data.files import ReadOptions, read_table
from kpca_viewer.data.importing import converted, guess_import
from kpca_viewer.data.parts import pieces
from kpca_viewer.data.parts.layout import (
    decided,
    first_layout,
    learnt,
    surveyed,
    without_variety,
)
from kpca_viewer.data.parts.pieces import are_parts, find_parts, pieces_of
from kpca_viewer.data.preparation import Scaler, suggested_scaling
from kpca_viewer.support.errors import DataError

ROWS = 40


def rows_of(part, seed=0):
    rng = np.random.default_rng((seed, part))
    return {
        "a": rng.normal(size=ROWS),
        "b": 100 * rng.normal(size=ROWS),
        "kind": [f"k{i}" for i in rng.integers(0, 2, ROWS)],
    }


def write(folder, part, columns, **options):
    path = folder / f"part{part}.parquet"
    pq.write_table(pa.table(columns), path, **options)
    return path


def write_csv(folder, part, columns):
    lines = [",".join(columns)]
    lines += [",".join(map(str, row)) for row in zip(*columns.values(), strict=True)]
    (folder / f"part{part}.csv").write_text("\n".join(lines) + "\n")


def layout_of(folder, gaps="drop", **changes):
    found, _empty = pieces_of(find_parts([str(folder)]))
    table = found[0].table(ReadOptions())
    importing = replace(guess_import(table), missing=gaps)
    for name, role in changes.items():
        importing = importing.with_role(name, role)
    return first_layout(found, table, importing, ReadOptions())


def prepared(layout, scaling=None):
    layout = surveyed(layout, each_block)
    return learnt(layout, look(layout.blocks), scaling)[0]


def points_of(layout):
    return np.concatenate([block.read() for block in layout.blocks])


# Which files


def test_words_that_mean_several_files(tmp_path):
    write_csv(tmp_path, 1, rows_of(1))
    assert are_parts([str(tmp_path)])
    assert are_parts([str(tmp_path / "*.csv")])
    assert are_parts(["a.csv", "b.csv"])
    assert not are_parts([str(tmp_path / "part1.csv")])


def test_files_of_a_folder_come_in_the_order_of_their_numbers(tmp_path):
    for part in (10, 2, 1):
        write_csv(tmp_path, part, rows_of(part))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.csv").write_text("a,b\n1,2\n")
    (tmp_path / "notes.md").write_text("nothing")
    expected = ["part1.csv", "part2.csv", "part10.csv"]
    assert [path.name for path in find_parts([str(tmp_path)])] == expected
    assert [p.name for p in find_parts([str(tmp_path / "part*.csv")])] == expected


def test_a_folder_or_pattern_without_files_is_refused(tmp_path):
    with pytest.raises(DataError, match="holds no file that can be read"):
        find_parts([str(tmp_path)])
    with pytest.raises(DataError, match="No file fits the pattern"):
        find_parts([str(tmp_path / "*.csv")])
    with pytest.raises(DataError, match=r"The folder “.*none” does not exist"):
        find_parts([str(tmp_path / "none" / "*.csv")])
    with pytest.raises(DataError, match="does not exist"):
        find_parts([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])


# Which pieces


def test_files_are_cut_at_row_groups_and_rows(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_ROWS", 25)
    write(tmp_path, 1, rows_of(1), row_group_size=10)
    np.save(tmp_path / "part2.npy", np.arange(120.0).reshape(60, 2))
    found, _ = pieces_of(find_parts([str(tmp_path)]))
    assert [(p.number, p.start, p.rows, p.groups) for p in found] == [
        (1, 0, 20, (0, 1)),
        (1, 20, 20, (2, 3)),
        (2, 0, 25, None),
        (2, 25, 25, None),
        (2, 50, 10, None),
    ]
    table = found[1].table(ReadOptions())
    assert np.array_equal(table.column("a").values, rows_of(1)["a"][20:])
    assert table.row_number(0) == 21
    array = found[3].table(ReadOptions())
    assert np.array_equal(array.columns[1].values, np.arange(51.0, 101.0, 2))


def test_parts_without_rows_are_passed_over(tmp_path):
    write(tmp_path, 1, rows_of(1))
    write(tmp_path, 2, {name: values[:0] for name, values in rows_of(2).items()})
    (tmp_path / "part3.csv").write_text("a,b,kind\n")
    (tmp_path / "part4.csv").touch()
    found, empty = pieces_of(find_parts([str(tmp_path)]))
    assert [piece.number for piece in found] == [1]
    assert empty == [
        "part 2 (part2.parquet)",
        "part 3 (part3.csv)",
        "part 4 (part4.csv)",
    ]
    with pytest.raises(DataError, match="No part has any row"):
        pieces_of([tmp_path / "part3.csv"])


def test_a_large_text_file_says_to_split_it(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "LARGEST_WHOLE", 100)
    write_csv(tmp_path, 1, rows_of(1))
    with pytest.raises(DataError, match="split it, or write it as Parquet"):
        pieces_of(find_parts([str(tmp_path)]))


# The same rows as in memory


@pytest.mark.parametrize(
    ("writer", "scaling"),
    [(write, None), (write_csv, "minmax"), (write, "unit"), (write_csv, "none")],
)
def test_parts_are_prepared_as_one_table(tmp_path, writer, scaling):
    (tmp_path / "parts").mkdir()
    tables = [rows_of(part) for part in range(3)]
    for part, columns in enumerate(tables):
        writer(tmp_path / "parts", part, columns)
    whole = {
        name: [value for table in tables for value in table[name]] for name in tables[0]
    }
    writer(tmp_path, 9, whole)
    table = read_table(next(tmp_path.glob("part9.*")))
    dataset = converted(table, guess_import(table))
    how = scaling or suggested_scaling(dataset.points)
    expected = Scaler.learn(dataset.points, how).apply(dataset.points)
    layout = prepared(layout_of(tmp_path / "parts"), scaling)
    assert layout.preparation.rows.scaling == how
    np.testing.assert_allclose(points_of(layout), expected, rtol=1e-12, atol=1e-14)
    named = [word for block in layout.blocks for word in block.rows().described.labels]
    assert named == whole["kind"]
    sent = pickle.loads(pickle.dumps(layout.blocks[1]))
    assert np.array_equal(sent.read(), layout.blocks[1].read())
    assert sent.rows().numbers.tolist() == list(range(1, ROWS + 1))


def described_parts(folder):
    """Three parts with an id, a year and a note, of which the last lacks two."""
    for part in range(3):
        columns = rows_of(part)
        columns["id"] = [f"p{part}-{i}" for i in range(ROWS)]
        columns["year"] = np.arange(2000.0, 2000 + ROWS)
        columns["note"] = ["seen" if i % 3 else None for i in range(ROWS)]
        if part == 1:
            columns["year"][4] = np.nan
        if part == 2:
            del columns["note"], columns["id"]
        write(folder, part, columns)


def test_every_part_says_what_the_first_says_of_its_rows(tmp_path):
    described_parts(tmp_path)
    layout = prepared(layout_of(tmp_path, year="ignore", note="ignore"))
    first, second, third = (block.rows().described for block in layout.blocks)
    assert first.names == tuple(f"p0-{i}" for i in range(ROWS))
    assert third.names == tuple(f"row {i + 1}" for i in range(ROWS))
    assert first.labels == tuple(rows_of(0)["kind"])
    years, notes = (dict(first.columns)[name] for name in ("year", "note"))
    assert years.dtype == np.int64
    assert years.tolist() == list(range(2000, 2000 + ROWS))
    assert notes[:3] == ("", "seen", "seen")
    years = dict(second.columns)["year"]
    assert years.dtype == np.int64
    assert years[3:6].tolist() == [2003, None, 2005]
    assert dict(third.columns)["note"] == ("",) * ROWS


def test_a_label_is_a_quantity_in_every_part_if_it_is_in_the_first(tmp_path):
    for part, step in enumerate((0.5, 20.0)):
        columns = {
            "a": np.arange(60.0) % 7,
            "b": np.arange(60.0) ** 2,
            "age": np.arange(60.0) // step + 0.5,
        }
        write(tmp_path, part, columns)
    layout = prepared(layout_of(tmp_path, age="label"))
    for block in layout.blocks:
        told = block.rows().described
        assert told.labels is None
        assert dict(told.columns)["age"].dtype == np.float64


def test_a_part_whose_rows_all_have_gaps_is_left_out_with_its_names(tmp_path):
    described_parts(tmp_path)
    columns = rows_of(1)
    columns["id"], columns["b"] = list("x" * ROWS), np.full(ROWS, np.nan)
    write(tmp_path, 1, columns)
    layout = prepared(layout_of(tmp_path, gaps="drop", year="ignore"), "none")
    rows = layout.blocks[1].rows()
    assert rows.points.shape == (0, 2)
    assert rows.left_out == ROWS
    assert rows.described.names == ()


def test_words_of_all_parts_are_features(tmp_path):
    for part in range(3):
        columns = rows_of(part)
        columns["site"] = [f"s{part}" if i % 2 else "s0" for i in range(ROWS)]
        write(tmp_path, part, columns)
    layout = prepared(layout_of(tmp_path, site="feature"), "none")
    rows = layout.preparation.rows
    assert rows.feature_names == ("a", "b", "site=s0", "site=s1", "site=s2")
    last = layout.blocks[2].read()
    assert last[:2, 2:].tolist() == [[1, 0, 0], [0, 0, 1]]


@pytest.mark.parametrize("writer", [write, write_csv])
def test_rows_with_gaps_are_left_out_or_filled(tmp_path, writer):
    for part in range(3):
        columns = rows_of(part)
        if part == 1:
            columns["b"][[7, 9]] = np.nan
        writer(tmp_path, part, columns)
    with pytest.raises(DataError, match="nearest rows may be in any of the parts"):
        layout_of(tmp_path, gaps="nearest")
    dropped = prepared(layout_of(tmp_path, gaps="drop"), "none")
    block = dropped.blocks[1].rows()
    assert len(block.points) == ROWS - 2
    assert block.left_out == 2
    assert 8 not in block.numbers
    assert 11 in block.numbers
    filled = prepared(layout_of(tmp_path, gaps="median"), "none")
    values = np.concatenate([rows_of(part)["b"] for part in range(3)])
    values = np.delete(values, [ROWS + 7, ROWS + 9])
    assert filled.blocks[1].read()[7, 1] == pytest.approx(np.median(values))


def test_gaps_of_row_groups_have_the_numbers_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_ROWS", 10)
    columns = rows_of(1)
    columns["a"][33] = np.inf
    write(tmp_path, 1, columns, row_group_size=10)
    with pytest.raises(DataError, match=r"row 34, column “a” holds an infinite"):
        prepared(layout_of(tmp_path))


def test_a_part_with_other_columns_is_named(tmp_path):
    write(tmp_path, 1, rows_of(1))
    columns = rows_of(2)
    columns["c"] = columns.pop("b")
    write(tmp_path, 2, columns)
    with pytest.raises(DataError) as caught:
        prepared(layout_of(tmp_path))
    assert str(caught.value) == (
        "Part 2 (part2.parquet) lacks the column “b”, it has “a”, “kind” and “c”; give "
        "parts of the same table."
    )


def test_a_word_among_numbers_is_named_by_its_part(tmp_path):
    write_csv(tmp_path, 1, rows_of(1))
    columns = rows_of(2)
    columns["a"] = [*columns["a"][:5], "broken", *columns["a"][6:]]
    write_csv(tmp_path, 2, columns)
    with pytest.raises(DataError, match=r"Part 2 \(part2.csv\): Row 6, column “a”"):
        prepared(layout_of(tmp_path))


def test_a_part_that_has_vanished_is_named(tmp_path):
    for part in (1, 2):
        write(tmp_path, part, rows_of(part))
    layout = layout_of(tmp_path)
    (tmp_path / "part2.parquet").unlink()
    with pytest.raises(DataError, match=r"Part 2 .* does not exist"):
        prepared(layout)


def test_rows_that_are_all_equal_are_refused(tmp_path):
    for part in (1, 2):
        write(tmp_path, part, {"a": np.ones(5), "b": np.zeros(5)})
    with pytest.raises(DataError, match="the same value in all rows"):
        prepared(layout_of(tmp_path, a="feature", b="feature"))
    with pytest.raises(DataError, match="the same value in all rows"):
        decided(undecided_layout(tmp_path), each_block)


@pytest.mark.parametrize("ending", ["parquet", "npy"])
def test_single_precision_stays_single(tmp_path, ending):
    columns = {name: rows_of(1)[name].astype(np.float32) for name in ("a", "b")}
    X = np.column_stack(list(columns.values()))
    if ending == "npy":
        np.save(tmp_path / "part1.npy", X)
    else:
        write(tmp_path, 1, columns)
    read = prepared(layout_of(tmp_path), "none").blocks[0].read()
    assert type(read) is np.ndarray
    assert read.dtype == np.float32
    assert np.array_equal(read, X)


def test_arrays_of_different_widths_are_refused(tmp_path):
    rng = np.random.default_rng(0)
    for part, width in (("a", 2), ("b", 2), ("c", 3)):
        np.save(tmp_path / f"{part}.npy", rng.normal(size=(9, width)))
    with pytest.raises(DataError) as caught:
        pieces_of(find_parts([str(tmp_path)]))
    assert str(caught.value) == (
        "Part 3 (c.npy) has 3 columns, part 1 (a.npy) has 2; give parts of the same "
        "table."
    )


# Columns that the first part says nothing about


def undecided_layout(folder, gaps="drop"):
    found, _empty = pieces_of(find_parts([str(folder)]))
    table = found[0].table(ReadOptions())
    importing = replace(guess_import(table), missing=gaps)
    undecided = without_variety(table, importing)
    return first_layout(found, table, importing, ReadOptions(), undecided)


@pytest.mark.parametrize("writer", [write, write_csv])
def test_a_column_that_is_constant_in_the_first_part_is_a_feature(tmp_path, writer):
    for part in range(3):
        columns = rows_of(part)
        sorted_by = {"day": np.full(ROWS, float(part)), "fixed": np.full(ROWS, 7.0)}
        writer(tmp_path, part, {**sorted_by, **columns})
    layout = undecided_layout(tmp_path)
    assert layout.undecided == ("day", "fixed")
    rows = decided(layout, each_block).preparation.rows
    assert rows.feature_names == ("day", "a", "b")
    assert rows.importing.columns("feature") == rows.feature_names
    block = prepared(decided(layout, each_block), "none").blocks[2]
    read = block.read()
    assert read.shape == (ROWS, 3)
    assert (read[:, 0] == 2).all()
    assert [name for name, _ in block.rows().described.columns] == ["fixed"]


@pytest.mark.parametrize("writer", [write, write_csv])
def test_a_column_that_is_empty_in_the_first_part_is_no_less_one(tmp_path, writer):
    gap = np.nan if writer is write else ""
    for part in range(2):
        columns = rows_of(part)
        empty = {"c": [gap] * ROWS, "d": [gap] * ROWS}
        if part == 1:
            empty["c"] = columns["a"] + 1
        writer(tmp_path, part, {**columns, **empty})
    layout = decided(undecided_layout(tmp_path), each_block)
    assert layout.preparation.rows.feature_names == ("a", "b", "c")
    assert prepared(layout).blocks[0].rows().left_out == ROWS
    filled = decided(undecided_layout(tmp_path, "median"), each_block)
    assert prepared(filled, "none").blocks[0].read().shape == (ROWS, 3)


def test_parts_that_are_constant_one_by_one_are_read(tmp_path):
    for part in range(3):
        write(
            tmp_path, part, {"a": np.full(5, float(part)), "b": np.full(5, 3.0 * part)}
        )
    layout = decided(undecided_layout(tmp_path), each_block)
    assert layout.preparation.rows.feature_names == ("a", "b")


def test_words_after_nothing_are_no_feature(tmp_path):
    for part, word in enumerate(("", "north")):
        write_csv(tmp_path, part, {**rows_of(part), "note": [word] * ROWS})
    layout = decided(undecided_layout(tmp_path), each_block)
    assert layout.preparation.rows.feature_names == ("a", "b")


def test_a_part_without_an_undecided_column_is_passed_over(tmp_path):
    write(tmp_path, 1, {"c": np.ones(ROWS), **rows_of(1)})
    write(tmp_path, 2, rows_of(2))
    layout = decided(undecided_layout(tmp_path), each_block)
    assert layout.preparation.rows.feature_names == ("a", "b")


# Parts that change


@pytest.mark.parametrize("writer", [write, write_csv])
def test_a_part_that_is_written_again_is_named(tmp_path, writer):
    for part in (1, 2):
        writer(tmp_path, part, rows_of(part))
    layout = prepared(layout_of(tmp_path))
    block = layout.blocks[1]
    before = block.piece.path.stat().st_mtime_ns
    writer(tmp_path, 2, rows_of(3))
    # However coarse the clock of the file system.
    os.utime(block.piece.path, ns=(before + 1_000_000, before + 1_000_000))
    for read in (block.read, block.rows, block.table):
        with pytest.raises(DataError, match=r"^Part 2 \(part2.* written to since"):
            read()


@pytest.mark.parametrize("writer", [write, write_csv])
def test_a_part_that_keeps_its_time_has_its_size(tmp_path, writer):
    for part in (1, 2):
        writer(tmp_path, part, rows_of(part))
    block = prepared(layout_of(tmp_path)).blocks[1]
    before = block.piece.path.stat().st_mtime_ns
    writer(tmp_path, 2, {name: values[:1] for name, values in rows_of(2).items()})
    os.utime(block.piece.path, ns=(before, before))
    with pytest.raises(DataError, match=r"^Part 2 \(part2.* written to since"):
        block.read()


def test_a_list_among_the_columns_has_its_own_name(tmp_path):
    write(tmp_path, 1, rows_of(1))
    columns = rows_of(2)
    del columns["b"]
    write(tmp_path, 2, {**columns, "many": [[1.0, 2.0]] * ROWS})
    with pytest.raises(DataError, match=r"lacks the column “b”, it has .* and “many”;"):
        prepared(layout_of(tmp_path))


def test_a_name_that_is_not_in_utf_8_is_said(tmp_path):
    write(tmp_path, 1, rows_of(1))
    odd = os.fsencode(tmp_path / "part2") + b"\xff.parquet"
    os.rename(tmp_path / "part1.parquet", odd)
    with pytest.raises(
        DataError, match=r"The name of “part2�.parquet” is not in UTF-8"
    ):
        pieces_of(find_parts([str(tmp_path)]))


@pytest.mark.parametrize(
    ("writer", "gaps"), [(write, "drop"), (write_csv, "drop"), (write, "median")]
)
def test_a_sentinel_is_a_gap_in_every_part(tmp_path, writer, gaps):
    every = []
    for part in range(3):
        columns = rows_of(part)
        del columns["kind"]
        columns["age"] = np.arange(20.0, 20 + ROWS)
        columns["age"][[part, 30]] = -999
        every.append(columns["age"])
        writer(tmp_path, part, columns)
    layout = surveyed(layout_of(tmp_path, gaps), each_block)
    ages = np.concatenate([block.read() for block in layout.blocks])[:, 2]
    known = np.concatenate(every)
    if gaps == "median":
        typical = np.median(known[known > 0])
        assert np.array_equal(ages, np.where(known < 0, typical, known))
    else:
        assert np.array_equal(ages, known[known > 0])
