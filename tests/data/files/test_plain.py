"""Large plain tables: the fast way gives what the careful one gives."""

from pathlib import Path

import numpy as np
import pytest

from kpca_viewer.data.files import ReadOptions, plain, read_table
from kpca_viewer.data.table import Table
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import Cancelled, DataError
from tests.data.files.traps import READ, REFUSED, hostile

ODD = (
    *("", "NA", "-", "?", "nan", "NaN", "null", " 3", "3 ", "\t6", "+4", ".5", "5."),
    *("1e-400", "1e400", "inf", "-Infinity", "nan(1)", "0x10", "1_000", "1d5", "- "),
    *("1.234", "1,234", '"7"', '"1,5"', 'a"b', "word", "#1", "١", "\0", "\xff"),
    *("9007199254740992", "9007199254740993", "1e16", "-0", "1e5", "1E-3", "--1"),
)
"""Cells that readers understand in different ways, if at all."""


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(plain, "PIECE", 256)


AS_GUESSED = ReadOptions()


def outcome(path: Path, least: int, monkeypatch, options: ReadOptions) -> object:
    monkeypatch.setattr(plain, "LEAST", least)
    try:
        return read_table(path, options=options)
    except DataError as error:
        return str(error)


def assert_same(path: Path, monkeypatch, options: ReadOptions = AS_GUESSED) -> None:
    fast = outcome(path, 0, monkeypatch, options)
    careful = outcome(path, 1 << 60, monkeypatch, options)
    if not isinstance(careful, Table):
        assert fast == careful
        return
    assert isinstance(fast, Table), fast
    assert fast.names == careful.names
    assert fast.notes == careful.notes
    assert fast.content_hash == careful.content_hash
    assert [str(q) for q in fast.questions] == [str(q) for q in careful.questions]
    for a, b in zip(fast.columns, careful.columns, strict=True):
        assert (a.kind, a.missing) == (b.kind, b.missing)
        assert (a.constant, a.whole, a.distinct) == (b.constant, b.whole, b.distinct)
        assert a.histogram == b.histogram
        assert a.metadata.same(b.metadata)
        np.testing.assert_array_equal(a.is_missing(), b.is_missing())
        if a.kind == "number":
            np.testing.assert_array_equal(a.values, b.values)
            np.testing.assert_array_equal(np.signbit(a.values), np.signbit(b.values))
        else:
            assert a.values.tolist() == b.values.tolist()
            assert a.exact == b.exact
            assert (a.numbers is None) == (b.numbers is None)
            if a.numbers is not None:
                np.testing.assert_array_equal(a.numbers, b.numbers)


WORDS = ("red", "green", " blue", "red ", "", "NA", "3", "1.5", "5 kg", "2024-05-31")


def random_table(seed: int) -> bytes:
    """Return a text table of numbers with at most a few odd things in it."""
    random = np.random.default_rng(seed)
    width, rows = int(random.integers(1, 6)), int(random.integers(1, 120))
    delimiter = str(random.choice([",", ";", "\t", "|", " "]))
    end = str(random.choice(["\n", "\r\n"]))
    cells = [
        [f"{value:.{random.integers(0, 17)}g}" for value in row]
        for row in random.normal(scale=1e3, size=(rows, width))
    ]
    for j in np.flatnonzero(random.random(width) < 0.4):
        # Words from some row on; above it they may be gaps or numbers.
        first = random.choice([0, 0, int(random.integers(rows))])
        for row in cells[first:]:
            row[j] = str(random.choice(WORDS))
    for _ in range(int(random.integers(0, 3))):
        cells[random.integers(rows)][random.integers(width)] = str(random.choice(ODD))
    if random.random() < 0.1:
        cells[random.integers(rows)].append("8")
    lines = [delimiter.join(row) for row in cells]
    if random.random() < 0.7:
        lines.insert(0, delimiter.join(f"name {j}" for j in range(width)))
    if random.random() < 0.2:
        lines.insert(int(random.integers(len(lines))), str(random.choice(["", "  "])))
    text = end.join(lines) + (end if random.random() < 0.8 else "")
    if random.random() < 0.05:
        text = text.replace("\n", "\r", 1)
    mark = b"\xef\xbb\xbf" if random.random() < 0.1 else b""
    return mark + text.encode("latin-1" if "\xff" in text else "utf-8", "replace")


@pytest.mark.parametrize("start", [0, 70])
def test_random_tables(tmp_path, monkeypatch, small_pieces, start):
    for seed in range(start, start + 70):
        path = tmp_path / f"{seed}.csv"
        path.write_bytes(random_table(seed))
        assert_same(path, monkeypatch)


