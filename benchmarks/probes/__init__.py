"""What a measure runs in a process of its own: each prints one JSON object."""
