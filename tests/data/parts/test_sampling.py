"""Rows drawn from all parts: which, in which order, and what is said of them."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kpca_viewer.data.files import ReadOptions
from kpca_viewer.data.importing import converted, guess_import
from kpca_viewer.data.parts import pieces
from kpca_viewer.data.parts.sampling import sampled_parts
from kpca_viewer.data.reading import (
    EvictedTable,
    located,
    of_several,
    planned,
    read_source,
)
from kpca_viewer.support.errors import Cancelled, DataError

ROWS = 50


def write(folder: Path, part: int, ending: str, *, rows: int = ROWS) -> None:
    """Write a part whose every number says which row of which part it is."""
    numbers = 1000.0 * part + np.arange(rows)
    kinds = [f"k{i % 2}" for i in range(rows)]
    path = folder / f"p{part}.{ending}"
    if ending == "parquet":
        table = pa.table({"a": numbers, "b": -numbers, "kind": kinds})
        pq.write_table(table, path, row_group_size=20)
    elif ending == "npy":
        np.save(path, np.column_stack((numbers, -numbers)))
    else:
        lines = [f"{a:g},{-a:g},{kind}" for a, kind in zip(numbers, kinds, strict=True)]
        path.write_text("\n".join(["a,b,kind", *lines]) + "\n")


def drawn(folder: Path, sample: int = 60, seed: int = 0, **changes):
    options = ReadOptions(parts=(), sample=sample, seed=seed, **changes)
    return sampled_parts(folder, options)


@pytest.mark.parametrize(
    "endings", [("parquet",), ("csv",), ("npy",), ("csv", "parquet")]
)
def test_rows_keep_their_values_part_and_number(tmp_path, endings):
    for part in range(1, 5):
        write(tmp_path, part, endings[part % len(endings)])
    table = drawn(tmp_path)
    assert (table.n, table.sampled_from) == (60, 4 * ROWS)
    first = table.columns[0].values
    parts = [int(name[1]) for name in table.column("part").values]
    numbers = table.column("row of part").values
    assert np.array_equal(first, 1000 * np.array(parts) + numbers - 1)
    # In the order of the parts, numbered through.
    assert np.array_equal(table.row_numbers, ROWS * (np.array(parts) - 1) + numbers)
    assert (np.diff(table.row_numbers) > 0).all()
    assert np.array_equal(table.columns[1].values, -first)
    assert table.row_title(0) == f"row {int(numbers[0])} of p{parts[0]}.{endings[-1]}"


def test_the_same_seed_draws_the_same_rows(tmp_path):
    for part in range(1, 4):
        write(tmp_path, part, "parquet")
    first, again, other = drawn(tmp_path), drawn(tmp_path), drawn(tmp_path, seed=1)
    assert np.array_equal(first.row_numbers, again.row_numbers)
    assert first.content_hash == again.content_hash
    assert not np.array_equal(first.row_numbers, other.row_numbers)
    assert first.content_hash != other.content_hash


@pytest.mark.journey
def test_every_row_is_as_likely_as_any_other(tmp_path):
    # Parts of unequal length: a fixed number of rows a part would show. How many rows
    # there are is known of one before it is read, and not of the other.
    write(tmp_path, 1, "parquet", rows=20)
    write(tmp_path, 2, "csv", rows=100)
    draws, size, total = 40, 30, 120
    counts = np.zeros(total)
    for seed in range(draws):
        counts[drawn(tmp_path, size, seed).row_numbers - 1] += 1
    share = size / total
    assert counts.sum() == draws * size
    expected, spread = draws * share, np.sqrt(draws * share * (1 - share))
    # Five standard deviations for one of 120 rows, four for a part of 20.
    assert np.abs(counts - expected).max() < 5 * spread
    of_part = counts[:20].sum()
    assert abs(of_part - 20 * expected) < 4 * spread * np.sqrt(20)


def test_a_larger_sample_holds_the_smaller_one(tmp_path):
    for part in range(1, 9):
        write(tmp_path, part, "csv")
    few = drawn(tmp_path, 10)
    more = drawn(tmp_path, 40)
    assert set(few.row_numbers) < set(more.row_numbers)


def test_few_rows_are_taken_whole(tmp_path):
    write(tmp_path, 1, "csv")
    write(tmp_path, 2, "csv")
    table = drawn(tmp_path, 1000)
    assert table.n == 2 * ROWS
    assert table.sampled_from is None
    assert table.row_numbers is None
    assert converted(table, guess_import(table)).rows_words == "100 rows"


def test_wide_rows_are_fewer(tmp_path, monkeypatch):
    monkeypatch.setattr(pieces, "MOST_VALUES", 60)
    write(tmp_path, 1, "parquet")
    write(tmp_path, 2, "csv")
    assert drawn(tmp_path, 90).n == 20  # of three columns


def test_where_rows_are_is_no_measurement(tmp_path):
    write(tmp_path, 1, "parquet")
    write(tmp_path, 2, "parquet")
    table = drawn(tmp_path)
    importing = guess_import(table)
    assert importing.columns("feature") == ("a", "b")
    assert importing.columns("label") == ("kind",)
    data = converted(table, importing)
    assert list(data.columns) == ["part", "row of part"]
    assert data.rows_words == "60 of 100 rows, drawn at random"
    assert data.row_number(7) == table.row_numbers[7]


def test_columns_that_are_called_part_stay(tmp_path):
    for part in (1, 2):
        lines = [f"{part},{i},{i * i}" for i in range(9)]
        (tmp_path / f"p{part}.csv").write_text("\n".join(["part,x,y", *lines]))
    table = drawn(tmp_path)
    assert table.names == ("part", "x", "y", "part_", "row of part")
    assert table.column("part").values.tolist() == [1] * 9 + [2] * 9


def test_one_file_has_no_part(tmp_path, monkeypatch):
    write(tmp_path, 1, "parquet")
    path = tmp_path / "p1.parquet"
    monkeypatch.setattr(pieces, "COPIES", 1 << 60)
    where, options = planned(path, ReadOptions(sample=30))
    table = read_source(where, options=options)
    assert (where, table.path, options.parts) == (path, path, ())
    assert (table.n, table.sampled_from, table.places) == (30, ROWS, ())
    assert np.array_equal(table.columns[0].values, 999 + table.row_numbers)
    assert table.row_title(3) == f"row {table.row_numbers[3]}"


def test_words_in_one_part_are_words_in_all(tmp_path):
    write(tmp_path, 1, "csv")
    (tmp_path / "p2.csv").write_text("a,b,kind\n1,2,k0\nbroken,4,k1\n5,6,k0\n")
    column = drawn(tmp_path, 100).column("a")
    assert column.kind == "text"
    assert column.values[-3:].tolist() == ["1", "broken", "5"]
    # Most of its cells are numbers: the sheet offers to treat the odd one as missing.
    assert np.isnan(column.numbers[-2])
    assert column.numbers[-1] == 5
    table = drawn(tmp_path, 100)
    with pytest.raises(DataError, match=r"Row 2 of p2\.csv, column “a”"):
        converted(table, guess_import(table))


def test_a_mark_in_question_is_asked_about_once(tmp_path):
    for part in (1, 2):
        lines = [f'"{i},234";{i}' for i in range(1, 9)]
        (tmp_path / f"p{part}.csv").write_text("\n".join(["a;b", *lines]))
    table = drawn(tmp_path)
    (question,) = table.questions
    other = table.answered(question.mark, thousands=not question.thousands)
    one, two = (t.column("a").values for t in (table, other))
    assert sorted(
        {round(max(x / y, y / x)) for x, y in zip(one, two, strict=True)}
    ) == [1000]
    again = read_source(tmp_path, options=other.options)
    assert np.array_equal(again.column("a").values, two)


# What is wrong, or passed over


def test_an_empty_part_is_passed_over_and_said(tmp_path):
    write(tmp_path, 1, "csv")
    (tmp_path / "p2.csv").write_text("a,b,kind\n")
    write(tmp_path, 3, "csv")
    table = drawn(tmp_path)
    assert table.sampled_from == 2 * ROWS
    assert "passed over, without rows: “part 2 (p2.csv)”" in table.notes


def test_another_column_is_said_and_a_missing_one_refused(tmp_path):
    write(tmp_path, 1, "csv")
    (tmp_path / "p2.csv").write_text("a,b,kind,more\n1,2,k0,3\n2,3,k1,4\n")
    assert "not in all parts, left out: “more”" in drawn(tmp_path, 100).notes
    (tmp_path / "p3.csv").write_text("a,c,kind\n1,2,k0\n2,3,k1\n")
    with pytest.raises(DataError, match=r"Part 3 \(p3\.csv\) lacks the column “b”"):
        drawn(tmp_path, 100)


def test_a_damaged_part_is_named(tmp_path):
    write(tmp_path, 1, "csv")
    (tmp_path / "p2.parquet").write_bytes(b"PAR1" + bytes(100) + b"PAR1")
    with pytest.raises(DataError, match=r"p2\.parquet"):
        drawn(tmp_path)


def test_no_readable_file_is_one_sentence(tmp_path):
    with pytest.raises(DataError, match="holds no file that can be read"):
        drawn(tmp_path)


def test_it_stops_when_nobody_wants_it(tmp_path):
    for part in (1, 2, 3):
        write(tmp_path, part, "csv")
    told: list[str] = []

    def tell(stage: str, _fraction: float | None) -> None:
        told.append(stage)

    def stop() -> bool:
        return any("p2.csv" in stage for stage in told)

    with pytest.raises(Cancelled):
        sampled_parts(tmp_path, ReadOptions(parts=()), stop, tell)
    assert told[-1] == "reading part 2 (p2.csv)"


# Where a table is


def test_a_pattern_names_parts_below_a_folder(tmp_path):
    for part in (1, 2, 3):
        write(tmp_path, part, "csv")
    folder, options = located(tmp_path / "p[12].csv", ReadOptions())
    assert (folder, options.parts) == (tmp_path, ("p[12].csv",))
    table = read_source(folder, options=options)
    assert set(table.column("part").values) == {"p1.csv", "p2.csv"}
    folder, options = of_several([tmp_path / "p1.csv", tmp_path / "p3.csv"])
    assert (folder, options.parts) == (tmp_path, ("p1.csv", "p3.csv"))
    other = read_source(folder, options=options)
    assert set(other.column("part").values) == {"p1.csv", "p3.csv"}
    assert table.key != other.key


def test_a_released_sample_is_read_again_alike(tmp_path):
    write(tmp_path, 1, "parquet")
    write(tmp_path, 2, "csv")
    table = drawn(tmp_path)
    back = EvictedTable.of(table).read()
    assert back.key == table.key
    assert back.content_hash == table.content_hash


def test_names_of_one_part_are_names_of_all(tmp_path):
    names = "class,400,418,436\n"
    rows = [f"{'ab'[k % 2]},{k % 7},{k * k % 5},{k % 3}.5\n" for k in range(40)]
    (tmp_path / "p1.csv").write_text(f"A title\n{names}" + "".join(rows[:39]))
    (tmp_path / "p2.csv").write_text(names + rows[39])
    table = drawn(tmp_path)
    assert table.measured[1].name == "400"
    assert table.n == 40
    # So that the blocks of all rows are read alike.
    assert table.options.header is True
    with pytest.raises(DataError, match="cannot be transposed"):
        drawn(tmp_path, transpose=True)
