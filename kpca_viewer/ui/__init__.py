"""Widgets. They show values and emit wishes; they compute nothing."""

from kpca_viewer.runtime.overrides import make_errors_whole

# Before the first class of a widget, of pyqtgraph's too.
make_errors_whole()
