"""A program of its own that reads arrays of an HDF5 file by h5py.

The library reads C structures at addresses that the file names, and a damaged one can
end the process. Links are not followed, nor data in other files; filters that would be
loaded from a folder are not.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

SMALL = 1 << 16
"""Entries of arrays that are written beside the list, to save a second start."""
MOST = 20_000
"""Objects of a file that are looked at."""


def main(memory: str, seconds: str, path: str, target: str, *names: str) -> None:
    """Write ``list.json`` and small arrays; with names, those alone, by number."""
    os.environ["HDF5_PLUGIN_PRELOAD"] = "::"
    import h5py
    import numpy as np

    sys.path.insert(0, str(Path(__file__).parent))
    from workbook_child import limit  # type: ignore[import-not-found]

    limit(int(memory), int(seconds))

    def save(data: Any, place: int) -> None:
        values = data.asstr("utf-8", "replace")[()] if text(data) else data[()]
        values = np.asarray(values, dtype="U" if text(data) else None)
        np.save(Path(target, f"{place}.npy"), values, allow_pickle=False)

    def text(data: Any) -> bool:
        return h5py.check_string_dtype(data.dtype) is not None

    with h5py.File(path, "r", locking=False) as file:
        if names:
            for place, name in enumerate(names):
                save(file[name], place)
            return
        listed: list[dict[str, Any]] = []

        def visit(name: str, item: Any) -> bool | None:
            if len(listed) >= MOST:
                return True
            entry: dict[str, Any] = {"name": name, "about": attributes(item)}
            if isinstance(item, h5py.Dataset):
                outside = item.is_virtual or item.external is not None
                kind = item.dtype.kind
                entry["shape"] = None if item.shape is None else list(item.shape)
                entry["kind"] = "text" if text(item) else kind
                entry["bytes"] = item.dtype.itemsize
                if outside or item.shape is None:
                    entry["kind"] = "outside"
                elif item.size <= SMALL and (text(item) or kind in "fiub"):
                    entry["place"] = len(listed)
                    save(item, len(listed))
            listed.append(entry)
            return None

        root = attributes(file)
        file.visititems(visit)
        Path(target, "list.json").write_text(json.dumps([root, listed]))


def attributes(item: Any) -> dict[str, Any]:
    """Return the few that say what an object is, as plain values."""
    found: dict[str, Any] = {}
    for key in ("encoding-type", "_index", "column-order", "shape", "MATLAB_class"):
        value = item.attrs.get(key)
        if isinstance(value, bytes):
            value = value.decode("utf-8", "replace")
        if hasattr(value, "tolist") and not isinstance(value, str):
            value = value.tolist()
            if isinstance(value, bytes):
                value = value.decode("utf-8", "replace")
        if isinstance(value, str | int | list):
            found[key] = value
    for key in ("MATLAB_sparse", "h5sparse_shape"):
        if key in item.attrs:
            found[key] = [int(number) for number in item.attrs[key].ravel()[:2]]
    return found


if __name__ == "__main__":
    main(*sys.argv[1:])
