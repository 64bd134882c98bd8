"""A language model as the second reader of code: what it is asked, what it answers, and what of that is evidence."""
