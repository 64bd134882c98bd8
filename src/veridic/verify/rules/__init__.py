"""The rules that compare claims with facts. Their tests and their page in the docs are generated from `table.py`."""
