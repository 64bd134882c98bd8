"""The rules that turn evidence and judgements into decisions. Pure functions, without I/O."""
