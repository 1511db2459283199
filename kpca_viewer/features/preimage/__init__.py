"""What lies at a place of the embedding: pre-images, pictures of rows, denoising."""
