"""Fetches web pages without access to private networks."""
