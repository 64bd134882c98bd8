"""Heats water."""
