"""A sweep as a file: sheet, film, table."""
