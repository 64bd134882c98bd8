"""How fast and how frugal Veridic is: `python -m benchmarks`, or `make bench`."""
