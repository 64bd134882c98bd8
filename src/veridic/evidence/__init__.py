"""Evidence: corpora of passages, how they are found, how far they are trusted, how much they count."""
