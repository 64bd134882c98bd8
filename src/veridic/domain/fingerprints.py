"""A name for a claim that stays the same when lines move."""

from hashlib import sha256

from veridic.domain.code import DocClaim

_LENGTH = 32


def fingerprint(claim: DocClaim) -> str:
    """The same for the same words in the same document, wherever in it they stand and however they are wrapped."""
    words = " ".join(claim.text.split())
    return sha256(f"{claim.document}\0{words}".encode("utf-8", "surrogatepass")).hexdigest()[:_LENGTH]
