"""``python -m kpca_viewer``."""

import sys

from kpca_viewer.cli import main

sys.exit(main())
