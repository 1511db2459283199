"""What the bundle starts."""

import os
import sys

from kpca_viewer.__main__ import main

if __name__ == "__main__":
    # The browser that help opens must not load the libraries of the bundle.
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    sys.exit(main())
