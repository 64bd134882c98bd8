"""Evidence: corpora, search and ranking of passages, source credibility, and copies."""
