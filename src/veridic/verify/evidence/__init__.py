"""Evidence from beyond the code itself: history, links, examples, databases and live endpoints."""
