"""The reference library: what Veridic knows without being given any sources."""

from veridic.evidence.reference.factbook import country_names, factbook_fingerprint, factbook_passages

__all__ = ["country_names", "factbook_fingerprint", "factbook_passages"]
