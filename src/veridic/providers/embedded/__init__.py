"""The model that ships with Veridic: reads a claim and evidence together, on the CPU, with no network."""
