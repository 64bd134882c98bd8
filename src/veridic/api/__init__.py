"""The HTTP API: starts checks, streams their events, serves their reports."""
