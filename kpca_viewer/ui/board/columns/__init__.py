"""The page Columns: what moves components, and what tells groups apart."""
