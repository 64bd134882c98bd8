"""The HTTP API: starts checks, streams their events, gives out their reports."""
