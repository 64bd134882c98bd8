"""Extracts blocks of text from HTML, PDF and DOCX, in child processes because files may be hostile."""
