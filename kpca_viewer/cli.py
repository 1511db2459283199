"""The command line."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NoReturn

from kpca_viewer import __version__

if TYPE_CHECKING:
    from kpca_viewer.session.settings import SessionSettings

DEFAULT_PICTURE = "kpca_viewer.png"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    started = perf_counter()
    options = _parser().parse_args(arguments)
    # pyqtgraph takes the first Qt binding that it finds, unless it is told.
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    from kpca_viewer.core.errors import KpcaError

    try:
        settings = _settings(options)
        if options.picture is not None or not has_screen():
            return _save_picture(options, settings)
        from kpca_viewer.app import run_viewer

        return run_viewer(
            settings,
            theme=options.theme,
            started=started if options.timings else None,
        )
    except KpcaError as error:
        print(f"kpca-viewer: {error}", file=sys.stderr)
        return 2


def has_screen() -> bool:
    """Whether a window can be shown to anybody."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if platform:
        return not platform.startswith(("offscreen", "minimal", "vnc"))
    if not sys.platform.startswith("linux"):
        return True
    if os.environ.get("WAYLAND_DISPLAY"):
        return True
    display = os.environ.get("DISPLAY", "")
    if display.startswith(":"):
        # A display that nobody serves would abort the process inside Qt.
        number = display[1:].partition(".")[0]
        return Path(f"/tmp/.X11-unix/X{number}").exists()
    return bool(display)


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all others of this program."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}; --help lists the options.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="kpca-viewer",
        description="Look at data through kernel PCA. Without options the window opens "
        "as you left it.",
        epilog="Example: kpca-viewer --data moons --kernel rbf --gamma 8",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "--data", metavar="NAME", help="circles, moons, s_curve, iris, digits, …"
    )
    parser.add_argument("--samples", type=int, metavar="N", help="how many points")
    parser.add_argument("--noise", type=float, metavar="X", help="0 … 0.5")
    parser.add_argument("--seed", type=int, metavar="N", help="of the generator")
    parser.add_argument("--kernel", metavar="NAME", help="rbf, poly, laplacian, …")
    parser.add_argument("--gamma", type=float, metavar="X", help="γ of the kernel")
    parser.add_argument("--degree", type=int, metavar="P", help="of the polynomial")
    parser.add_argument(
        "--theme", choices=("light", "dark"), help="for this start only"
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        type=Path,
        help="save a picture of the window as a PNG instead of opening it",
    )
    parser.add_argument(
        "--size",
        metavar="WxH",
        default="1366x768",
        help="of the picture, in pixels (default: %(default)s)",
    )
    parser.add_argument(
        "--timings", action="store_true", help="print when the first picture is there"
    )
    return parser


def _settings(options: argparse.Namespace) -> "SessionSettings | None":
    """Return what the options ask for, or None where they ask for nothing."""
    from kpca_viewer.core.errors import DataError, KernelError
    from kpca_viewer.core.kernels import FAMILIES, Kernel
    from kpca_viewer.data.generators import GENERATORS, generate
    from kpca_viewer.session.settings import (
        DataSettings,
        KernelSettings,
        SessionSettings,
        ViewSettings,
        as_values,
    )

    given = {
        name: getattr(options, name)
        for name in ("samples", "noise")
        if getattr(options, name) is not None
    }
    kernel_values = {
        name: getattr(options, name)
        for name in ("gamma", "degree")
        if getattr(options, name) is not None
    }
    chosen = (options.data, options.seed, options.kernel, *given, *kernel_values)
    if not any(value is not None for value in chosen):
        return None
    source, family = options.data or "circles", options.kernel or "rbf"
    if source not in GENERATORS:
        raise DataError(
            f"There is no data set “{source}”; choose one of {', '.join(GENERATORS)}."
        )
    if family not in FAMILIES:
        raise KernelError(
            f"There is no kernel “{family}”; choose one of {', '.join(FAMILIES)}."
        )
    # Said here, in the terminal, rather than by a window without a picture.
    Kernel(family, **kernel_values)
    seed = options.seed or 0
    if GENERATORS[source].parameters:
        generate(source, seed=seed, **given)
    data = DataSettings.of_source(source, seed=seed)
    return SessionSettings(
        data=replace(data, values=as_values(given)),
        kernel=KernelSettings(family, as_values(kernel_values)),
        view=ViewSettings().for_source(source),
    )


def _save_picture(
    options: argparse.Namespace, settings: "SessionSettings | None"
) -> int:
    """Render the window to a file; the way out where there is no screen."""
    path = options.picture
    if path is None:
        path = Path(DEFAULT_PICTURE)
        print(f"There is no screen here; rendering the session to {path} instead.")
    # Set before Qt is loaded: it needs no display server.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from kpca_viewer.picture import save_window_picture

    save_window_picture(path, settings, options.theme, _size(options.size))
    print(f"Saved {path}")
    return 0


def _size(text: str) -> tuple[int, int]:
    from kpca_viewer.core.errors import DataError

    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise DataError(f"The size “{text}” is not WIDTHxHEIGHT, such as 1366x768.")
    return int(width), int(height)
