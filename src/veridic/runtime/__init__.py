"""Runs that go on by themselves: carried out in the background, followed by anyone, written down as they go."""
