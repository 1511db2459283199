"""How many cells a sheet asks for: counted before anything is allocated."""

import pytest

from kpca_viewer.data.files.cell_counts import CellCounts


def counted(*texts: bytes) -> tuple[int, int, int, int]:
    counts = CellCounts()
    for text in texts:
        counts.add(text)
    return counts.tags, counts.rows, counts.last_row, counts.width


@pytest.mark.parametrize(
    ("text", "last_row", "last_column"),
    [
        (b'<c r="AB12"/>', 12, 28),
        (b"<c r='xfd1048576' s='1'/>", 1_048_576, 16_384),
        (b'<c\tr \n=\n "B7"/>', 7, 2),
        (b'<c r="ZZZZZZZZZ1"/>', 1, 5_646_683_826_134),
        (b'<c r="A999999999999999999"/>', 10**18 - 1, 1),
        (b'<row r="41" spans="1:20">', 41, 0),
        (b'<c x:r="C3"/>', 3, 3),
        # No addresses: too long, of another attribute, without a number.
        (b'<c r="A1234567890123456789"/>', 0, 1),
        (b'<c r="ABCDEFGHIJ1"/>', 0, 1),
        (b'<c spr="C3"/>', 0, 1),
        (b'<c r="C"/>', 0, 1),
        (b'<c r="C3', 0, 1),
        (b'<v>r="C3</v>', 0, 0),
    ],
)
def test_addresses(text, last_row, last_column):
    assert counted(text)[2] == last_row
    assert counted(text)[3] == max(last_column, text.count(b"<c"))


@pytest.mark.parametrize("prefix", [b"", b"x:", b"main.sheet-1:"])
def test_cells_without_addresses(prefix):
    rows = b"<row><c/><c><v>1</v></c></row><row/><row><c/><c/><c/></row><d/>"
    rows = rows.replace(b"</", b"</" + prefix)
    rows = rows.replace(b"<", b"<" + prefix).replace(b"<" + prefix + b"/", b"</")
    tags = rows.count(b"<")
    assert counted(rows) == (tags, 3, 0, 3)
    # A row may go on in the next piece of text.
    middle = rows.rindex(b"<", 0, rows.rindex(b"c/>"))
    assert counted(rows[:middle], rows[middle:]) == (tags, 3, 0, 3)


def test_text_without_tags():
    assert counted(b"", b"=", b" r = ", b"\x89PNG\r\n") == (0, 0, 0, 0)
