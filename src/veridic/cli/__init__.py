"""The `veridic` command. Commands import heavy modules inside their functions, so that `--help` is fast."""
