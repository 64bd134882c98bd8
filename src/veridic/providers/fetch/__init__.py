"""Getting pages from the web, without being led into a private network."""
