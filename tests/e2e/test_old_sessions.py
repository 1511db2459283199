"""The window shows sessions of earlier versions, and saves them as they were."""

import shutil

import pytest

from kpca_viewer.session.document.format import to_bytes
from tests.e2e.test_data_of_sessions import again
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
