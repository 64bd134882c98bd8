"""Says what is set up, what can be reached and what is missing, each with the command that fixes it."""
