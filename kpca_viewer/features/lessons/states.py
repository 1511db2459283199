"""The states of a lesson: small sessions, and what the engine computes of them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import msgspec

from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.document.files import open_data
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.values import LessonValues
from kpca_viewer.support.errors import DataError, excerpt


def computed_values(document: Document) -> LessonValues:
    """Compute a state, and return its values; takes a while."""
    settings = document.settings.with_view(isolines=False).with_full_fit(False)
    request = AnalysisRequest(settings, open_data(document).sources)
    result = run(request, StageCache())
    notes = document.notes
    if notes.selected is not None and notes.selected.rows != result.dataset.n:
        notes = replace(notes, selected=None)
    return LessonValues.of(result, document.views, notes, document.settings)


def state_text(document: Document) -> bytes:
    """Return a state as lessons keep it: the fields that differ from a new session."""
    full = msgspec.json.decode(to_bytes(document))
    thin = _differing(full, msgspec.json.decode(to_bytes(Document())))
    kernel = thin.get("settings", {}).get("kernel")
    rule = full["settings"]["kernel"].get("rule")
    if kernel is not None and rule is not None:
        # Without a rule, a kernel has that of sessions from before there was one.
        kernel["rule"] = rule
    thin = {
        "kpca_viewer": full["kpca_viewer"],
        "settings": thin.get("settings", {}),
        "data": full["data"],
        **{name: part for name, part in thin.items() if name != "settings"},
    }
    return msgspec.json.format(msgspec.json.encode(thin), indent=1) + b"\n"


def _differing(part: dict[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in part.items():
        other = base.get(name)
        if value == other:
            continue
        if isinstance(value, dict) and isinstance(other, dict):
            value = _differing(value, other)
        found[name] = value
    return found


def read_state(content: bytes, title: str) -> Document:
    """Read a state of a lesson: a session with data of its own that are not a file."""
    document = from_bytes(content, title=title)
    data, source = document.data, document.settings.data.source
    strange = next(_fields(document.unknown), "")
    if strange or document.unread:
        raise DataError(text.unknown_in_state(title, strange))
    if document.preset or data.file is not None:
        raise DataError(text.state_without_data(title))
    has_data = data.embedded is not None or document.settings.data.drawn is not None
    if not has_data and source not in GENERATORS:
        raise DataError(text.no_generator(title, excerpt(source)))
    family = document.settings.kernel.family
    if family not in FAMILIES:
        raise DataError(text.no_kernel(title, excerpt(family)))
    return document


def _fields(part: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for name, value in part.items():
        if isinstance(value, dict) and value:
            yield from _fields(value, f"{above}{excerpt(name)}.")
        else:
            yield f"{above}{excerpt(name)}"
