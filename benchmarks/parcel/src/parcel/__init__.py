"""Track parcels."""

__version__ = "1.4.0"
