"""A line through plane data that is turned by hand, with what lies along it."""
