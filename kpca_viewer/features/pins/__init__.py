"""Pictures that are kept, and two of them compared."""
