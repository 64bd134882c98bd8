"""Settings. Only this package reads the environment."""
