"""One folder for each thing that people see or do."""
