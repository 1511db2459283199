"""A fitted KernelPCA as a file: NPZ arrays and one JSON text, never pickle.

What `KernelPCA` derives from its training points (norms, the Gram matrix) is derived
again; everything that took a decision or a solver is stored as it is, so that a model
that was loaded gives the same numbers to the last bit.
"""

import json
import os
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import fields
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from warnings import warn

import numpy as np
import scipy.sparse as sp

from kpca_viewer.core.estimator.model_checks import Damage, check_model
from kpca_viewer.core.estimator.parameters import (
    PRECOMPUTED,
    check_parameters,
    kernel_of,
)
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers import Decomposition
from kpca_viewer.core.solvers.problem import LandmarkMap
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, ExportError

if TYPE_CHECKING:
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA

PathName = str | os.PathLike[str]
Json = Any
"""What JSON can say."""

FORMAT = "kpca_viewer model"
VERSION = 1
_JSON = "model.json"

_MOST_MEMBERS = 64
"""Parts of an archive; ours have up to two dozen."""

_UNREADABLE = (
    zipfile.BadZipFile,
    ValueError,
    KeyError,
    EOFError,
    OverflowError,
    # Encrypted or packed by a method that Python does not know, and nested too deeply.
    RuntimeError,
    struct.error,
)

_ARRAYS = ("eigenvalues", "eigenvectors", "bounds", "row_means", "spectrum")
_SCALARS = ("trace", "squares", "rank", "complete", "psd", "smallest")
_LATER = ("negative", "negative_error", "certificate")
"""What older files do not have."""
_TEXTS = ("solver", "reason")
_INVERSE = ("dual_coef_", "X_transformed_fit_")


def save_model(model: "KernelPCA", path: PathName, preparation: Json = None) -> None:
    """Write a fitted model; the file is the old one or the new one, never half of it.

    Parameters
    ----------
    model : KernelPCA
    path : path
        An ending is not added; ``.npz`` says best what is inside.
    preparation : JSON, optional
        What has to be done to raw rows before the model understands them. It is kept
        as it is; `load_preparation` gives it back.

    Raises
    ------
    ExportError
        If the model cannot be written down, or the file not be written.
    """
    description, arrays = _taken_apart(model)
    try:
        check_model(description, arrays)
    except Damage as damage:
        raise ExportError(
            f"The model does not fit its parameters: {damage}; fit it again before it "
            "is saved."
        ) from damage
    if preparation is not None:
        description["preparation"] = preparation
    write_atomically(path, lambda file: _write_archive(file, description, arrays))


def load_model(path: PathName) -> "KernelPCA":
    """Read a model that `save_model` wrote.

    Raises
    ------
    DataError
        If there is no such file, or it is no model, damaged or too new.
    """
    title = f"“{Path(path).name}”"
    description, arrays = _opened(path, title, with_arrays=True)
    try:
        check_model(description, arrays)
        return _put_together(description, arrays)
    except (Damage, ValueError) as error:
        # A ValueError is the estimator's own sentence about a parameter or the points.
        raise _damaged(title, str(error).rstrip(".")) from error


def load_preparation(path: PathName) -> Json:
    """Return what `save_model` was told about raw rows; None if it was nothing.

    Raises
    ------
    DataError
        As `load_model`.
    """
    title = f"“{Path(path).name}”"
    return _opened(path, title, with_arrays=False)[0].get("preparation")


def warn_if_scaled(path: PathName) -> None:
    """Warn of a model that knows raw rows, where these are scaled before it."""
    kept = load_preparation(path)
    scaling = kept.get("scaling", "none") if isinstance(kept, dict) else "none"
    if scaling != "none":
        warn(
            f"“{Path(path).name}” is a model of scaled rows ({scaling}), and transform "
            "of KernelPCA does not scale; kpca_viewer.load reads it with its "
            "preparation and takes raw rows.",
            stacklevel=3,
        )


def _damaged(title: str, what: str) -> DataError:
    return DataError(f"{title} is damaged: {what}; write it again with KernelPCA.save.")


