"""The model that ships with Veridic. It reads a claim together with evidence, on the CPU, without network access."""
