"""Renders reports as terminal text, JSON, Markdown, HTML and ClaimReview. Pure functions."""
