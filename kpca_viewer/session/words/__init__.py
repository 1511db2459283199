"""What a result says in words: verdicts, advice, glossary, steps of the history."""
