"""What one source file shows, as facts and texts. Nothing is imported or run."""
