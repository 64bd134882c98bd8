"""Evidence from outside the current code: history, links, examples, databases and live endpoints."""
