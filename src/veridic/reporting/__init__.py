"""The report for people and programs: terminal, JSON, Markdown, HTML, ClaimReview. Pure functions."""
