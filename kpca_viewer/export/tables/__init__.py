"""Numbers as tables: coordinates, eigenvalues, sweeps; CSV, Excel, Parquet and NPZ."""