def _opened(
    path: PathName, title: str, *, with_arrays: bool
) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        with zipfile.ZipFile(path) as archive:
            return _read(archive, title, os.path.getsize(path), with_arrays)
    except FileNotFoundError as error:
        raise DataError(f"{title} does not exist; check the name.") from error
    except OSError as error:
        raise DataError(
            f"{title} cannot be read ({error.strerror or error}); check its rights."
        ) from error
    except _UNREADABLE as error:
        if isinstance(error, DataError):
            raise
        raise DataError(
            f"{title} is not a model of kpca_viewer, or it is damaged; write it again "
            "with KernelPCA.save."
        ) from error


# From a model to values and arrays


def _taken_apart(model: "KernelPCA") -> tuple[dict[str, Any], dict[str, Array]]:
    if not hasattr(model, "eigenvalues_"):
        raise ExportError("The model is not fitted yet; call fit before save.")
    if callable(model.kernel):
        raise ExportError(
            "A kernel that is a function cannot be saved; choose a named kernel, or "
            "fit on the matrix with kernel='precomputed'."
        )
    found: Decomposition = model._decomposition
    arrays = {name: getattr(found, name) for name in _ARRAYS}
    if found.angles is not None:
        arrays["angles"] = found.angles
    arrays["kept"] = model._kept
    if found.landmark_map is not None:
        for field in fields(LandmarkMap):
            arrays[f"landmark_{field.name}"] = getattr(found.landmark_map, field.name)
    X = model.X_fit_
    if sp.issparse(X):
        arrays.update(X_data=X.data, X_indices=X.indices, X_indptr=X.indptr)
    else:
        arrays["X"] = X
    arrays.update({n: getattr(model, n) for n in _INVERSE if hasattr(model, n)})
    points = None if found.count is None else model._points
    if points is not None:
        arrays["shift"] = points.shift
    names = getattr(model, "feature_names_in_", None)
    description = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": _parameters(model),
        "decomposition": {
            **{name: _plain(getattr(found, name)) for name in (*_SCALARS, *_LATER)},
            **{name: getattr(found, name) for name in _TEXTS},
            "has_angles": found.angles is not None,
        },
        "gamma": _plain(model.gamma_),
        "n_features": int(model.n_features_in_),
        "feature_names": None if names is None else [str(name) for name in names],
        "sparse_shape": list(X.shape) if sp.issparse(X) else None,
        "fixed_point": hasattr(model, "_pre_images"),
        "stream": None
        if points is None
        else {
            "count": found.count,
            "moved": points.moved,
            "by_differences": points.by_differences,
        },
        "reconstruction_error": _plain(getattr(model, "reconstruction_error_", None)),
    }
    return description, arrays


def _parameters(model: "KernelPCA") -> dict[str, Any]:
    parameters = {
        name: _plain(value) for name, value in model.get_params(deep=False).items()
    }
    if isinstance(model.kernel, Kernel):
        parameters["kernel"] = repr(model.kernel)
    for name, value in parameters.items():
        try:
            json.dumps(value)
        except (TypeError, ValueError):
            remedy = (
                "set a whole number with set_params(random_state=0)"
                if name == "random_state"
                else f"set it to None with set_params({name}=None)"
            )
            raise ExportError(
                f"{name} is a {type(value).__name__}, which a model file cannot hold; "
                f"{remedy} and save again."
            ) from None
    return parameters


def _plain(value: Any) -> Any:
    """Return a scalar of numpy as one of Python; JSON keeps all bits of a float."""
    return value.item() if isinstance(value, np.generic) else value


# Back


