"""``python -m kpca_viewer``, and the command ``kpca-viewer``."""

import sys

from kpca_viewer.console.terminal import stop_after_imports


def main() -> int:
    """Run the program; Ctrl+C is one sentence from the first import on."""
    stop_after_imports()
    try:
        from kpca_viewer.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("kpca-viewer: stopped.\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
