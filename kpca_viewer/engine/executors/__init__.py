"""Where jobs run: threads, processes, and workers of a Dask cluster."""
