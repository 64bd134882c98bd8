"""Commands of a repository, run where they can do no harm."""
