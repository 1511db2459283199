"""``kpca-viewer doctor``: what this machine has, and whether every part works."""

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kpca_viewer import __version__
from kpca_viewer.console.terminal import say
from kpca_viewer.resources import asset
from kpca_viewer.support import libraries
from kpca_viewer.support.screen import has_screen

PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "threadpoolctl",
    "PySide6-Essentials",
    "pyqtgraph",
    "ziamath",
    "contourpy",
    "pillow",
    "msgspec",
    "psutil",
    "pyarrow",
    "python-calamine",
)
OPTIONAL = "h5py", "matplotlib", "dask"


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor",
        help="say what this machine has, and try every part",
        description="Say what this machine has, and try every part of the program. "
        "Nothing is sent anywhere: the program uses no network and no telemetry.",
        epilog="examples:\n  kpca-viewer doctor\n      what to add to a report of a "
        "fault\n\nThe exit code is 0, or 1 where a part fails.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run)
    return parser


def run(_options: argparse.Namespace) -> int:
    """Print what is there, then a line for every part; 1 where one fails."""
    for name, value in facts():
        say(f"{name:<20} {value}")
        sys.stdout.flush()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        for name, part in parts(Path(folder)):
            try:
                part()
                verdict = "works"
            except Exception as error:  # noqa: BLE001 — the next part is tried too
                failed += 1
                verdict = f"FAILS: {type(error).__name__}: {error}"
            say(f"{name:<20} {verdict}")
    say("The program uses no network and sends nothing.")
    return 1 if failed else 0


def facts() -> Iterator[tuple[str, str]]:
    import psutil

    from kpca_viewer.engine.document.recovery import state_folder

    yield "kpca_viewer", __version__
    yield "Python", platform.python_version()
    yield "system", platform.platform()
    for name in (*PACKAGES, *OPTIONAL):
        try:
            yield name, version(name)
        except PackageNotFoundError:
            yield name, "not there, optional" if name in OPTIONAL else "NOT FOUND"
    memory = psutil.virtual_memory()
    free, whole = memory.available / 2**30, memory.total / 2**30
    yield "memory", f"{free:.1f} of {whole:.1f} GB free"
    yield "cores", str(psutil.cpu_count())
    yield "state folder", str(state_folder())
    if packages := libraries.missing():
        # Without some of them Qt ends the process.
        yield "system libraries", f"MISSING; {libraries.what_to_install(packages)}"
    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
        yield "screen", "none: commands work, the window does not"
    from PySide6.QtGui import QFontDatabase, QGuiApplication

    from kpca_viewer.window.application import application

    application()
    for screen in QGuiApplication.screens() if has_screen() else ():
        size, ratio = screen.size(), screen.devicePixelRatio()
        shape = f"{size.width()} × {size.height()}, scale {ratio:g}"
        yield "screen", f"{shape}, {QGuiApplication.platformName()}"
    yield "fonts", f"{len(QFontDatabase.families())} families"


def parts(folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    yield "solvers", try_solvers
    for name in ("wine.csv", "flowers.xlsx", "rings.parquet", "moons.npz"):
        yield f"reading {Path(name).suffix}", partial(try_file, asset("data", name))
    yield "window", partial(try_drawing, folder / "window.png")
    yield "figure", partial(try_drawing, folder / "figure.pdf", "--what", "embedding")
    formulas = "--data", "three_points", "--what", "derivation"
    yield "formulas", partial(try_drawing, folder / "formulas.svg", *formulas)
    yield "page to share", partial(try_drawing, folder / "page.html")
    yield "state folder", try_state


def try_solvers() -> None:
    from kpca_viewer import KernelPCA, generate

    X = generate("circles", samples=1700).points
    for solver in ("dense", "krylov", "lowrank"):
        KernelPCA(2, kernel="rbf", gamma=10, eigen_solver=solver).fit(X)


def try_file(path: Path) -> None:
    from kpca_viewer import read

    if not len(read(path).points):
        raise ValueError("it has no rows")


def try_drawing(path: Path, *options: str) -> None:
    from kpca_viewer.cli.main import main

    if main(["render", *options, "--out", str(path), "--quiet"]):
        raise ValueError("it was not drawn")


def try_state() -> None:
    from kpca_viewer.engine.document.recovery import state_folder

    place = state_folder()
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=place):
        pass
