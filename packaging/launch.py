"""What the bundle starts."""

import sys

from kpca_viewer.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
