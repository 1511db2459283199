"""Where points come from: files, generators and drawings. No Qt.

What cannot be used raises a `DataError` whose text says what is wrong, where, and what
to do. Functions that take ``should_stop`` raise `Cancelled` once it says so.
"""
