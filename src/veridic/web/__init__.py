"""The pages: start a check, watch it, come back to it."""
