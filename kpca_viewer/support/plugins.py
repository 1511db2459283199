"""What other packages add by entry points: kernels and readers."""

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Any

from kpca_viewer.support.errors import excerpt

_problems: list[str] = []


def plugins(group: str, kind: type | None = None) -> Iterator[tuple[str, Any]]:
    """Yield names and values of an entry point group; what is broken is left out.

    ``kind``: what a value has to be; by default it has to be callable.
    """
    for point in entry_points(group=group):
        try:
            value = point.load()
            if not (callable(value) if kind is None else isinstance(value, kind)):
                raise TypeError(f"no {'function' if kind is None else kind.__name__}")
        except Exception as error:  # noqa: BLE001 — anything can be wrong with it
            package = point.dist.name if point.dist is not None else point.value
            why = excerpt(f"{type(error).__name__}: {error}")
            _problems.append(
                f"The plug-in “{point.name}” of {package} is left out ({why}); upgrade "
                "or uninstall it."
            )
            continue
        yield point.name, value


def take_problems() -> list[str]:
    """Return a sentence for every plug-in that was left out, each once."""
    found = _problems.copy()
    _problems.clear()
    return found
