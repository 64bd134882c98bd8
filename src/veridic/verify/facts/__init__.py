"""Facts read from the code of a repository: declarations, definitions and manifests, each with file and line."""
