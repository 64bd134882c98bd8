"""What language models are told: every prompt, its version, and the fence around text from outside."""
