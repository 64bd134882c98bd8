"""Benchmarks: measure judges, claim detection and whole checks on data with known answers."""
