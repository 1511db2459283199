"""HDF5 files: AnnData, MATLAB 7.3, and data sets of any other program."""

import json
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.arrays import (
    FEWER,
    ArrayInfo,
    array_column,
    matrix_columns,
    read_arrays,
    words,
)
from kpca_viewer.data.files.cells import object_array
from kpca_viewer.data.files.child import run_child
from kpca_viewer.data.files.collect import SAMPLE_REMEDY
from kpca_viewer.data.files.source import Reading, foreign
from kpca_viewer.data.table import Column, free_name
from kpca_viewer.support.errors import DataError

NEEDED = 'install it with: pip install "kpca-viewer[hdf5]"'
ANNDATA = "AnnData"
_REMEDY = "write it again, or export the table as CSV"
_SPARSE = ("csr_matrix", "csc_matrix")
_NOT_MEASURED = ("obs/", "var/", "uns/", "obsp/", "varp/", "varm/", "raw/")


@dataclass
class _File:
    """What a file says about its arrays, and how they are had."""

    reading: Reading
    folder: Path
    root: dict[str, Any]
    items: dict[str, dict[str, Any]]

    def load(self, *names: str) -> list[NDArray[Any]]:
        places, missing = [], []
        for name in names:
            item = self.items.get(name, {})
            if "shape" not in item or item["kind"] not in ("text", *"fiub"):
                raise DataError(
                    f"“{name}” of {self.reading.title} holds no plain numbers or words "
                    f"of this file itself; {_REMEDY}."
                )
            width = 400 if item["kind"] == "text" else max(item["bytes"], 8)
            self.reading.require(2 * width * prod(item["shape"]), SAMPLE_REMEDY)
            if "place" not in item:
                missing.append(name)
        if missing:
            inner = self.folder / "large"
            inner.mkdir(exist_ok=True)
            _run(self.reading, inner, *missing)
        for name in names:
            place = self.items[name].get("place")
            path = self.folder / f"{place}.npy"
            if place is None:
                path = self.folder / "large" / f"{missing.index(name)}.npy"
            places.append(np.load(path, allow_pickle=False))
        return places

    def is_sparse(self, name: str) -> bool:
        return self.items.get(name, {}).get("about", {}).get("encoding-type") in _SPARSE

    def shape(self, name: str) -> tuple[int, ...]:
        item = self.items[name]
        return tuple(item["about"]["shape"] if self.is_sparse(name) else item["shape"])


def read_hdf5(reading: Reading) -> list[Column]:
    """Read cells × genes of AnnData, or chosen data sets."""
    if find_spec("h5py") is None:
        raise DataError(f"{reading.title} is an HDF5 file, which needs h5py; {NEEDED}.")
    with (
        foreign(reading, "HDF5 file", _REMEDY),
        tempfile.TemporaryDirectory(prefix="kpca_viewer_") as name,
    ):
        folder = Path(name)
        _run(reading, folder)
        root, listed = json.loads((folder / "list.json").read_text())
        file = _File(reading, folder, root, {item["name"]: item for item in listed})
        if root.get("encoding-type") == "anndata" or {"X", "obs", "var"} <= set(
            file.items
        ):
            return _read_anndata(reading, file)
        return _read_sets(reading, file)


def _run(reading: Reading, folder: Path, *names: str) -> None:
    from kpca_viewer.data.files import hdf5_child

    run_child(
        reading,
        hdf5_child.__file__,
        (reading.path.absolute(), folder, *names),
        reading.size,
        f"is damaged, cut short, or declares more than it holds; {_REMEDY}",
    )


def _read_sets(reading: Reading, file: _File) -> list[Column]:
    """Read data sets; those of MATLAB are stored column by column."""
    matlab = reading.head.startswith(b"MATLAB")
    kinds: dict[str, Literal["number", "text"]] = {"text": "text"}
    kinds |= dict.fromkeys("fiub", "number")
    infos = []
    for name, item in file.items.items():
        hidden = name.startswith(("#refs#", "#subsystem#"))
        char = item["about"].get("MATLAB_class") in ("char", "cell", "struct")
        if item.get("shape") is None or hidden or (matlab and char):
            continue
        shape = tuple(item["shape"][::-1] if matlab else item["shape"])
        infos.append(ArrayInfo(name, shape, kinds.get(item["kind"], "other")))

    def load(name: str) -> NDArray[Any]:
        (values,) = file.load(name)
        return values.T if matlab else values

    return read_arrays(reading, infos, load)


