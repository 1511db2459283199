"""Sessions that earlier versions have written open with all that they hold."""

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.in_picture import document_of, read_metadata
from kpca_viewer.engine.document.model import DocumentData

SAMPLES = Path(__file__).parent / "samples"
HOME = Path("/home/ann")
"""Where the samples were saved; their data are not there any more."""

PACKED = ("bits", "points", "labels", "numbers", "keys", "rows")


def unpacked(value, name=""):
    """Return JSON with bytes in the place of what was compressed."""
    if isinstance(value, dict):
        return {key: unpacked(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [unpacked(part) for part in value]
    if isinstance(value, str) and name in PACKED and value.startswith("eAF"):
        return zlib.decompress(base64.b64decode(value))
    return value


def content_of(text):
    """Return what a session says, whichever version has written it."""
    body = unpacked(json.loads(text))
    body.pop("program")
    return body


def missing(old, new, path=""):
    """Return the places of ``old`` at which ``new`` says something else, or nothing."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            place
            for key, part in old.items()
            for place in missing(part, new.get(key), f"{path}.{key}")
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            place
            for number, (a, b) in enumerate(zip(old, new, strict=True))
            for place in missing(a, b, f"{path}[{number}]")
        ]
    return [] if old == new else [path]


@pytest.mark.parametrize("name", [path.name for path in sorted(SAMPLES.glob("*.kpca"))])
def test_everything_in_an_old_session_is_kept(name):
    text = (SAMPLES / name).read_bytes()
    again = to_bytes(from_bytes(text, HOME), HOME)
    assert missing(content_of(text), content_of(again)) == []


def test_a_picture_is_still_the_session_that_it_shows():
    text = read_metadata(SAMPLES / "picture.png")
    document = document_of(text)
    session = from_bytes((SAMPLES / "window.kpca").read_bytes())
    shown = document.data.shown
    assert replace(document, data=DocumentData()) == session
    assert (shown.name, shown.rows, shown.columns) == ("Blobs", 60, 2)
