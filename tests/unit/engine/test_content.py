"""Truncating the content of a consensus run."""

from veridic.config.settings import Settings
from veridic.engine.content import truncated
from veridic.ingest.read import document_from_bytes

_NOTE = "[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"


def test_a_truncated_page_keeps_its_text_and_paragraphs() -> None:
    paragraphs = "".join(f"<p>Paragraph {n} has tags like &lt;b&gt; in its words.</p>" for n in range(50))
    page = f"<html><body><article>{paragraphs}</article></body></html>".encode()
    whole = document_from_bytes(page, source="page.html", settings=Settings())
    shorter = truncated(whole, 500)
    assert shorter.text == f"{whole.text[:500]}\n\n{_NOTE}"
    assert "<b>" in shorter.text
    kept = [block.plain(shorter.text) for block in shorter.blocks]
    assert kept[:3] == [block.plain(whole.text) for block in whole.blocks[:3]]
    assert "".join(kept) == whole.text[:500].replace("\n\n", "")


def test_truncated_markdown_stays_markdown() -> None:
    text = "# Heading\n\n" + "The **capital** of Australia is Canberra.\n\n" * 50
    whole = document_from_bytes(text.encode(), source="-", settings=Settings())
    shorter = truncated(whole, 500)
    assert shorter.media_type == whole.media_type == "text/markdown"
    assert shorter.title == "Heading"
    assert shorter.text.endswith(_NOTE)
    assert not any("truncated" in block.plain(shorter.text) for block in shorter.blocks)


def test_short_content_is_not_changed() -> None:
    whole = document_from_bytes(b"x" * 500, source="-", settings=Settings())
    assert truncated(whole, 500) is whole
