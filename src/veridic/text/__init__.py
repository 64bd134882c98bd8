"""Reads English: sentences, words, numbers, dates and names. Pure functions, shared by all stages."""
