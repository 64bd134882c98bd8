"""Bad input: exit code 2 and one sentence that names the file and a fix."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridic.config.settings import Settings
from veridic.domain.errors import (
    EmptyInputError,
    InputError,
    NotFoundError,
    TooLargeError,
    UnsupportedInputError,
)
from veridic.ingest.read import document_from_bytes, document_from_text, read_document

SETTINGS = Settings(max_document_bytes=1000)


@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"", EmptyInputError, "empty"),
        (b" \r\n\t\xef\xbb\xbf \n", EmptyInputError, "empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", UnsupportedInputError, "binary"),
        (b"\x7fELF\x02\x01\x01\x00", UnsupportedInputError, "binary"),
        (bytes(range(1, 9)) * 20, UnsupportedInputError, "binary"),
        ("Привет, мир. Это обычный текст.".encode("cp1251"), UnsupportedInputError, "encoding"),
        ("Mały żółw idzie powoli, a świat trwa.".encode("cp1250"), UnsupportedInputError, "encoding"),
        ("こんにちは世界".encode("shift_jis"), UnsupportedInputError, "encoding"),
        ("Text".encode("utf-32"), UnsupportedInputError, "encoding"),
        (b"\xff\xfea", UnsupportedInputError, "encoding"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 20, UnsupportedInputError, "DOCX"),
        (b"{\\rtf1 hello}", UnsupportedInputError, "RTF"),
        (b"PK\x03\x04garbage", UnsupportedInputError, "broken"),
        (b"x" * 1001, TooLargeError, "1,000 bytes"),
    ],
)
def test_unreadable_content(tmp_path: Path, content: bytes, error: type[InputError], words: str) -> None:
    path = tmp_path / "given.txt"
    path.write_bytes(content)
    with pytest.raises(error) as raised:
        read_document(str(path), settings=SETTINGS)
    message = str(raised.value)
    assert "given.txt" in message
    assert words in message
    assert message.endswith(".")
    assert "\n" not in message
    assert raised.value.exit_code == 2


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"no file .*nothing\.md"):
        read_document(str(tmp_path / "nothing.md"), settings=SETTINGS)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "file.txt/inside"])
def test_impossible_file_names(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.txt").write_text("x")
    with pytest.raises(InputError):
        read_document(str(tmp_path / name), settings=SETTINGS)


def test_a_directory_instead_of_a_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is a directory.*--against"):
        read_document(str(tmp_path), settings=SETTINGS)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in the file system")
def test_a_named_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UnsupportedInputError, match="not a file"):
        read_document(str(pipe), settings=SETTINGS)


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x")
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        read_document(str(path), settings=SETTINGS)


def test_the_size_is_checked_before_reading(tmp_path: Path) -> None:
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(10**12)  # sparse: reading it would take all memory
    with pytest.raises(TooLargeError):
        read_document(str(path), settings=SETTINGS)


@pytest.mark.parametrize(
    "target", ["ftp://example.org/a", "file:///etc/passwd", "https://", "http://user:pw@example.org/"]
)
def test_unsupported_urls(target: str) -> None:
    with pytest.raises(InputError):
        read_document(target, settings=SETTINGS)


def test_standard_input_is_named() -> None:
    read = read_document("-", settings=SETTINGS, stdin=lambda: b"# Hello\n\nWorld.")
    assert (read.source, read.title, read.media_type) == ("-", "Hello", "text/markdown")
    with pytest.raises(EmptyInputError, match="Standard input is empty"):
        read_document("-", settings=SETTINGS, stdin=lambda: b"")
    with pytest.raises(TooLargeError, match="Standard input"):
        read_document("-", settings=SETTINGS, stdin=lambda: b"x" * 1001)


def test_invalid_unicode_is_refused() -> None:
    with pytest.raises(UnsupportedInputError):
        document_from_text("broken \udc80 text")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300).filter(lambda content: b"<" not in content and b"%PDF" not in content))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read = document_from_bytes(content, source="any.txt", settings=SETTINGS)
    except InputError as error:
        assert "any.txt" in str(error)
    else:
        assert read.text.strip()
