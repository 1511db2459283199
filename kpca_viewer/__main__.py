"""``python -m kpca_viewer``, and the command ``kpca-viewer``."""

import signal
import sys


def main() -> int:
    """Run the program; Ctrl+C is one sentence as soon as it can be said."""
    # Until then it is silent.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from kpca_viewer.console.terminal import stop_on_interrupt

    stop_on_interrupt()
    if getattr(sys, "frozen", False):
        return _run_bundle()
    return _run()


def _run_bundle() -> int:
    """Run the program of a bundle, which is its own interpreter for its children."""
    from multiprocessing import freeze_support

    from kpca_viewer.support.programs import run_file

    freeze_support()
    return 0 if run_file() else _run()


def _run() -> int:
    try:
        from kpca_viewer.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("kpca-viewer: stopped.\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
