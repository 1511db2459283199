"""The window shows sessions of earlier versions, and saves them as they were."""

import json
import shutil
from dataclasses import replace

import pytest

from kpca_viewer.engine.document.format import to_bytes
from tests.e2e.files import again
from tests.session.test_document_samples import SAMPLES, content_of, missing

ELSEWHERE = {".data.absolute", ".data.path"}
"""The samples lie in another folder now."""


def stated(text):
    """Return what a session says, without what the size of a window decides."""
    body = content_of(text)
    for view in body.get("views", {}).values():
        if isinstance(view, dict):
            view.pop("range", None)
    return body


@pytest.mark.parametrize("name", ["window", "file", "inside", "six", "pins"])
def test_an_old_session_is_shown_and_saved_as_it_was(start, tmp_path, name):
    shutil.copytree(SAMPLES, tmp_path / "work")
    path = tmp_path / "work" / f"{name}.kpca"
    program = again(start, path)
    assert program.message() == ""
    before, after = path.read_bytes(), to_bytes(program.viewer.sessions.document())
    assert set(missing(stated(before), stated(after))) <= ELSEWHERE


def test_what_a_later_version_wrote_is_said_and_saved_again(start, tmp_path):
    body = json.loads((SAMPLES / "window.kpca").read_text(encoding="utf-8"))
    first, second = body["pins"]
    body["pins"] = [{"kind": "drawing", "lines": [1, 2]}, {**first, "stars": 3}, second]
    body["lesson"] = {"page": 3}
    body["settings"]["view"]["glow"] = True
    path = tmp_path / "later.kpca"
    path.write_text(json.dumps(body), encoding="utf-8")
    program = again(start, path)
    assert program.message() == "Some pins of this session could not be read."
    store = program.viewer.store
    assert [pin.name for pin in store.notes.pins] == [first["name"], second["name"]]
    store.note(replace(store.notes, pins=store.notes.pins[:1]))
    program.action("save").trigger()
    assert f"Saved {path.name}" in program.message()
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["lesson"] == {"page": 3}
    assert saved["settings"]["view"]["glow"] is True
    # The pin that was removed is gone; what nobody could read here is not.
    assert saved["pins"] == [
        {**first, "stars": 3},
        {"kind": "drawing", "lines": [1, 2]},
    ]
