"""Theme, controls and plots that features share: they show values only."""

from kpca_viewer.engine.event_loop import leave_sources_unread, make_errors_whole

leave_sources_unread()
# Before the first class of a widget, of pyqtgraph's too.
make_errors_whole()
