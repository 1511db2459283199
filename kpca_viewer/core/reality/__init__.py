"""Whether a picture shows more than the same kernel shows of random data."""