def _put_together(
    description: Mapping[str, Any], arrays: Mapping[str, Array]
) -> "KernelPCA":
    from kpca_viewer.core.estimator.kernel_pca import KernelPCA

    known = KernelPCA().get_params(deep=False)
    for name in description["parameters"]:
        if name not in known:
            raise Damage(f"KernelPCA has no parameter {name!r:.40}")
    model = KernelPCA(**description["parameters"])
    check_parameters(model.get_params(deep=False))
    model.gamma_ = description["gamma"]
    model.n_features_in_ = description["n_features"]
    if description["feature_names"] is not None:
        model.feature_names_in_ = np.array(description["feature_names"], dtype=object)
    shape = description["sparse_shape"]
    model.X_fit_ = (
        arrays["X"]
        if shape is None
        else sp.csr_matrix(
            (arrays["X_data"], arrays["X_indices"], arrays["X_indptr"]), tuple(shape)
        )
    )
    stream = description.get("stream")
    if stream is not None:
        # Landmarks stand where they stood among rows that are not kept.
        model._kernel = kernel_of(model)
        model._points = model._kernel.prepare_with(
            model.X_fit_,
            arrays["shift"],
            moved=stream["moved"],
            by_differences=stream["by_differences"],
        )
    elif model.kernel not in PRECOMPUTED:
        model._prepare(model.X_fit_)
    else:
        model._points = model._kernel = None
    map_ = None
    if "landmark_landmarks" in arrays:
        map_ = LandmarkMap(
            **{
                field.name: arrays[f"landmark_{field.name}"]
                for field in fields(LandmarkMap)
            }
        )
    values: dict[str, Any] = {name: arrays[name] for name in _ARRAYS}
    if description["decomposition"].get("has_angles"):
        # Older files have none.
        values["angles"] = arrays["angles"]
    for name in (*_SCALARS, *_TEXTS):
        values[name] = description["decomposition"][name]
    for name in _LATER:
        if name in description["decomposition"]:
            values[name] = description["decomposition"][name]
    if stream is not None:
        values["count"] = stream["count"]
    found = Decomposition(**values, landmark_map=map_)
    model._keep(found, model.X_fit_.shape[0], model.X_fit_.dtype)
    model._kept = arrays["kept"]
    for name in _INVERSE:
        if name in arrays:
            setattr(model, name, arrays[name])
    if description["reconstruction_error"] is not None:
        model.reconstruction_error_ = description["reconstruction_error"]
    if description["fixed_point"] and model._kernel and model._points:
        model._pre_images = model._prepared(model.pre_image)  # type: ignore[arg-type]
    return model


# Bytes


def _write_archive(
    file: BinaryIO, description: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    # Stored, not compressed: numbers hardly shrink, and a reader can then tell from
    # the size of the file that nothing inside claims more memory than it has.
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_JSON, json.dumps(description, indent=1))
        for name, array in arrays.items():
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                # The order of the axes in memory is kept: products of the same numbers
                # in another order round differently.
                np.lib.format.write_array(
                    member, np.array(array, order="K"), allow_pickle=False
                )


def _read(
    archive: zipfile.ZipFile, title: str, size: int, with_arrays: bool
) -> tuple[dict[str, Any], dict[str, Array]]:
    members = archive.infolist()
    stored = all(member.compress_type == zipfile.ZIP_STORED for member in members)
    total = sum(member.file_size for member in members)
    if not stored or total > size or len(members) > _MOST_MEMBERS:
        raise DataError(
            f"{title} is packed in a way that kpca_viewer never uses; write it "
            "again with KernelPCA.save."
        )
    description = json.loads(archive.read(_JSON))
    if not isinstance(description, dict) or description.get("format") != FORMAT:
        raise DataError(f"{title} is not a model of kpca_viewer; choose another file.")
    version = description.get("version")
    if type(version) is not int or not 1 <= version < 1_000_000:
        raise _damaged(title, "it does not say of which format it is")
    if version > VERSION:
        raise DataError(
            f"{title} was written by a newer kpca_viewer (format {version}, this one "
            f"reads up to {VERSION}); upgrade with: pip install --upgrade kpca-viewer"
        )
    arrays: dict[str, Array] = {}
    for member in members if with_arrays else ():
        if member.filename != _JSON:
            name = member.filename.removesuffix(".npy")
            try:
                arrays[name] = _array(archive, member)
            except _UNREADABLE as error:
                words = f"the array “{name:.40}” cannot be read"
                raise _damaged(title, words) from error
    return description, arrays


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Array:
    with archive.open(member) as file:
        _check_header(file, member.file_size)
    with archive.open(member) as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def _check_header(file: Any, size: int) -> None:
    """Refuse an array of no numbers, or larger than what is there."""
    version = np.lib.format.read_magic(file)
    read = (
        np.lib.format.read_array_header_1_0
        if version == (1, 0)
        else np.lib.format.read_array_header_2_0
    )
    shape, _, dtype = read(file)
    # Texts may be of no width, and a file of nothing be an array of any length.
    if dtype.kind not in "biuf" or prod(shape) * dtype.itemsize > size:
        raise ValueError("no array that fits into its file")
