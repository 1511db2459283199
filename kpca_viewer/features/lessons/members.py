"""The files of a lesson, in a folder or a zip, within limits that come before work."""

import os
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from kpca_viewer.features.lessons import text
from kpca_viewer.support.errors import DataError, excerpt

MAIN = "lesson.toml"
STATES = "states"

LARGEST_TEXT = 1 << 20
LARGEST = 20 << 20
"""Bytes of one file of a lesson, and of all."""

MOST_FILES = 200
LARGEST_RATIO = 200
"""Bytes that one byte of a zip may unfold to; texts reach about 20."""

TRANSLATION = re.compile(r"lesson\.([a-z]{2}(?:-[A-Z]{2})?)\.toml")
STATE = re.compile(rf"{STATES}/([A-Za-z0-9_-]{{1,60}})\.kpca")


def _wanted(name: str) -> bool:
    return bool(name == MAIN or TRANSLATION.fullmatch(name) or STATE.fullmatch(name))


def in_folder(folder: Path, key: str, *, states: bool) -> Iterator[tuple[str, bytes]]:
    names = [entry.name for entry in os.scandir(folder)]
    if states and (folder / STATES).is_dir():
        names += [f"{STATES}/{entry.name}" for entry in os.scandir(folder / STATES)]
    names = [name for name in names if _wanted(name)]
    if len(names) > MOST_FILES:
        raise DataError(text.many_files(key, MOST_FILES))
    inside, total = folder.resolve(), 0
    for name in sorted(names):
        path = (folder / name).resolve()
        if not path.is_relative_to(inside) or not path.is_file():
            raise DataError(text.outside(key, name))
        total += path.stat().st_size
        _check_size(key, name, path.stat().st_size, total)
        with path.open("rb") as file:
            content = file.read(LARGEST_TEXT + 1)
        _check_size(key, name, len(content), total)
        yield name, content


def _check_size(key: str, name: str, size: int, total: int) -> None:
    if size > LARGEST_TEXT:
        raise DataError(text.large_text(key, name, LARGEST_TEXT >> 20))
    if total > LARGEST:
        raise DataError(text.large_lesson(key, LARGEST >> 20))


def in_zip(path: Path, key: str) -> Iterator[tuple[str, bytes]]:
    if path.stat().st_size > LARGEST:
        raise DataError(text.large_lesson(key, LARGEST >> 20))
    try:
        with zipfile.ZipFile(path) as archive:
            yield from _members(archive, key)
    except (
        zipfile.BadZipFile,
        EOFError,
        NotImplementedError,
        RuntimeError,
        UnicodeDecodeError,
        ValueError,
        OverflowError,
    ) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(text.no_zip(key)) from error
    except Exception as error:
        # zlib.error, struct.error and what else a damaged file leads zipfile to.
        if type(error).__module__ not in ("zlib", "struct", "lzma", "_lzma"):
            raise
        raise DataError(text.no_zip(key)) from error


def _members(archive: zipfile.ZipFile, key: str) -> Iterator[tuple[str, bytes]]:
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > MOST_FILES:
        raise DataError(text.many_files(key, MOST_FILES))
    top, total, seen = _top_folder(members), 0, set()
    for info in members:
        name = info.filename
        parts = PurePosixPath(name).parts
        link = stat.S_ISLNK(info.external_attr >> 16)
        if "\\" in name or name.startswith("/") or ".." in parts or link:
            raise DataError(text.outside(key, excerpt(name)))
        if name in seen:
            raise DataError(text.member_twice(key, excerpt(name)))
        seen.add(name)
        total += info.file_size
        if info.file_size > LARGEST_RATIO * max(info.compress_size, 100):
            raise DataError(text.bomb(key, excerpt(name)))
        _check_size(key, excerpt(name), info.file_size, total)
        if info.flag_bits & 1:
            raise DataError(text.locked(key, excerpt(name)))
        short = name.removeprefix(top)
        if _wanted(short):
            with archive.open(info) as file:
                content = file.read(LARGEST_TEXT + 1)
            _check_size(key, short, len(content), total)
            yield short, content


def _top_folder(members: Iterable[zipfile.ZipInfo]) -> str:
    """Return the folder that all files of a zip are in, as programs pack a folder."""
    names = [info.filename for info in members]
    mains = [name for name in names if PurePosixPath(name).name == MAIN]
    if len(mains) != 1:
        return ""
    top = mains[0].removesuffix(MAIN)
    return top if top.count("/") == 1 and all(n.startswith(top) for n in names) else ""
