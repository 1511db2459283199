"""``python -m kpca_viewer``."""

import sys

from kpca_viewer.cli.main import main

sys.exit(main())
