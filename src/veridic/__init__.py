"""Veridic checks claims against evidence and shows its work."""

__version__ = "0.1.0"
