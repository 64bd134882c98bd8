"""From a file, a page or standard input to a `Document` whose offsets are exact."""