def _read_anndata(reading: Reading, file: _File) -> list[Column]:
    reading.format = ANNDATA
    parts = [
        name
        for name, item in file.items.items()
        if name.split("/")[0] in ("X", "layers", "obsm")
        and name.count("/") == (name != "X")
        and (file.is_sparse(name) or len(item.get("shape") or ()) == 2)
    ]
    wanted = (reading.options.arrays or ("X" if "X" in parts else "".join(parts[:1]),))[
        0
    ]
    if wanted not in parts:
        raise DataError(
            f"{reading.title} has no matrix “{wanted}” of numbers; choose one of "
            f"{', '.join(parts) or 'another file'}."
        )
    reading.chosen = (wanted,)
    reading.parts = tuple(parts) if len(parts) > 1 else ()
    matrix = _matrix(reading, file, wanted)
    genes = None
    if not wanted.startswith("obsm/"):
        genes = words(_index(file, "var"))
    else:
        title = wanted.removeprefix("obsm/").removeprefix("X_")
        genes = [f"{title}{j + 1}" for j in range(matrix.shape[1])]
    columns = matrix_columns(reading, matrix, wanted, genes)
    kept = reading.row_numbers
    total = len(matrix)
    taken = {column.name for column in columns}
    beside: list[Column] = []
    for name, values in _described(reading, file):
        if len(values) != total:
            raise DataError(
                f"“{name}” of {reading.title} has {len(values):,} entries for "
                f"{total:,} rows of “{wanted}”; {_REMEDY}."
            )
        if kept is not None:
            values = values[kept - 1]
        name = free_name(name, taken)
        taken.add(name)
        beside.append(array_column(name, values))
    reading.described = tuple(column.name for column in beside)
    reading.note(f"“{wanted}” of {', '.join(parts)}" if reading.parts else wanted)
    return [*columns, *beside]


def _index(file: _File, group: str) -> NDArray[Any]:
    about = file.items[group]["about"]
    (values,) = file.load(f"{group}/{about.get('_index', '_index')}")
    return values


def _matrix(reading: Reading, file: _File, name: str) -> NDArray[Any]:
    if not file.is_sparse(name):
        return file.load(name)[0]
    import scipy.sparse  # which takes long to load

    rows, width = file.shape(name)
    reading.require_width(width)
    reading.require_table(rows, width, FEWER)
    parts = file.load(*(f"{name}/{key}" for key in ("data", "indices", "indptr")))
    csr = file.items[name]["about"]["encoding-type"] == "csr_matrix"
    make = scipy.sparse.csr_matrix if csr else scipy.sparse.csc_matrix
    sparse = make(tuple(parts), shape=(rows, width))
    sparse.check_format(full_check=True)
    share = sparse.nnz / max(rows * width, 1)
    reading.note(f"sparse: {share:.1%} of the values not zero")
    return np.asarray(sparse.toarray(), dtype=np.float64)


def _described(reading: Reading, file: _File) -> list[tuple[str, NDArray[Any]]]:
    """Return the names of the rows and what else is known of them."""
    found: list[tuple[str, NDArray[Any]]] = []
    order = file.items["obs"]["about"].get("column-order", [])
    found.append(("cell", object_array(list(words(_index(file, "obs"))))))
    for name in map(str, order):
        place = f"obs/{name}"
        if f"{place}/codes" in file.items:
            codes, categories = file.load(f"{place}/codes", f"{place}/categories")
            texts: list[str | None] = [*words(categories), None]
            if codes.max(initial=-1) >= len(categories):
                raise DataError(
                    f"“{name}” of {reading.title} has codes without a category; "
                    f"{_REMEDY}."
                )
            # −1 is a gap: the last of the list.
            found.append((name, object_array([texts[code] for code in codes])))
        elif f"{place}/values" in file.items:
            values, mask = file.load(f"{place}/values", f"{place}/mask")
            numbers = values.astype(np.float64)
            numbers[mask.astype(bool)] = np.nan
            found.append((name, numbers))
        elif file.items.get(place, {}).get("kind") in ("text", *"fiub"):
            found.append((name, file.load(place)[0]))
        else:
            reading.note(f"“{name}” left out: neither numbers nor words")
    return found
