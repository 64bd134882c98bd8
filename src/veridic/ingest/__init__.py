"""Reads a file, a page or standard input into a `Document` with exact offsets."""
