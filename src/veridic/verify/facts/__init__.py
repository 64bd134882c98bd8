"""What the code of a repository shows: declarations, definitions and manifests, each with its place."""
