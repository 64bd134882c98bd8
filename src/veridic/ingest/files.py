"""Files on disk: read with one clear sentence for each way that can go wrong, and written whole or not at all."""

import os
import stat
from contextlib import suppress
from pathlib import Path

from veridic.config.settings import Settings
from veridic.domain.errors import InputError, NotFoundError, TooLargeError, UnsupportedInputError


def read_file(path: Path, settings: Settings) -> bytes:
    """The content of a regular file no larger than `settings.max_document_bytes`."""
    limit = settings.max_document_bytes
    too_large = TooLargeError(
        f"{path} is larger than {limit:,} bytes; VERIDIC_MAX_DOCUMENT_BYTES sets the limit."
    )
    try:
        found = path.stat()
        refuse_unless_regular(path, found.st_mode)
        if found.st_size > limit:
            raise too_large
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise file_error(path, error) from None
    if len(content) > limit:
        raise too_large
    return content


def refuse_unless_regular(path: Path, mode: int) -> None:
    """Folders, pipes and devices are not read as a document."""
    if stat.S_ISDIR(mode):
        raise InputError(
            f"{path} is a directory: name a file to check; folders can be evidence, with --against."
        )
    if not stat.S_ISREG(mode):
        raise UnsupportedInputError(
            f"{path} is a pipe or a device, not a file: use - to read standard input."
        )


def file_error(path: Path, error: OSError | ValueError) -> InputError:
    """What to tell the user about an operating system's refusal."""
    match error:
        case FileNotFoundError() | NotADirectoryError() | ValueError():
            return NotFoundError(f"There is no file {str(path)!r}.")
        case PermissionError():
            return InputError(f"{path} can't be read: permission denied.")
        case _:
            return InputError(f"{path} can't be read: {error.strerror or error}.")


def replace_file(target: Path, content: bytes) -> None:
    """Put a file with this content in the place of another, keeping its permissions; `OSError` leaves the old one."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        if target.exists():
            part.chmod(target.stat().st_mode)
        part.replace(target)
    finally:
        with suppress(OSError):  # it has moved, or was never made
            part.unlink()
