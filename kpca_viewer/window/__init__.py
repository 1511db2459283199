"""The main window, its messages, help and preferences."""

from kpca_viewer.engine.event_loop import leave_sources_unread

# Before all that a window imports.
leave_sources_unread()
