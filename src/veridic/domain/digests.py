"""SHA-256 of a content, for keys and for checking that it has not changed."""

from hashlib import sha256


def content_digest(content: str | bytes) -> str:
    """Return the SHA-256 in hexadecimal of bytes, or of a text of any characters."""
    return sha256(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    ).hexdigest()
