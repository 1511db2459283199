"""What lies at a place of the embedding: cursor, values, pictures."""
