"""HTML, PDF and DOCX to blocks of text, in a process of its own: the files may be hostile."""
