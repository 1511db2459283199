"""Programs of their own: small files that are run away from this process."""

import runpy
import sys
from pathlib import Path

BUNDLE_OPTION = "--run-file"
"""What a bundle of the program is started with, in place of an interpreter."""


def command(file: str | Path, *words: object) -> list[str]:
    """Return how a file of Python is run: a bundle has no interpreter, but itself.

    Not by `multiprocessing`, which runs the script of the person again in the child.
    """
    # A bundle names modules in its archive; the files are beside it.
    path = Path(file).with_suffix(".py")
    how = BUNDLE_OPTION if getattr(sys, "frozen", False) else "-P"
    return [sys.executable, how, str(path), *map(str, words)]


def run_file() -> bool:
    """Run the file that a bundle was started with, if it was started with one."""
    if sys.argv[1:2] != [BUNDLE_OPTION]:
        return False
    del sys.argv[:2]
    runpy.run_path(sys.argv[0], run_name="__main__")
    return True
