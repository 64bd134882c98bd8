"""Runs commands of a repository in a sandbox."""
