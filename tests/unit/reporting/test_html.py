import base64
import hashlib
import html
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import make_decision, make_document, make_report, make_validation
from tests.unit.reporting.article import article_report
from tests.unit.reporting.hostile import BREAKOUT, PAYLOADS, SCRIPT, TEMPLATE, hostile_report

from veridic.domain.report import Report
from veridic.domain.usage import Usage
from veridic.domain.verdicts import Verdict
from veridic.reporting.comparing import differences
from veridic.reporting.html import to_html

_VOID = {"meta", "link", "br", "img", "input"}


class _Page(HTMLParser):
    """Parses the page: tags with attributes, ids, headings. Fails on bad nesting."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in names]

    def values(self, attribute: str) -> list[str]:
        return [value for _, attributes in self.tags if (value := attributes.get(attribute)) is not None]


@pytest.fixture(scope="module")
def article() -> str:
    return to_html(article_report())


def test_differences_are_marked(sample_report: Report) -> None:
    page = html.unescape(to_html(sample_report))

    assert page.count("Differs: figure “26,768,598”, not “40 million”.") == 1
    assert page.count("Differs:") == 1


def test_internal_links_have_targets(article: str) -> None:
    page = _Page(article)
    ids = page.values("id")

    assert len(ids) == len(set(ids))
    inside = {value[1:] for value in page.values("href") if value.startswith("#")}
    assert inside <= set(ids)
    labels = {name for value in page.values("aria-labelledby") for name in value.split()}
    assert labels <= set(ids)


def test_heading_order_and_landmarks(article: str) -> None:
    page = _Page(article)
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]

    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    assert {"main", "nav", "header", "footer"} <= {tag for tag, _ in page.tags}
    assert page.named("html")[0]["lang"] == "en"


def test_page_makes_no_requests(article: str) -> None:
    page = _Page(article)

    assert page.values("src") == []
    assert [link["href"] for link in page.named("link")] == ["data:,"]
    assert "@import" not in article
    assert not re.search(r"url\(", article)
    assert page.values("style") == []
    assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_style_and_script_are_pinned_by_hash(article: str) -> None:
    policy = html.unescape(article.split('Security-Policy" content="')[1].split('"', maxsplit=1)[0])

    for tag in ("style", "script"):
        [content] = re.findall(f"<{tag}>(.*?)</{tag}>", article, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def test_page_has_all_sections(article: str) -> None:
    text = html.unescape(re.sub(r"<[^>]+>", "", article))

    assert 'aria-label="Credibility score 62 of 100"' in article
    assert 'stroke-dasharray="62 100"' in article
    for heading in (
        "annotated",
        "Corrections",
        "Claims, by verdict",
        "Evidence",
        "Not checked",
        "Sources",
        "Method",
    ):
        assert heading in text
    assert "<del>52</del>" in article
    assert "<ins>32.6</ins>" in article
    assert "Population of Peru: 32,600,249 (2024 est.)." in text
    assert article.count('class="card"') == 20
    assert article.count("<sup ") == 20
    assert article.count("<tr role") - 1 == sum(len(d.evidence) for d in article_report().decisions)


def test_validation_of_a_claim_is_shown(sample_report: Report) -> None:
    page = to_html(sample_report)
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", "", page)).split())

    assert "Australia has about 26.8 million inhabitants [1][4]." in text
    assert "Projections reach 40 million after 2060 at the earliest [4]" in text
    assert "Sources disagree One ranking puts Melbourne first, another Vienna [2][3]." in text
    assert "Sources 0 supporting, 2 contradicting, 1 neutral of 3 read: strong agreement" in text
    assert "3 of 4 searches answered: Exa gave no answer within 20 seconds." in text
    assert "Searches without an answer What they would have found" in text
    assert "3,100 tokens in, 420 out, 0.0151 USD" in text
    assert "Research institution, high credibility (85%)research, found in exa" in text


def test_dated_sources_are_on_an_accessible_time_line(article: str) -> None:
    lines = [tag for tag in _Page(article).named("svg") if tag.get("class") == "dates"]

    assert len(lines) == sum(decision.validation is not None for decision in article_report().decisions)
    assert {line["role"] for line in lines} == {"img"}
    assert any(
        "Sources of claim 1 by date. Supports: 1985-03-12, " in str(line["aria-label"]) for line in lines
    )
    assert "<title>Peru, item 0, 12 March 1985: supports</title>" in article


def test_single_date_has_no_time_line() -> None:
    assert 'class="dates"' not in to_html(make_report([make_decision(validation=make_validation())]))


def test_citations_in_the_summary_are_linked(article: str) -> None:
    [summary] = re.findall(r'<p class="summary".*?</p>', article)
    assert '<a class="reference" href="#source-2" aria-label="Source 2">[2]</a>.' in summary

    made_up = article_report().model_copy(update={"summary": "It is so [0] [99] [999999]."})
    assert "It is so [0] [99] [999999]." in to_html(made_up)


def test_web_links_send_no_referrer(article: str) -> None:
    outward = [link for link in _Page(article).named("a") if str(link["href"]).startswith("http")]

    assert len(outward) == sum(source.url is not None for source in article_report().sources)
    assert {link["rel"] for link in outward} == {"noopener noreferrer nofollow"}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_hostile_text_adds_no_markup(payload: str) -> None:
    def structure(page: str) -> list[tuple[str, tuple[str, ...]]]:
        return [(tag, tuple(attributes)) for tag, attributes in _Page(page).tags]

    attacked = to_html(hostile_report(payload))

    attacked.encode()
    assert structure(attacked) == structure(to_html(hostile_report("x" * len(payload))))
    assert not [href for href in _Page(attacked).values("href") if "javascript" in href]


def test_hostile_text_is_shown_literally() -> None:
    assert html.escape(SCRIPT, quote=False)[:30] in to_html(hostile_report(SCRIPT))
    assert TEMPLATE in to_html(hostile_report(TEMPLATE))
    assert "<script>window" not in to_html(hostile_report(BREAKOUT))


@pytest.mark.parametrize("score", [0, 100, None])
def test_gauge_for_every_score(score: int | None) -> None:
    page = to_html(make_report(credibility_score=score))

    assert ("No credibility score" in page) is (score is None)
    assert ("1 of 1</text>" in page) is (score is None)


def test_report_without_claims() -> None:
    page = to_html(make_report([], credibility_score=None, verdict=Verdict.UNVERIFIABLE))
    ids = _Page(page).values("id")

    assert "No checkable claims were found" in page
    assert "evidence" not in ids
    assert "method" in ids


def test_long_document_is_shown_completely() -> None:
    report = make_report([], document=make_document("word " * 200_000 + "the end"))

    assert "the end</p>" in to_html(report)


def test_model_cost_is_shown() -> None:
    usage = Usage(calls=1234, input_tokens=5_000_000, output_tokens=10, cost_usd=1.5)
    page = to_html(make_report().model_copy(update={"usage": usage}))

    assert "1,234" in page
    assert "5,000,000" in page
    assert "1.5000 USD" in page


def test_only_a_valid_language_tag_is_used(sample_report: Report) -> None:
    assert 'lang="de"' in to_html(sample_report.model_copy(update={"language": "de"}))
    assert 'class="document">' in to_html(sample_report.model_copy(update={"language": "und"}))


_WORDS = st.lists(st.sampled_from(["a", "b", "4.5", " ", ",", "  ", "é", "🦘", "\n"]), max_size=12).map(
    "".join
)


@given(_WORDS, _WORDS)
def test_differences_contain_both_texts(old: str, new: str) -> None:
    changes = differences(old, new)

    assert "".join(kept + removed for kept, removed, _ in changes) == old
    assert "".join(kept + added for kept, _, added in changes) == new


@given(st.text(max_size=30), st.text(max_size=30))
def test_differences_contain_any_two_texts(old: str, new: str) -> None:
    changes = differences(old, new)

    assert "".join(kept + removed for kept, removed, _ in changes) == old
    assert "".join(kept + added for kept, _, added in changes) == new


def test_numbers_are_compared_as_words() -> None:
    assert differences("about 4.5 million", "about 4.1 million") == (
        ("about ", "", ""),
        ("", "4.5", "4.1"),
        (" million", "", ""),
    )


def _palettes(page: str) -> list[dict[str, str]]:
    light = dict(re.findall(r"--([\w-]+): (#\w{6});", page.split("@media", 1)[0]))
    dark = dict(
        re.findall(
            r"--([\w-]+): (#\w{6});", page.split("prefers-color-scheme: dark", 1)[1].split("\n}", 1)[0]
        )
    )
    assert light.keys() == dark.keys()
    return [light, dark]


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_in_light_and_dark(article: str) -> None:
    for palette in _palettes(article):
        for ground in ("paper", "card"):
            for ink in ("ink", "muted", "link", "good", "caution", "bad", "open"):
                assert _contrast(palette[ink], palette[ground]) >= 4.5, (ink, ground)
            for shape in ("good-fill", "caution-fill", "bad-fill", "open-fill"):
                assert _contrast(palette[shape], palette[ground]) >= 3, (shape, ground)
        for tone in ("good", "caution", "bad", "open"):
            tint = palette[f"{tone}-tint"]
            assert _contrast(palette[tone], tint) >= 4.5, tone
            assert _contrast(palette["ink"], tint) >= 4.5, tone
            assert _contrast(palette["paper"], palette[tone]) >= 4.5, tone
