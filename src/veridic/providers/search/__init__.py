"""Searching the world for evidence: one interface, one file a provider."""
