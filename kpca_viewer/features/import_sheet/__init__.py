"""From a file to data: what the worker does, and what the import sheet shows of it."""
