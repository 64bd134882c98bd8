"""Web search: one interface, and one module for each provider."""
