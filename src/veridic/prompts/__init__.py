"""The prompts for language models, with their versions and the fence around text from outside."""
