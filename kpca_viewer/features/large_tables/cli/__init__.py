"""``kpca-viewer embed`` of a table in parts: block by block, on a cluster."""
