"""What `veridic verify` found, as text, JSON, Markdown and SARIF."""
