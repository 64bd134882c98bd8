"""Documents against code by what has changed: the mode of `veridic verify` for continuous integration."""
