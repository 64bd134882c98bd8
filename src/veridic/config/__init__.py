"""Settings: the only reader of the environment."""
