"""Files that are small, and would take a minute or gigabytes if they were believed."""

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kpca_viewer.resources import asset
from tests.data.files.mutations import mutate, mutate_member

Content = Callable[[], bytes]


def npy(shape: tuple[int, ...], descr: object = "<f8", body: bytes = b"") -> bytes:
    """Return an NPY file that declares a shape."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": descr, "fortran_order": False, "shape": shape}
    )
    return header.getvalue() + body


def sparse(**changes: np.ndarray) -> bytes:
    """Return a sparse matrix of SciPy, 3 × 4, with other arrays in it."""
    arrays = {
        "indices": np.array([0, 3]),
        "indptr": np.array([0, 1, 2, 2]),
        "format": np.array(b"csr"),
        "shape": np.array([3, 4]),
        "data": np.array([1.0, 2.0]),
    }
    target = io.BytesIO()
    np.savez(target, **{**arrays, **changes})
    return target.getvalue()


def packed(members: dict[str, bytes]) -> bytes:
    """Return a zip archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def workbook(sheet: str, strings: str = "", count: int = 1, styles: str = "") -> bytes:
    """Return a workbook whose sheet holds given rows."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    sheets = "".join(
        f'<sheet name="s{k}" sheetId="{k}" r:id="rId1"/>' for k in range(1, count + 1)
    )
    members = {
        "[Content_Types].xml": (
            f'<Types xmlns="{package}/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            '<Override PartName="/xl/workbook.xml" '
            f'ContentType="{kinds}.sheet.main+xml"/>'
            '<Override PartName="/xl/worksheets/sheet1.xml" '
            f'ContentType="{kinds}.worksheet+xml"/>'
            '<Override PartName="/xl/sharedStrings.xml" '
            f'ContentType="{kinds}.sharedStrings+xml"/></Types>'
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="rId1" Type="{office}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{sheets}</sheets>'
            "</workbook>"
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<Relationships xmlns="{package}/relationships">'
            f'<Relationship Id="rId1" Type="{office}/worksheet" '
            'Target="worksheets/sheet1.xml"/>'
            f'<Relationship Id="rId2" Type="{office}/sharedStrings" '
            'Target="sharedStrings.xml"/></Relationships>'
        ),
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
        "xl/worksheets/sheet1.xml": (
            f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>'
        ),
    }
    if styles:
        members["xl/styles.xml"] = f'<styleSheet xmlns="{main}">{styles}</styleSheet>'
    return packed({name: text.encode() for name, text in members.items()})


def mat(shape: tuple[int, int], kind: int, code: int, body: bytes) -> bytes:
    """Return a MATLAB file with one packed variable X."""

    def element(number: int, data: bytes) -> bytes:
        padding = b"\0" * (-len(data) % 8)
        return np.array([number, len(data)], "<u4").tobytes() + data + padding

    parts = element(6, np.array([kind, 0], "<u4").tobytes())
    parts += element(5, np.array(shape, "<i4").tobytes())
    parts += element(1, b"X") + element(code, body)
    whole = zlib.compress(np.array([14, len(parts)], "<u4").tobytes() + parts, 9)
    head = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"
    return head + np.array([15, len(whole)], "<u4").tobytes() + whole


def ods(cell: str, row: str = "") -> bytes:
    """Return the sample of LibreOffice with another first cell."""
    source = zipfile.ZipFile(asset("data", "flowers.ods"))
    members = {name: source.read(name) for name in source.namelist()}
    start, mark, rest = members["content.xml"].partition(b"<table:table-row")
    content = f'<table:table-row {row}><table:table-cell {cell} office:value="1"/>'
    end = b"</table:table-row>"
    members["content.xml"] = start + content.encode() + end + mark + rest
    return packed(members)


def xls(old: bytes, new: bytes) -> bytes:
    """Return the old workbook of LibreOffice with some bytes of it exchanged."""
    content = asset("data", "flowers.xls").read_bytes()
    place = content.index(old)
    return content[:place] + new + content[place + len(new) :]


def looped_xls() -> bytes:
    """Return the old workbook with sectors that follow themselves."""
    content = asset("data", "flowers.xls").read_bytes()
    place = 512 * (1 + int.from_bytes(content[76:80], "little"))
    sectors = np.arange(128, dtype="<u4").tobytes()
    return content[:place] + sectors + content[place + 512 :]


def hdf5(write: Callable[..., object]) -> bytes:
    """Return an HDF5 file that a function has written into."""
    import h5py

    target = io.BytesIO()
    with h5py.File(target, "w") as file:
        write(file)
    return target.getvalue()


def _shape(file: Any) -> None:
    file.create_dataset("X", (10**9, 10**6), chunks=(100, 100), dtype="f8")


def _links(file: Any) -> None:
    import h5py

    file["X"] = h5py.ExternalLink("/etc/passwd", "/X")
    file["a"] = h5py.SoftLink("/b")
    file["b"] = h5py.SoftLink("/a")
    file.create_group("c")["again"] = file
    file.create_dataset("raw", (4, 2), "u1", external=[("/etc/passwd", 0, 8)])


def _references(file: Any) -> None:
    import h5py

    file.create_group("g")
    file["X"] = np.array([file["g"].ref] * 3, dtype=h5py.ref_dtype)


def _codes(file: Any) -> None:
    """Write AnnData whose codes have no category."""
    for name in ("obs", "var"):
        file.create_group(name)["_index"] = ["a", "b"]
    file["X"] = np.eye(2)
    file["obs"].attrs["column-order"] = ["kind"]
    file["obs/kind/codes"] = np.array([0, 99])
    file["obs/kind/categories"] = ["one"]


def _indices(file: Any) -> None:
    """Write AnnData whose sparse entries lie outside of it."""
    for name in ("obs", "var"):
        file.create_group(name)["_index"] = ["a", "b"]
    matrix = file.create_group("X")
    matrix.attrs.update({"encoding-type": "csr_matrix", "shape": np.array([2, 2])})
    matrix["data"], matrix["indices"] = np.ones(2), np.array([0, 10**8])
    matrix["indptr"] = np.array([0, 1, 2])


def xlsb(name: str, old: bytes, new: bytes) -> bytes:
    source = zipfile.ZipFile(asset("data", "flowers.xlsb"))
    members = {name: source.read(name) for name in source.namelist()}
    assert old in members[name]
    members[name] = members[name].replace(old, new, 1)
    return packed(members)


def parquet(rows: int, columns: int = 1, value: object = 0) -> bytes:
    """Return a Parquet file of one value, again and again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    block = 1_000_000
    target = io.BytesIO()
    part = pa.array([value]).take(pa.array(np.zeros(min(rows, block), np.int8)))
    table = pa.table({f"c{k}": part for k in range(columns)})
    with pq.ParquetWriter(target, table.schema, compression="zstd") as writer:
        for _ in range(max(rows // block, 1)):
            writer.write_table(table, row_group_size=block)
    return target.getvalue()


def selection(rows: int) -> dict[str, object]:
    """Return a selection of the first of very many rows."""
    bits = zlib.compressobj(9)
    size, step = -(-rows // 8), 1 << 24
    content = b"".join(
        bits.compress(bytes(min(step, size - start))) for start in range(0, size, step)
    )
    text = base64.b64encode(content + bits.flush()).decode()
    return {"rows": rows, "bits": text}


ROW = '<row r="{0}"><c r="A{0}"><v>1</v></c><c r="XFD{0}"><v>2</v></c></row>'
ARFF = "@relation a\n@attribute x numeric\n@attribute y numeric\n@data\n"

REFUSED: dict[str, Content] = {
    "zero_width.npy": lambda: npy((10**9,), "<U0"),
    "zero_width_bytes.npy": lambda: npy((10**8, 10), "|S0"),
    "zero_width_records.npy": lambda: npy((10**9,), [("a", "<U0"), ("b", "<U0")]),
    "many.npz": lambda: packed(
        {f"a{k}.npy": npy((1,), body=bytes(8)) for k in range(2_500)}
    ),
    "zeros.npz": lambda: packed(
        {"X.npy": npy((10, 1_000_000), "|i1", bytes(10_000_000))}
    ),
    "strings.xlsx": lambda: workbook(ROW.format(1), "<si><t>a</t></si>" * 500_000),
    "long_strings.xlsx": lambda: workbook(
        ROW.format(1), f"<si><t>{'a' * 8_000_000}</t></si>"
    ),
    "xfd.xlsx": lambda: workbook("".join(ROW.format(k) for k in range(1, 3001))),
    "corner.xlsx": lambda: workbook(ROW.format(1) + ROW.format(1_048_576)),
    "no_addresses.xlsx": lambda: workbook(
        f'<row>{"<c><v>1</v></c>" * 16_384}</row><row r="1048576"/>'
    ),
    "styles.xlsx": lambda: workbook(
        ROW.format(1), styles="<cellXfs>" + "<xf/>" * 400_000 + "</cellXfs>"
    ),
    "sheets.xlsx": lambda: workbook("<row/>" * 1_100_000),
    "rows.ods": lambda: ods("", 'table:number-rows-repeated="999999999"'),
    "shape.h5": lambda: hdf5(_shape),
    "links.h5": lambda: hdf5(_links),
    "references.h5": lambda: hdf5(_references),
    "codes.h5ad": lambda: hdf5(_codes),
    "indices.h5ad": lambda: hdf5(_indices),
    "cut.h5ad": lambda: asset("data", "cells.h5ad").read_bytes()[:30_000],
    "zeros.h5": lambda: asset("data", "torus.h5").read_bytes()[:100] + bytes(9000),
    "dimensions.xls": lambda: xls(
        b"\x00\x02\x0e\x00", b"\x00\x02\x0e\x00\0\0\0\0\xff\xff\xff\x7f\0\0\xff\xff"
    ),
    "loop.xls": looped_xls,
    "cut.xls": lambda: asset("data", "flowers.xls").read_bytes()[:7000],
    "cut.ods": lambda: asset("data", "flowers.ods").read_bytes()[:9000],
    "strings.xlsb": lambda: xlsb(
        "xl/sharedStrings.bin", b"\x0e\0\0\0", b"\xff\xff\xff\x7f"
    ),
    "index.svm": lambda: b"1 1:1 20000000:1\n-1 2:1\n",
    "wide.svm": lambda: b"1 1:1 900000:1\n" + b"-1 2:1\n" * 1000,
    "names.json": lambda: json.dumps([{f"n{k}": k} for k in range(20_000)]).encode(),
    "names.jsonl": lambda: b"".join(b'{"n%d": 1}\n' % k for k in range(20_000)),
    "index.json": lambda: json.dumps(
        {f"c{k}": {f"r{k}": 1} for k in range(20_000)}
    ).encode(),
    "zeros.mat": lambda: mat((5, 1_000_000), 8, 1, bytes(5_000_000)),
    "doubles.mat": lambda: mat((5, 1_000_000), 6, 9, bytes(40_000_000)),
    "sparse.mat": lambda: mat((2**20, 2**20), 5, 9, b""),
    **{
        f"{name}.mtx": lambda text=text: b"%%MatrixMarket matrix " + text
        for name, text in {
            "huge": b"coordinate real general\n999999 999999 1\n1 1 1\n",
            "entries": b"coordinate real general\n9 9 999999999999\n1 1 1\n",
            "dense": b"array real general\n99999 9999\n1\n",
            "digits": b"coordinate real general\n9 9 " + b"9" * 200_000,
            "outside": b"coordinate real general\n9 9 1\n10 1 1\n",
            "negative": b"coordinate real general\n9 9 1\n-1 1 1\n",
            "words": b"coordinate real general\n9 9 1\n1 1 a\n",
            "cells": b"coordinate real general\n9 9 1\n1 1\n",
            "more": b"coordinate real general\n9 9 1\n1 1 1\n2 2 2\n",
            "fewer": b"array real general\n2 2\n1\n2\n3\n",
            "empty": b"coordinate real general\n0 0 0\n",
            "oblong": b"coordinate real symmetric\n2 3 1\n1 1 1\n",
            "complex": b"coordinate complex general\n1 1 1\n1 1 1 1\n",
            "vector": b"vector real general\n1 1\n",
            "comments": b"coordinate real general\n" + b"%\n" * 100_000,
        }.items()
    },
    **{
        f"sparse_{name}.npz": lambda changes=changes: sparse(**changes)
        for name, changes in {
            "huge": {"shape": np.array([3, 10**12])},
            "rows": {"shape": np.array([10**12, 4])},
            "three": {"shape": np.array([3, 4, 5])},
            "negative": {"shape": np.array([-3, 4])},
            "outside": {"indices": np.array([0, 99_999_999])},
            "pointers": {"indptr": np.array([0, 1, 99_999_999, 2])},
            "format": {"format": np.array(b"xyz")},
            "complex": {"data": np.array([1j, 2])},
            "objects": {"data": np.array([{}, {}], dtype=object)},
            "coo": {
                "format": np.array(b"coo"),
                "shape": np.array([10**12, 10**12]),
                "row": np.array([0, 1]),
                "col": np.array([0, 1]),
            },
        }.items()
    },
    "zeros.parquet": lambda: parquet(9_000_000),
    "sparse.arff": lambda: (
        "@relation a\n"
        + "".join(f"@attribute a{k} string\n" for k in range(20_000))
        + "@data\n"
        + "{}\n" * 20_000
    ).encode(),
    "blanks.arff": lambda: (ARFF + "{0" + " " * 300_000 + "x\n").encode(),
    "quotes.arff": lambda: (ARFF + "{0 '" + "\\'" * 100_000 + "\n").encode(),
    "attribute.arff": lambda: (
        "@relation a\n@attribute '" + "\\'" * 100_000 + "\n@data\n"
    ).encode(),
    "blank_lines.csv": lambda: b"\n" * 300_000,
    "blank_lines.arff": lambda: b" \n" * 100_000 + b"@relation\n",
    "brackets.json": lambda: b"[" * 1_000_000,
    "empty_lists.json": lambda: b"[" + b"[]," * 100_000 + b"[]]",
    "quote.csv": lambda: b'a,b\n1,2\n"' + b"3,4\n" * 100_000,
    "long_line.csv": lambda: b"a" * 2_000_000,
}
"""Files that can only be refused."""

READ: dict[str, Content] = {
    "columns.ods": lambda: ods('table:number-columns-repeated="999999999"'),
    "digits.csv": lambda: b"a,b\n" + b"1" * 20_000 + b"x,2\n3,4\n5,6\n",
    "digits_points.csv": lambda: b"a,b\n" + b"1." * 10_000 + b"x,2\n3,4\n5,6\n",
    "digits_commas.tsv": lambda: b"a\tb\n" + b"1,234" * 20_000 + b"x\t2\n3\t4\n5\t6\n",
    "number.csv": lambda: b"a,b\n" + b"1" * 100_000 + b",2\n3,4\n5,6\n",
    "blank_lines.csv": lambda: b"a,b\n1,2\n" + b"\n" * 100_000 + b"3,4\n5,7\n",
    "comments.csv": lambda: (
        b"a,b\n1,2\n# no\n" + b"1,2\n" * 250 + b"# no\n" * 100_000 + b"3,4\n"
    ),
    "entry.arff": lambda: (
        ARFF + "{0" + " " * 200_000 + "1, 1 2}\n{0 2" + " " * 200_000 + "}\n"
    ).encode(),
    "wide.csv": lambda: b"\n".join([b"1," * 9_999 + b"%d" % k for k in range(12)]),
    "comments.mtx": lambda: (
        b"%%MatrixMarket matrix array real general\n"
        + b"%\n" * 50_000
        + b"2 2\n"
        + b"1\n%\n2\n\n3\n4\n"
    ),
    "labels.svm": lambda: b"1\n" * 50_000 + b"1 1:1 2:1\n",
}
"""Files that are odd, but tables."""


PIECES = (
    *("1", "1.", "1,", ",", ";", "\t", " ", '"', "'", "\n", "\r", "a", "e", "-", "0"),
    *("{", "}", "[", "]", "(", ")", "1:", ":", "\\", "\\'", "#", "%", "@data\n"),
    *("1,234", "nan", "\u00e9", "\ufeff", "_", "@attribute a numeric\n", '{"a":1},'),
    *("<kpca:session>", "<svg>", "[1,", "{0 1}\n", "1 1:1\n", "a,b\n", "1,2\n", "\0"),
)


def pieces(random: np.random.Generator) -> bytes:
    """Return text in which little comes again and again: patterns lose their way."""
    parts = []
    for _ in range(int(random.integers(1, 6))):
        piece = PIECES[int(random.integers(len(PIECES)))]
        if random.random() < 0.3:
            piece += PIECES[int(random.integers(len(PIECES)))]
        parts.append(piece * int(10 ** random.uniform(0, 5)))
    return "".join(parts).encode()[: 1 << 20]


def _array(random: np.random.Generator) -> bytes:
    shape = tuple(
        int(10 ** random.uniform(0, 9)) for _ in range(int(random.integers(0, 4)))
    )
    kinds = ("<f8", "|i1", "<U0", "<U1", "|S0", "|S3", "<u8", "<c16", "<M8[s]", "|b1")
    descr: object = kinds[int(random.integers(len(kinds)))]
    if random.random() < 0.2:
        descr = [("a", descr), ("b", kinds[int(random.integers(len(kinds)))])]
    size = int(np.prod(shape, dtype=float) * np.dtype(descr).itemsize)  # type: ignore[arg-type]
    return npy(shape, descr, bytes(min(size, int(10 ** random.uniform(0, 7)))))


def _cells(random: np.random.Generator) -> bytes:
    rows = "".join(
        ROW.replace("XFD", ["B", "Z", "AAA", "XFD"][int(random.integers(4))]).format(k)
        for k in np.cumsum(random.integers(1, 10 ** int(random.integers(1, 5)), 20))
    )
    strings = "<si><t>x</t></si>" * int(10 ** random.uniform(0, 5.5))
    return workbook(rows, strings, int(random.integers(1, 30)))


def _records(random: np.random.Generator) -> bytes:
    names = int(10 ** random.uniform(0, 4))
    count = int(10 ** random.uniform(0, 4))
    keys = random.integers(0, names, count)
    records: list[dict[str, object]] = [
        {f"k{key}": ["x", 1, None, [], 2**60][key % 5]} for key in keys
    ]
    if random.random() < 0.3:
        return b"\n".join(json.dumps(record).encode() for record in records)
    return json.dumps(records).encode()


def _sparse(random: np.random.Generator) -> bytes:
    indices = 10 ** random.uniform(0, 9, (50, 3))
    lines = (" ".join(f"{int(k)}:1" for k in sorted(row)) for row in indices)
    return "\n".join(f"{k} {line}" for k, line in enumerate(lines)).encode()


def _session(random: np.random.Generator) -> bytes:
    from kpca_viewer.engine.document.format import to_bytes
    from kpca_viewer.engine.document.model import Document
    from kpca_viewer.engine.settings import SessionSettings

    content = json.loads(to_bytes(Document(SessionSettings())))
    rows = int(10 ** random.uniform(0, 8.5))
    if random.random() < 0.5:
        content["selection"] = selection(rows)
    if random.random() < 0.5:
        paths = ("/proc/kcore", "/proc/self/mem", "/proc/kmsg", "/dev/zero", "/sys/x")
        path = paths[int(random.integers(len(paths)))]
        content["data"] = {"kind": "file", "absolute": path}
    if random.random() < 0.3:
        content["row_names"] = {str(k): "x" for k in range(int(rows**0.5))}
    return json.dumps(content).encode()


def hostile(seed: int) -> tuple[str, bytes]:
    """Return the name and the content of a hostile file, the same for every seed."""
    random = np.random.default_rng(seed)
    text = ("csv", "tsv", "txt", "json", "jsonl", "arff", "svm", "svg", "pdf", "kpca")
    match int(random.integers(9)):
        case 0:
            return f"{seed}.npy", _array(random)
        case 1:
            arrays = int(random.integers(1, 20))
            members = {f"a{k}.npy": _array(random) for k in range(arrays)}
            return f"{seed}.npz", packed(members)
        case 2:
            return f"{seed}.xlsx", _cells(random)
        case 3:
            return f"{seed}.json", _records(random)
        case 4:
            return f"{seed}.svm", _sparse(random)
        case 5:
            return f"{seed}.kpca", _session(random)
    ending = text[int(random.integers(len(text)))]
    start = {"arff": ARFF, "svg": "<svg><kpca:session>", "pdf": "%PDF"}.get(ending, "")
    return f"{seed}.{ending}", start.encode() + pieces(random)


def hostile_files(count: int, seed: int = 0) -> Iterator[tuple[str, bytes]]:
    """Yield every trap, then so many files: half of them damaged, half made up."""
    yield from ((name, make()) for name, make in (REFUSED | READ).items())
    yield "tags.svg", b"<svg>" + b"<kpca:session>" * 20_000
    yield "tags.pdf", b"%PDF" + b"<kpca:session " * 20_000
    originals = [
        (path.name, path.read_bytes())
        for path in sorted(asset("data").iterdir())
        if path.is_file() and path.suffix != ".md"
    ]
    for k in range(count):
        if k % 2:
            yield hostile(seed + k)
            continue
        name, content = originals[k // 2 % len(originals)]
        inside = name.endswith((".xlsx", ".npz")) and k % 4
        damage = mutate_member if inside else mutate
        yield f"{seed + k}-{name}", damage(content, seed + k)
