"""Claims that a language model finds in documents: the prompt, the place of its quotes, and which proposals become claims."""
