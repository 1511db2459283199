"""How answers of workers travel: as values that cannot do anything.

What Dask unpickles may run code. Answers are packed here, and unpacking them builds
arrays, plain values and dataclasses of this package, and nothing else.
"""

import io
import pickle
from dataclasses import is_dataclass
from importlib import import_module
from typing import Any, ClassVar

from kpca_viewer.support.errors import ClusterError

ARRAYS = {
    ("numpy", "ndarray"),
    ("numpy", "dtype"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.multiarray", "scalar"),
    ("numpy._core.numeric", "_frombuffer"),
    ("numpy.core.multiarray", "_reconstruct"),
    ("numpy.core.multiarray", "scalar"),
    ("numpy.core.numeric", "_frombuffer"),
}
"""What arrays and numbers of NumPy are built by, before and from version 2 on."""


def packed(value: Any) -> bytes:
    """Return a value as bytes."""
    return pickle.dumps(value, protocol=5)


def unpacked(content: bytes) -> Any:
    """Return the value in what `packed` made.

    Raises
    ------
    ClusterError
        If there is anything else in it.
    """
    try:
        return _Values(io.BytesIO(content)).load()
    except ClusterError:
        raise
    except Exception as error:
        raise ClusterError(
            f"A worker has answered what nobody can read ({type(error).__name__})."
        ) from error


class _Values(pickle._Unpickler):
    """Builds values only; the classes that it builds them of stay what they are."""

    # The one in Python, because the other does not let us look at what it builds on.
    dispatch: ClassVar[Any] = dict(pickle._Unpickler.dispatch)

    def load_build(self) -> None:
        if isinstance(self.stack[-2], type):  # type: ignore[attr-defined]
            raise ClusterError(
                "A worker has answered with a change of this program; check who runs "
                "on this cluster."
            )
        super().load_build()  # type: ignore[misc]

    dispatch[pickle.BUILD[0]] = load_build

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in ARRAYS:
            return super().find_class(module, name)
        # That one is a program, which runs where it is imported.
        if module.startswith("kpca_viewer.") and not module.endswith("__main__"):
            found = getattr(import_module(module), name, None)
            if isinstance(found, type) and is_dataclass(found):
                return found
        raise ClusterError(
            f"A worker has answered with “{module}.{name}”, which is no value; check "
            "who runs on this cluster."
        )
