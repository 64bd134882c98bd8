"""A language model as the second reader of code: its prompts, its answers, and which of them count as evidence."""
