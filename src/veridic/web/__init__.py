"""The web app: pages to start, watch and find checks."""
