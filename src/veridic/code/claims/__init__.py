"""What documents, docstrings, comments, help texts, commits and names say about a repository."""
