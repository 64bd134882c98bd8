"""Running checks in the background, streaming their events and saving them as they go."""
