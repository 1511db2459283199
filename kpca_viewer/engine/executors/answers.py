"""Answers of workers: values that cannot do anything.

What Dask unpickles may run code. Answers are packed here, and unpacking them builds
arrays, plain values and dataclasses of this package, and nothing else.
"""

import io
import pickle
from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, ClassVar

import numpy as np

from kpca_viewer.support import errors
from kpca_viewer.support.errors import ClusterError, KpcaError, sentence_of
from kpca_viewer.support.threads import one_blas_thread

PLAIN = "biufcUSmM"
"""Kinds of NumPy numbers, words and times, whose bytes say all about them."""

OTHER_CALLS = b"".join((pickle.INST, pickle.OBJ, pickle.NEWOBJ_EX))
"""Ways to call a class that `packed` does not use."""


def packed(value: Any) -> bytes:
    buffer = io.BytesIO()
    _Packer(buffer, protocol=5).dump(value)
    return buffer.getvalue()


def unpacked(content: bytes) -> Any:
    """Return the value that `packed` made, or raise `ClusterError`."""
    try:
        return _Values(io.BytesIO(content)).load()
    except ClusterError:
        raise
    except Exception as error:
        raise ClusterError(
            f"A worker has answered what cannot be read ({type(error).__name__})."
        ) from error


def array_of(kind: str, shape: tuple[int, ...] | None, content: bytes) -> Any:
    """Return an array of its bytes; without a shape, its only value."""
    dtype = np.dtype(str(kind))
    if dtype.kind not in PLAIN:
        raise ClusterError(f"A worker has answered with an array of {dtype}.")
    array: Any = np.ndarray(() if shape is None else shape, dtype, content)
    return array[()] if shape is None else array


class _Packer(pickle.Pickler):
    """Writes arrays as their bytes: NumPy's own way needs functions to be called."""

    def reducer_override(self, value: Any) -> Any:
        is_array = type(value) is np.ndarray
        if not (is_array or isinstance(value, np.generic)) or (
            value.dtype.kind not in PLAIN
        ):
            return NotImplemented
        shape = value.shape if is_array else None
        plain = np.ascontiguousarray(value)
        # Times have no buffer.
        content: Any = plain.tobytes() if plain.dtype.kind in "USmM" else plain.data
        if isinstance(content, memoryview):
            content = pickle.PickleBuffer(content)
        return array_of, (value.dtype.str, shape, content)


class _Values(pickle._Unpickler):
    """Builds values only: calls `array_of`, and fills in new instances."""

    # The one in Python, because the other does not let us look at what it builds on.
    dispatch: ClassVar[Any] = {
        code: load
        for code, load in pickle._Unpickler.dispatch.items()
        if code not in OTHER_CALLS
    }

    def load_build(self) -> None:
        filled = self.stack[-2]  # type: ignore[attr-defined]
        if isinstance(filled, type) or not is_dataclass(filled):
            raise _change()
        super().load_build()  # type: ignore[misc]

    def load_reduce(self) -> None:
        if self.stack[-2] is not array_of:  # type: ignore[attr-defined]
            raise _change()
        super().load_reduce()  # type: ignore[misc]

    dispatch[pickle.BUILD[0]] = load_build
    dispatch[pickle.REDUCE[0]] = load_reduce

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == (__name__, "array_of"):
            return array_of
        # That one is a program, which runs where it is imported.
        if module.startswith("kpca_viewer.") and not module.endswith("__main__"):
            found = getattr(import_module(module), name, None)
            if isinstance(found, type) and is_dataclass(found):
                return found
        raise ClusterError(
            f"A worker has answered with “{module}.{name}”, which is no value; check "
            "who runs on this cluster."
        )


def _change() -> ClusterError:
    return ClusterError(
        "A worker has answered with a change of this program; check who runs on this "
        "cluster."
    )


def worked(work: Callable[[Any, int], Any], job: Any, number: int) -> bytes:
    """Work on a job where it is called; errors are answers as well."""
    try:
        with one_blas_thread():
            return packed(("", work(job, number)))
    except KpcaError as error:
        return packed((type(error).__name__, str(error)))
    except OSError as error:
        return packed(("DataError", f"{job.title} cannot be read: {error}"))
    except Exception as error:  # noqa: BLE001 — whatever it is, it is one sentence
        return packed(("KpcaError", sentence_of(error)))


def answer_in(content: bytes) -> Any:
    """Return the answer of `worked`, or raise the `KpcaError` that it is."""
    match unpacked(content):
        case ("", answer):
            return answer
        case (str(kind), str(text)):
            raise _error(kind, text)
    raise ClusterError("A worker has answered what cannot be read.")


def _error(kind: str, text: str) -> KpcaError:
    made = getattr(errors, kind, KpcaError)
    known = isinstance(made, type) and issubclass(made, KpcaError)
    return made(text) if known else KpcaError(text)
