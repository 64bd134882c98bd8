"""The body of an HTTP answer, unpacked, up to a limit of size: nobody outside decides how much memory we take."""

import zlib

import httpx2


class BodyTooLargeError(Exception):
    """More than the limit came; the rest was not read."""

    def __init__(self, read: int) -> None:
        super().__init__(f"{read:,} bytes and more")
        self.read = read
        """Bytes that came before reading ended."""


class UnknownPackingError(Exception):
    """`str(error)` is the encoding that the body is packed in."""


async def read_body(response: httpx2.Response, largest: int) -> bytes:
    """The whole body; reading stops as soon as it is over the limit. `zlib.error` where the packing is broken."""
    encoding = response.headers.get("Content-Encoding", "").strip().lower()
    if encoding not in ("", "identity", "gzip"):
        raise UnknownPackingError(encoding)
    gunzip = zlib.decompressobj(wbits=31) if encoding == "gzip" else None
    body = bytearray()
    async for chunk in response.aiter_raw():
        # A small body can unpack to a huge one: no more is unpacked than shows that it is too large.
        body += gunzip.decompress(chunk, largest + 1 - len(body)) if gunzip else chunk
        if len(body) > largest:
            raise BodyTooLargeError(len(body))
    if gunzip and not gunzip.eof:
        raise zlib.error("the packed body ends too early")
    return bytes(body)
