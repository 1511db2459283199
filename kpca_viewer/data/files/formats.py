"""The formats: what they are called and how their content is recognised."""

from dataclasses import dataclass
from pathlib import Path

from kpca_viewer.data.files.delimited import guess_encoding
from kpca_viewer.data.files.numpy_files import members
from kpca_viewer.data.files.sparse_text import MAGIC, is_sample
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.plugins import plugins

HEAD = 1 << 16
"""Bytes by which a format is recognised."""


@dataclass(frozen=True)
class Format:
    """A format for the open dialog and for messages."""

    key: str
    title: str
    extensions: tuple[str, ...]


PLUGINS = dict(plugins("kpca_viewer.readers"))
"""Readers of other packages by the ending of their files: path → columns by name."""

FORMATS = (
    Format("delimited", "Text table", ("csv", "tsv", "txt", "tab", "dat", "data")),
    Format("excel", "Excel", ("xlsx", "xlsm")),
    Format("workbook", "Workbook", ("xls", "xlsb", "ods")),
    Format("parquet", "Parquet", ("parquet", "pq")),
    Format("json", "JSON", ("json",)),
    Format("jsonl", "JSON lines", ("jsonl", "ndjson")),
    Format("npy", "NumPy array", ("npy",)),
    Format("npz", "NumPy arrays", ("npz",)),
    Format("matlab", "MATLAB", ("mat",)),
    Format("hdf5", "HDF5", ("h5ad", "h5", "hdf5", "he5")),
    Format("arff", "ARFF", ("arff",)),
    Format("svmlight", "SVMLight", ("svm", "svmlight", "libsvm")),
    Format("mtx", "Matrix Market", ("mtx",)),
    *(Format(f"plug-in {ending}", f"{ending} file", (ending,)) for ending in PLUGINS),
)
"""Every format that can be read, in the order of the open dialog."""

BY_KEY = {row.key: row for row in FORMATS}
BY_EXTENSION = {ending: row for row in FORMATS for ending in row.extensions}

_MAGIC = (
    (b"PAR1", "parquet"),
    (b"\x93NUMPY", "npy"),
    (b"MATLAB 7.3", "hdf5"),
    (b"MATLAB 5.0", "matlab"),
    (b"\x89HDF\r\n\x1a\n", "hdf5"),
    (MAGIC, "mtx"),
    (b"\xd0\xcf\x11\xe0", "workbook"),
)

_REFUSED = (
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"BZh", "compressed with bzip2; unpack it first"),
    (b"\xfd7zXZ", "compressed with xz; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; unpack it first"),
    (b"7z\xbc\xaf", "a 7-Zip archive; unpack it first"),
    (b"Rar!", "a RAR archive; unpack it first"),
    (b"%PDF", "a PDF document; export the table as CSV"),
    (b"\x89PNG", "a picture; open a table of numbers"),
    (b"\xff\xd8\xff", "a picture; open a table of numbers"),
    (b"GIF8", "a picture; open a table of numbers"),
    (b"SQLite format 3", "a database; export the table as CSV"),
    (b"ARROW1", "a Feather file; save it as Parquet"),
    (b"FEA1", "a Feather file of before 2020; save it as Parquet"),
    (b"<!DOCTYPE", "a web page; download the table itself"),
    (b"<html", "a web page; download the table itself"),
    (b"{\\rtf", "a text document; export the table as CSV"),
    (b"\x80\x03", "pickled Python objects, which are never opened; save plain numbers"),
    (b"\x80\x04", "pickled Python objects, which are never opened; save plain numbers"),
    (b"\x80\x05", "pickled Python objects, which are never opened; save plain numbers"),
)


def recognise(path: Path, head: bytes) -> str:
    """Return the key of a file's format, from its content before its name."""
    title = f"“{path.name}”"
    if not head:
        raise DataError(f"{title} is empty; choose a file that holds a table.")
    if (ending := path.suffix.lower().lstrip(".")) in PLUGINS:
        return f"plug-in {ending}"
    for magic, key in _MAGIC:
        if head.startswith(magic):
            return key
    for magic, what in _REFUSED:
        if head.startswith(magic):
            raise DataError(f"{title} is {what}.")
    named = BY_EXTENSION.get(path.suffix.lower().lstrip("."))
    if head.startswith(b"PK"):
        return _zip_format(path, named)
    if b"\0" in head and not guess_encoding(head).startswith("utf-16"):
        if named is not None and named.key == "matlab":
            return "matlab"  # version 4 begins with numbers, not with a word
        called = f"named as {named.title}, but it holds" if named else "no table but"
        raise DataError(
            f"{title} is {called} binary data of an unknown kind; export it as CSV "
            "from the program that wrote it."
        )
    return _text_format(head, named)


def _zip_format(path: Path, named: Format | None) -> str:
    names = members(path)
    if "xl/workbook.bin" in names or {"mimetype", "content.xml"} <= set(names):
        return "workbook"
    if any(name.startswith("xl/") for name in names):
        return "excel"
    if names and all(name.endswith(".npy") for name in names):
        return "npz"
    if not names and named is not None and named.key in ("excel", "workbook", "npz"):
        return named.key  # cut short: its reader says so
    what = "an archive without a table" if names else "a damaged archive"
    raise DataError(
        f"“{path.name}” is {what}; unpack it and open the table inside, or get it "
        "again."
    )


def _text_format(head: bytes, named: Format | None) -> str:
    encoding = guess_encoding(head)
    if encoding.startswith("utf-16"):
        return "delimited"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    lines = text.splitlines()
    if any(_declares(line) for line in lines):
        return "arff"
    if text[:1] in (b"[", b"{"):
        first = lines[0].rstrip()
        several = len(lines) > 1 and first[:1] + first[-1:] == b"{}"
        return "jsonl" if several or _named(named, "jsonl") else "json"
    data = [line for line in lines if line.strip() and not line.startswith(b"#")]
    complete = data[:-1] if len(head) == HEAD and len(data) > 1 else data
    entries = [is_sample(line) for line in complete[:5]]
    # One pair a line may be anything, a score or a ratio: its name has to say so.
    if entries and min(entries) > 0 and (max(entries) > 1 or _named(named, "svmlight")):
        return "svmlight"
    if named is not None and named.key in ("json", "jsonl", "arff", "svmlight"):
        return named.key
    return "delimited"


def _declares(line: bytes) -> bool:
    """Whether a line belongs to the header of an ARFF file."""
    word = line.strip()[:11].lower()
    return word.startswith((b"@relation", b"@attribute")) and (
        len(word.split(None, 1)[0]) in (9, 10)
    )


def _named(named: Format | None, key: str) -> bool:
    return named is not None and named.key == key
