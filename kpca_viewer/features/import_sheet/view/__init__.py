"""The import sheet: what the columns of a file mean, on one page."""
