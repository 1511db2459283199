"""Names in session files, which stay what they were when fields are renamed."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.engine.settings import SessionSettings

Json = Any

WIRE_NAMES = {"analysis": {"fit_full_table": "all_rows"}}
"""For every part of the settings: field → what session files call it. A field that is
not here is called there as in the code."""

REMOVED = {"view": ("denoised_from",)}
"""Fields of files of before that this version has no use for, and does not keep."""

FIELDS = {
    part: {wire: field for field, wire in names.items()}
    for part, names in WIRE_NAMES.items()
}


def from_wire(raw: dict[str, Json]) -> None:
    """Give fields of a session the names that the code has for them, in place."""
    for settings in _settings_in(raw):
        _rename(settings, FIELDS)
        for part, names in REMOVED.items():
            for name in names:
                if isinstance(fields := settings.get(part), dict):
                    fields.pop(name, None)


def to_wire(body: dict[str, Json]) -> None:
    """Give fields of a session the names that files have for them, in place."""
    for settings in _settings_in(body):
        _rename(settings, WIRE_NAMES)
        _leave_out(settings)


def settings_json(settings: SessionSettings) -> dict[str, Json]:
    written: dict[str, Json] = msgspec.to_builtins(settings)
    _rename(written, WIRE_NAMES)
    _leave_out(written)
    return written


def keep_suggestions(raw: dict[str, Json]) -> None:
    """Let values that followed a suggestion follow the rule that there was then.

    In place. Kernels of a newer session say by what rule their values are suggested.
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


def _rename(settings: dict[str, Json], names: Mapping[str, Mapping[str, str]]) -> None:
    for part, renamed in names.items():
        fields = settings.get(part)
        if isinstance(fields, dict):
            # In their order: two files of one session are equal byte by byte.
            settings[part] = {renamed.get(k, k): v for k, v in fields.items()}


def _leave_out(settings: dict[str, Json]) -> None:
    """Write no scaling of columns where there is none, as files of before have it."""
    data = settings.get("data")
    if isinstance(data, dict) and not data.get("column_scaling"):
        data.pop("column_scaling", None)


def _part(raw: Json, name: str) -> Json:
    return raw.get(name) if isinstance(raw, dict) else None


def _follows(kernel: dict[str, Json]) -> bool:
    """Whether a value of a kernel is suggested: one of distances that is not set."""
    family, values = kernel.get("family"), kernel.get("values")
    if not isinstance(family, str) or family not in FAMILIES:
        return False
    pairs = values if isinstance(values, list) else []
    known = [pair[0] for pair in pairs if isinstance(pair, list) and pair]
    return any(p.follows and p.name not in known for p in FAMILIES[family].parameters)
