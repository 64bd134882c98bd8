"""Claims that a language model finds in documents: what it is asked, where its words stand, and what of that is a claim."""
