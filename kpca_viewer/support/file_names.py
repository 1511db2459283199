"""Names of files as people give them."""

import os
from pathlib import Path


def with_ending(name: str | Path, ending: str) -> Path:
    """Return a name with its ending added, unless it is there.

    Nothing is taken away: what follows a dot in “run.2” is part of the name.
    """
    path = Path(name)
    if path.suffix.lower() == ending:
        return path
    return path.with_name(path.name + ending)


def unasked(path: Path, chosen: str | Path) -> str:
    """Say that a name which only its ending has made is taken; else nothing.

    The dialog has asked about what was typed, not about this file.
    """
    if path == Path(chosen) or not os.path.exists(path):
        return ""
    return f"“{path.name}” exists already; type its whole name to replace it."
