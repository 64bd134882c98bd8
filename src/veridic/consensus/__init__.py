"""Consensus mode: the run, its roles, and the models that fill them."""
