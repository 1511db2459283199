"""Model files with one thing wrong, for the tests and the fuzz in ``tools``."""

import io
import json
import zipfile

import numpy as np
import scipy.sparse as sp

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.support.errors import DataError, KpcaError

POINTS = np.random.default_rng(0).normal(size=(30, 3)) + 1.0
ODD_VALUES = (None, "x", -1, 0, 2.5, 10**400, float("nan"), [], [1], {}, True)


def models():
    """Return models of every kind of file, fitted."""
    inverse = {"kernel": "rbf", "fit_inverse_transform": True}
    return {
        "ridge": KernelPCA(3, **inverse).fit(POINTS),
        "fixed point": KernelPCA(3, pre_image="fixed_point", **inverse).fit(POINTS),
        "landmarks": KernelPCA(3, kernel="rbf", eigen_solver="lowrank").fit(POINTS),
        "sparse": KernelPCA(2, kernel="poly").fit(sp.csr_matrix(POINTS)),
        "matrix": KernelPCA(2, kernel="precomputed").fit(POINTS @ POINTS.T),
    }


def members(path):
    """Return the parts of a file: its description, and its arrays as bytes."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    return json.loads(parts.pop("model.json")), parts


def write(path, description, parts):
    """Write a file as `save_model` would, of whatever it is given."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("model.json", json.dumps(description))
        for name, content in parts.items():
            archive.writestr(name, content)


def npy(array):
    """Return an array as the bytes of a file."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
    return buffer.getvalue()


def damaged_arrays(content):
    """Yield what can be wrong with one array: a title and its bytes, None for none."""
    array = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    yield "missing", None
    yield "no array", b"nothing"
    yield "cut short", content[:-3]
    yield "one fewer", npy(array[:-1])
    yield "one more", npy(np.concatenate((array, array[:1])))
    yield "another axis", npy(array[..., None])
    yield "a single number", npy(array.flat[0] if array.size else 0.0)
    yield "texts", npy(array.astype("U3"))
    yield "complex", npy(array.astype(complex))
    if array.dtype.kind != "b":
        yield "other bytes", npy(array.astype(array.dtype.newbyteorder()))
    if array.dtype.kind == "f":
        yield "whole numbers", npy(np.zeros(array.shape, dtype=np.int64))
        yield "NaN", npy(np.full_like(array, np.nan))
    if array.dtype.kind == "i":
        yield "far away", npy(array + 10**6)
        yield "negative", npy(array - 10**6)


def damaged_values(description, odd_values=ODD_VALUES):
    """Yield the description with one value missing or odd, and which it is."""
    for table, key in [
        *((description, key) for key in description),
        *((description["decomposition"], key) for key in description["decomposition"]),
        *((description["parameters"], key) for key in description["parameters"]),
    ]:
        kept = table.pop(key)
        yield f"{key} missing", description
        for odd in odd_values:
            table[key] = odd
            yield f"{key} {odd!r:.20}", description
        table[key] = kept


def verdict(path):
    """Load a file and use the model: None if it works, else the sentence that says no.

    Anything but a sentence comes out as the exception that it is.
    """
    try:
        model = KernelPCA.load(path)
    except DataError as error:
        return str(error)
    d = model.n_features_in_
    try:
        scores = model.transform(np.linspace(-1, 1, 2 * d).reshape(2, d))
        if model.fit_inverse_transform:
            model.inverse_transform(scores)
        repr(model), model.get_feature_names_out()
    except KpcaError as error:
        return f"on use: {error}"
    return None
