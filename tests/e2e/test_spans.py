"""`text[span[0]:span[1]]` is what the author wrote, in ten awkward documents."""

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.conftest import World

import veridic
from veridic.config.settings import Settings
from veridic.domain.modes import ReportFormat
from veridic.reporting.render import render

# name, content, and for each claim in order what its span must be
AWKWARD: list[tuple[str, str, list[str]]] = [
    (
        "emoji.md",
        "# 👩‍👩‍👧 Families 🇫🇷\n\n🎉 The Eiffel Tower is **330 metres** tall 👍🏽. France has 101 departments 🗺️.\n",
        ["🎉 The Eiffel Tower is **330 metres** tall 👍🏽.", "France has 101 departments 🗺️."],
    ),
    (
        "combining.txt",
        unicodedata.normalize("NFD", "Bogotá has 7,181,469 inhabitants. Zürich has 434,335 inhabitants.\n"),
        [unicodedata.normalize("NFD", town) for town in ("Bogotá has 7,181,469 inhabitants.", "Zürich has 434,335 inhabitants.")],
    ),
    (
        "crlf.md",
        "Paris\r\n=====\r\n\r\nThe Eiffel Tower\r\nis 330 metres tall.\r\n\r\n- France has\r\n  101 departments.\r\n",
        ["The Eiffel Tower\r\nis 330 metres tall.", "France has\r\n  101 departments."],
    ),
    (
        "table.md",
        "| Place | Fact |\n|:--|--:|\n| Paris | The Eiffel Tower is 330 metres \\| 1,083 feet tall. |\n| Chad | N’Djamena is the capital of **Chad**. |\n",
        ["The Eiffel Tower is 330 metres \\| 1,083 feet tall.", "N’Djamena is the capital of **Chad**."],
    ),
    (
        "quotes.md",
        "> The Eiffel Tower\n> is 330 metres tall.\n>\n> > France has\n> > 101 *departments*.\n",
        ["The Eiffel Tower\n> is 330 metres tall.", "France has\n> > 101 *departments*."],
    ),
    (
        "rtl.txt",
        "القاهرة هي عاصمة مصر وأكبر مدنها، ويسكنها ملايين الناس منذ قرون طويلة.\n\n\u2067القاهرة\u2069 (Cairo) is the capital of Egypt. Cairo has 9.5 million inhabitants.\n",
        ["\u2067القاهرة\u2069 (Cairo) is the capital of Egypt.", "Cairo has 9.5 million inhabitants."],
    ),
    (
        "footnotes.md",
        "The Eiffel Tower[^1] is 330 metres tall.[^2] France has [101 departments](https://example.org/a_(b)).\n\n[^1]: It was completed in 1889.\n[^2]: Paris has 20 districts.\n",
        ["The Eiffel Tower[^1] is 330 metres tall.", "France has [101 departments", "It was completed in 1889.", "Paris has 20 districts."],
    ),
    (
        "zerowidth.txt",
        "\ufeffThe Eiffel\u00a0Tower is 330\u202fmetres\u200b tall. France has\u00ad 101\u2060 departments.\n",
        ["The Eiffel\u00a0Tower is 330\u202fmetres\u200b tall.", "France has\u00ad 101\u2060 departments."],
    ),
    (
        "lists.txt",
        "Facts:\n\n  * The Eiffel Tower is\n    330 metres tall.\n  * France has 101\n    departments.\n\n 1) Paris has\n    20 districts.\n",
        ["The Eiffel Tower is\n    330 metres tall.", "France has 101\n    departments.", "Paris has\n    20 districts."],
    ),
    (
        "mixed.md",
        "---\ntitle: Mixed\n---\n\n<!-- The moon is made of cheese. -->\n## Ⅳ. `code` & entities\n\n1. **The Eiffel Tower** is 330&nbsp;metres tall, and it was completed in 1889.\r\n\r\n```\nRome has 900 hills.\n```\n\n> - “France has 101 departments,” 🇫🇷\n\nParis\\* has 20 districts.\n",
        ["**The Eiffel Tower** is 330&nbsp;metres tall", "it was completed in 1889", "France has 101 departments,” 🇫🇷", "Paris\\* has 20 districts."],
    ),
]  # fmt: skip


def check(path: Path, world: World) -> dict[str, Any]:
    checked = veridic.check(path, against=[world.sources], settings=Settings(home=world.home))
    report: dict[str, Any] = json.loads(render(checked, ReportFormat.JSON))
    return report


def bare(text: str) -> str:
    """A span without what may or may not belong to a sentence at its ends."""
    return text.strip("*.“”,")


@pytest.mark.parametrize(("name", "content", "spans"), AWKWARD, ids=[name for name, *_ in AWKWARD])
def test_spans_are_the_author_s_words(world: World, name: str, content: str, spans: list[str]) -> None:
    path = world.folder / name
    path.write_bytes(content.encode("utf-8"))
    report = check(path, world)
    text = path.read_bytes().decode("utf-8-sig")
    found = [text[slice(*claim["span"])] for claim in report["claims"]]
    assert [bare(span) for span in found] == [bare(span) for span in spans]
    assert [claim["quote"] for claim in report["claims"]] == found
    assert report["document"]["characters"] == len(text)
    assert "text" not in report["document"], "the file's own content is the text"
    for omission in report["left_out"]:
        assert text[slice(*omission["span"])] == omission["text"]


HTML = """<!doctype html><html lang="en"><head><title>Paris &amp; France</title>
<script>var fact = "Rome has 900 hills.";</script></head>
<body><nav><a href="/">Home</a></nav><article><h1>Paris</h1>
<p>The <b>Eiffel&nbsp;Tower</b> is 330&#160;metres tall &mdash; it is in Paris &#127467;&#127479;.</p>
<p>France has <em>101</em> departments. Paris has 20 districts, and they are numbered.</p>
</article></body></html>"""


def test_html_report_includes_the_text_of_its_spans(world: World) -> None:
    page = world.folder / "page.html"
    page.write_text(HTML, encoding="utf-8")
    report = check(page, world)
    text = report["document"]["text"]
    assert report["document"]["characters"] == len(text)
    assert "<" not in text
    assert "900 hills" not in text
    assert report["claims"]
    for claim in report["claims"]:
        assert text[slice(*claim["span"])] == claim["quote"]
    quotes = " ".join(claim["quote"] for claim in report["claims"])
    assert "Eiffel" in quotes
    assert "101 departments" in quotes
