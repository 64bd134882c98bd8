"""How good Veridic is: its judges, its claim detection and whole checks, measured on rows with known answers."""
