"""Which files are meant: a folder, a pattern, or several names."""

from collections.abc import Sequence
from glob import glob, has_magic
from pathlib import Path

from kpca_viewer.data.files.formats import BY_EXTENSION
from kpca_viewer.data.files.source import system_errors
from kpca_viewer.data.metadata import natural
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError


def are_parts(words: Sequence[str]) -> bool:
    """Whether words mean several files: more than one, a folder, or a pattern."""
    return len(words) > 1 or any(paths.is_dir(w) or _is_pattern(w) for w in words)


def find_parts(words: Sequence[str]) -> list[Path]:
    """Return the files that words mean, in the order of the words and of their names.

    Raises
    ------
    DataError
        If there is none that could be read.
    """
    found: list[Path] = []
    for word in words:
        found += _in_folder(word) if paths.is_dir(word) else _by_name(word)
    files = list(dict.fromkeys(paths.real(path) for path in found))
    if len(files) < len(found):
        raise DataError("A file is named more than once; name every part once.")
    return files


def _in_folder(word: str) -> list[Path]:
    with system_errors(Path(word)):
        inside = [path for path in Path(word).iterdir() if path.is_file()]
    readable = [
        path
        for path in inside
        if path.name[0] not in "._" and _ending(path) in BY_EXTENSION
    ]
    if not readable:
        raise DataError(
            f"The folder “{word}” holds no file that can be read; give one with "
            "Parquet, CSV or NPY files."
        )
    return sorted(readable, key=_order)


def _by_name(word: str) -> list[Path]:
    if not _is_pattern(word):
        if not paths.exists(word):
            raise DataError(f"“{word}” does not exist; check the name and the folder.")
        return [Path(word)]
    found = [path for name in glob(word) if paths.is_file(path := Path(name))]
    if not found:
        folder = Path(word).parent
        if has_magic(str(folder)) or paths.is_dir(folder):
            if not set("*?") & set(word):
                # More likely a name: browsers call a second download “data[1].csv”.
                raise DataError(
                    f"“{word}” does not exist, and no file fits it as a pattern; check "
                    "the name and the folder."
                )
            raise DataError(f"No file fits the pattern “{word}”; check its ending.")
        raise DataError(
            f"The folder “{folder}” does not exist, so that no file fits the pattern "
            f"“{word}”; check its name."
        )
    return sorted(found, key=_order)


def _is_pattern(word: str) -> bool:
    return has_magic(word) and not paths.exists(word)


def _order(path: Path) -> list[tuple[int, float, str]]:
    return natural(path.name)


def _ending(path: Path) -> str:
    return path.suffix.lower().lstrip(".")
