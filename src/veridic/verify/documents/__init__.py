"""What documents, comments and help texts say: pieces of text, and the claims in them. Nothing here looks at code."""
