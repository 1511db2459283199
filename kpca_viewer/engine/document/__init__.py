"""Session files: what they keep, how they are written, read and recovered."""
