"""What lies at a place of the embedding: pre-images and pictures of rows."""
