"""Scores written back into an AnnData file, for scanpy and its kin."""

import json
import os
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.data.files.hdf5 import NEEDED
from kpca_viewer.support.errors import ExportError

KEY = "X_kpca"


def check_anndata(source: Path, target: Path) -> None:
    """Refuse what scores cannot be written into, before any work."""
    if find_spec("h5py") is None:
        raise ExportError(f"“{target.name}” needs h5py; {NEEDED}.")
    if source.suffix.lower() != ".h5ad":
        raise ExportError(
            f"“{target.name}” is a copy of the data with scores in it, and "
            f"“{source.name}” is no .h5ad file; choose .csv or .parquet."
        )


def write_scores(
    source: Path,
    target: Path,
    scores: NDArray[Any],
    rows: NDArray[np.int64],
    about: dict[str, NDArray[Any] | str],
) -> None:
    """Write a copy with ``obsm["X_kpca"]`` and ``uns["kpca"]``, whole or not at all.

    ``scores`` (n, k) are of ``rows`` (n,), places in the file; those of all others are
    NaN. ``about`` stands in ``uns["kpca"]``.
    """
    import h5py

    place, name = tempfile.mkstemp(".h5ad", ".kpca_", target.absolute().parent)
    os.close(place)
    try:
        shutil.copyfile(source, name)
        with h5py.File(name, "r+") as file:
            total = _rows(file, source)
            whole = np.full((total, scores.shape[1]), np.nan)
            whole[rows] = scores
            _put(_group(file, "obsm", source), KEY, whole)
            parent = _group(file, "uns", source)
            if "kpca" in parent:
                del parent["kpca"]
            kept = _encoded(parent.create_group("kpca"), "dict", "0.1.0")
            for key, value in about.items():
                _put(kept, key, value)
        os.replace(name, target)
    except (OSError, KeyError, ValueError, IndexError, RuntimeError) as error:
        raise ExportError(
            f"Scores cannot be written into a copy of “{source.name}” ({error}); "
            "choose .csv or .parquet."
        ) from error
    finally:
        Path(name).unlink(missing_ok=True)


def settings_text(params: dict[str, Any]) -> str:
    return json.dumps(params, default=str, sort_keys=True)


def _rows(file: Any, source: Path) -> int:
    obs = _group(file, "obs", source)
    return len(obs[obs.attrs.get("_index", "_index")])


def _group(file: Any, name: str, source: Path) -> Any:
    """Return a group of the file itself: a link would lead into another file."""
    import h5py

    if name not in file and name != "obs":
        _encoded(file.create_group(name), "dict", "0.1.0")
    if not isinstance(file.get(name, getlink=True), h5py.HardLink):
        raise ExportError(
            f"“{name}” of “{source.name}” is a link; write the file again by anndata."
        )
    return file[name]


def _put(group: Any, name: str, value: Any) -> None:
    if name in group:
        del group[name]
    made = group.create_dataset(name, data=value)
    _encoded(made, "string" if isinstance(value, str) else "array", "0.2.0")


def _encoded(item: Any, kind: str, version: str) -> Any:
    item.attrs["encoding-type"], item.attrs["encoding-version"] = kind, version
    return item
