"""Reads documents, comments and help texts: splits them into units and finds the claims in them, without looking at code."""
