"""The content of a consensus run: what is left of it where it is too long."""

from veridic.config.settings import Settings
from veridic.ingest.read import document_from_bytes
from veridic.pipeline.content import truncated

_NOTE = "[Content truncated to 500 characters. Claims beyond this point were not analyzed.]"


def test_a_page_that_is_cut_keeps_its_text_and_its_paragraphs() -> None:
    paragraphs = "".join(f"<p>Paragraph {n} has tags like &lt;b&gt; in its words.</p>" for n in range(50))
    page = f"<html><body><article>{paragraphs}</article></body></html>".encode()
    whole = document_from_bytes(page, source="page.html", settings=Settings())
    shorter = truncated(whole, 500)
    assert shorter.text == f"{whole.text[:500]}\n\n{_NOTE}"
    assert "<b>" in shorter.text
    kept = [block.plain(shorter.text) for block in shorter.blocks]
    assert kept[:3] == [block.plain(whole.text) for block in whole.blocks[:3]]
    assert "".join(kept) == whole.text[:500].replace("\n\n", "")


def test_markdown_that_is_cut_stays_markdown() -> None:
    text = "# Heading\n\n" + "The **capital** of Australia is Canberra.\n\n" * 50
    whole = document_from_bytes(text.encode(), source="-", settings=Settings())
    shorter = truncated(whole, 500)
    assert shorter.media_type == whole.media_type == "text/markdown"
    assert shorter.title == "Heading"
    assert shorter.text.endswith(_NOTE)
    assert not any("truncated" in block.plain(shorter.text) for block in shorter.blocks)


def test_what_fits_is_left_alone() -> None:
    whole = document_from_bytes(b"x" * 500, source="-", settings=Settings())
    assert truncated(whole, 500) is whole
