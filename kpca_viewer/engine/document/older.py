"""Sessions of before, which show what they showed."""

from collections.abc import Iterator
from typing import Any

from kpca_viewer.core.kernels.families import FAMILIES

Json = Any


def keep_suggestions(raw: dict[str, Json]) -> None:
    """Let values that followed the suggestion follow the one there was then.

    Parameters
    ----------
    raw : dict
        The JSON of a session; changed in place. Kernels of a session of now say by
        what rule their values are suggested.
    """
    for settings in _settings_in(raw):
        kernel = settings.get("kernel")
        if isinstance(kernel, dict) and "rule" not in kernel and _follows(kernel):
            kernel["rule"] = "median"


def _settings_in(raw: dict[str, Json]) -> Iterator[dict[str, Json]]:
    """Yield the settings of the session, of its pins and of its sweep."""
    pins, sweep = raw.get("pins"), raw.get("sweep")
    found = [raw.get("settings")]
    found += [_part(pin, "settings") for pin in pins] if isinstance(pins, list) else []
    found.append(_part(sweep, "base"))
    yield from (settings for settings in found if isinstance(settings, dict))


def _part(raw: Json, name: str) -> Json:
    return raw.get(name) if isinstance(raw, dict) else None


def _follows(kernel: dict[str, Json]) -> bool:
    """Whether a value of a kernel is suggested: one of distances that nobody set."""
    family, values = kernel.get("family"), kernel.get("values")
    if not isinstance(family, str) or family not in FAMILIES:
        return False
    pairs = values if isinstance(values, list) else []
    known = [pair[0] for pair in pairs if isinstance(pair, list) and pair]
    return any(p.follows and p.name not in known for p in FAMILIES[family].parameters)