@pytest.mark.parametrize("cell", ODD)
def test_one_odd_cell_far_below(tmp_path, monkeypatch, small_pieces, cell):
    rows = [f"{i}.5,{i / 7:.6f},{-i}" for i in range(100)]
    rows[80] = f"1.5,{cell},2"
    path = tmp_path / "odd.csv"
    path.write_text("a,b,c\n" + "\n".join(rows), encoding="utf-8")
    assert_same(path, monkeypatch)


TEXTS = (".csv", ".tsv", ".txt", ".dat")
"""Other files never come this way."""


# “wide.csv” has more columns than are read in this way.
TRAPS = [n for n in READ | REFUSED if n.endswith(TEXTS) and n != "wide.csv"]


@pytest.mark.parametrize("name", TRAPS)
def test_traps(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_bytes({**READ, **REFUSED}[name]())
    assert_same(path, monkeypatch)


def test_hostile_files(tmp_path, monkeypatch):
    texts = 0
    for seed in range(80):
        name, content = hostile(seed)
        if name.endswith(TEXTS):
            path = tmp_path / name
            path.write_bytes(content)
            assert_same(path, monkeypatch)
            texts += 1
    assert texts


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(asset("data").iterdir()) if p.suffix in (".csv", ".tsv")],
    ids=lambda path: path.name,
)
def test_samples(monkeypatch, small_pieces, path):
    assert_same(path, monkeypatch)


@pytest.mark.parametrize(
    "options",
    [
        ReadOptions(sample=20, seed=3),
        ReadOptions(max_rows=50),
        ReadOptions(na_values=("7",)),
        ReadOptions(header=False),
        ReadOptions(decimal=","),
        ReadOptions(decimals=(("a", ","),)),
        ReadOptions(delimiter=";"),
    ],
    ids=str,
)
def test_what_a_person_says(tmp_path, monkeypatch, small_pieces, options):
    path = tmp_path / "table.csv"
    lines = "".join(f"{i},{i % 9},{i * 1.25}\n" for i in range(200))
    path.write_text("a,b,c\n" + lines, encoding="utf-8")
    assert_same(path, monkeypatch, options)


@pytest.mark.parametrize(
    "head",
    [
        "a,b\n",
        '"a","b"\r\n',
        "\n\na,b\n",
        '"first\nline",b\n',
        "sep=,\na,b\n",
        ",,\na,b\n",
    ],
)
def test_headers(tmp_path, monkeypatch, small_pieces, head):
    path = tmp_path / "table.csv"
    path.write_text(head + "1.5,2\n3,4.25\n" * 60, encoding="utf-8", newline="")
    assert_same(path, monkeypatch)


def test_points_in_doubt_beside_a_gap(tmp_path, monkeypatch, small_pieces):
    path = tmp_path / "table.csv"
    # Semicolons, and a comma in the header: the points may divide thousands.
    rows = ["1.234;2.5;3", ";2.5;3", *["2.345;2.5;3"] * 90]
    path.write_text("a;1,5;c\n" + "\n".join(rows), encoding="utf-8")
    assert_same(path, monkeypatch)


@pytest.mark.parametrize("blank", ["\n", "\r\n", " \n", "\t\n"])
def test_blank_lines_for_a_whole_piece(tmp_path, monkeypatch, small_pieces, blank):
    path = tmp_path / "table.tsv"
    text = "a\tb\n" + "1.5\t2\n" * 99 + blank * 700 + "3\t4\n" * 99
    path.write_text(text, encoding="utf-8", newline="")
    assert_same(path, monkeypatch)


class Watched:
    """Counts the steps of reading and stops at one of them."""

    def __init__(self, last: int) -> None:
        self.fractions: list[float] = []
        self._last = last

    def progress(self, stage: str, fraction: float | None) -> None:
        if stage == "reading" and fraction is not None:
            self.fractions.append(fraction)

    def should_stop(self) -> bool:
        return len(self.fractions) >= self._last


def test_progress_and_cancelling_between_pieces(tmp_path, monkeypatch, small_pieces):
    monkeypatch.setattr(plain, "LEAST", 0)
    path = tmp_path / "table.csv"
    path.write_text("a,b\n" + "1.5,2\n3,4.25\n" * 1000, encoding="utf-8")
    through = Watched(1 << 60)
    read_table(path, progress=through.progress)
    # One step for each piece, and the last one: the careful way makes far fewer.
    assert len(through.fractions) > path.stat().st_size / 256
    assert through.fractions == sorted(through.fractions)
    stopped = Watched(5)
    with pytest.raises(Cancelled):
        read_table(path, progress=stopped.progress, should_stop=stopped.should_stop)
    assert len(stopped.fractions) == 5
