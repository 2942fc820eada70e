"""Worker processes for long computations."""
