"""What every layer may use: errors, progress, memory, safe files, numbers in words."""
