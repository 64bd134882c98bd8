"""What a document says, held against what the code shows: one module a kind of assertion."""
