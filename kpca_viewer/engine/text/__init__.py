"""Words that several features use: glossary, titles of undo steps, rows and scores."""
