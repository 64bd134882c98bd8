"""The reference library that comes with Veridic: the CIA World Factbook as passages."""

from veridic.evidence.reference.factbook import country_names, factbook_fingerprint, factbook_passages

__all__ = ["country_names", "factbook_fingerprint", "factbook_passages"]
