"""Checking many articles with one command: inputs, the batch itself, its results."""
