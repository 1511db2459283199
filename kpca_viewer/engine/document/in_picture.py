"""The session inside a picture: the text of a session file, and what was shown.

A picture therefore opens like a session. The data are not inside, only the name of
their file, with the folders between it and the picture, and the hash of their numbers.
"""

import json
import zlib
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path, PurePath
from typing import BinaryIO

from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document, Shown
from kpca_viewer.engine.result import AnalysisResult

PNG_KEY = "kpca_viewer"
"""The text chunk of a PNG that holds the session."""

SESSION_TAG = "kpca:session"
"""The element of an SVG and of the metadata of a PDF that holds it."""

_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_METADATA = 16 << 20


def metadata_of(
    result: AnalysisResult, document: Document | None = None, folder: Path | None = None
) -> str:
    """Describe a picture of a result.

    ``document``: the session of the window; by default just the settings of the result;
    ``folder``: where the picture will be; data in it or below are then found relative
    to it. Of all other data only the name is kept; Returns: JSON in ASCII, which every
    format can hold.
    """
    document = document or Document(settings=result.settings)
    data = replace(document.data, embedded=None, shown=Shown.of(result.dataset))
    text = to_bytes(_without_folders(replace(document, data=data)), folder)
    body = json.loads(text)
    file = body["data"]
    if "absolute" in file:
        # A figure is shown to everyone, and where its data are is private.
        near = file.get("path", "..").split("/")
        file["absolute"] = name = PurePath(file["absolute"]).name
        file["path"] = name if ".." in near else "/".join(near)
    return json.dumps(body)


def _without_folders(document: Document) -> Document:
    """Call data by the names of their files, in pins and sweeps too."""
    settings, notes = document.settings, document.notes
    bases = [settings, *(pin.settings for pin in notes.pins)]
    bases += [] if notes.sweep is None else [notes.sweep.base]
    for source in {base.data.source for base in bases}:
        path = PurePath(source)
        if path.is_absolute():
            notes = notes.with_source(source, path.name)
    own = PurePath(settings.data.source)
    if own.is_absolute():
        settings = replace(settings, data=replace(settings.data, source=own.name))
    return replace(document, settings=settings, notes=notes)


def document_of(
    text: str, folder: Path | None = None, title: str = "This picture"
) -> Document:
    """Read the session of a picture, as `from_bytes`, or raise `DataError`."""
    return from_bytes(text.encode("utf-8", "replace"), folder, title)


def read_metadata(path: str | Path) -> str | None:
    """Return what was kept inside a PNG, SVG or PDF; None if it is nothing of ours."""
    try:
        with open(path, "rb") as file:
            head = file.read(len(_PNG))
            if head == _PNG:
                return _png_text(file)
            content = head + file.read(_MOST_METADATA)
    except OSError:
        return None
    is_pdf = content.startswith(b"%PDF")
    if not is_pdf and b"<svg" not in content[:4096]:
        return None
    # By plain search, once each: a picture may open the tag ten thousand times.
    start = content.find(f"<{SESSION_TAG}".encode())
    start = content.find(b">", start) + 1 if start >= 0 else 0
    end = content.find(f"</{SESSION_TAG}>".encode(), start) if start else -1
    if end < 0:
        return None
    return unescape(content[start:end].decode("utf-8", "replace"))


def _png_text(file: BinaryIO) -> str | None:
    """Return the text under our key from the chunks that follow the head of a PNG."""
    for kind, content in _chunks(file):
        key, _, rest = content.partition(b"\0")
        if key == PNG_KEY.encode():
            try:
                return _text_of(kind, rest) or None
            except (zlib.error, ValueError):
                return None
    return None


def _text_of(kind: bytes, content: bytes) -> str:
    """Return the text of a chunk from what follows its key."""
    if kind == b"tEXt":
        return content.decode("latin-1")
    if kind == b"zTXt":
        return _inflated(content[1:]).decode("latin-1")
    # iTXt: whether and how it is packed, the language, the key in it, and the text.
    _, _, text = content[2:].split(b"\0", 2)
    return (_inflated(text) if content[:1] == b"\1" else text).decode()


def _chunks(file: BinaryIO) -> Iterator[tuple[bytes, bytes]]:
    """Walk through the texts of a PNG; everything else is passed over."""
    while len(head := file.read(8)) == 8:
        size, kind = int.from_bytes(head[:4]), head[4:]
        if kind in {b"tEXt", b"zTXt", b"iTXt"} and size <= _MOST_METADATA:
            yield kind, file.read(size)
            size = 0
        file.seek(size + 4, 1)


def _inflated(packed: bytes) -> bytes:
    return zlib.decompressobj().decompress(packed, _MOST_METADATA)
