"""The rules by which claims are held against facts: one table, from which their tests and their page in the docs are made."""
