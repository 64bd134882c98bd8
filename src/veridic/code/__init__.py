"""Docs against code: what documents say about a repository, and what the repository shows."""
