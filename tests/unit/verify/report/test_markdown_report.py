"""The comment on a pull request."""

from markdown_it import MarkdownIt
from tests.code_findings import (
    code_evidence,
    code_finding,
    contested,
    doc_claim,
    every_kind,
    read_readme,
    refuted,
    verified,
)
from tests.unit.reporting.hostile import PAYLOADS

from veridic.domain.code import CodeVerdict, VerifyReport
from veridic.verify.report.markdown import findings_markdown


def rendered(report: VerifyReport, *, everything: bool = False) -> str:
    return findings_markdown(report, read_readme, everything=everything)


def test_finding_shows_both_sides_and_the_correction() -> None:
    text = rendered(VerifyReport(repo="r", findings=(refuted(),)))

    assert "### ✗ Refuted (97% sure): `README.md:3`" in text
    assert "3 │ The `timeout` of `fetch` is 30 seconds by default." in text
    assert "`src/ferry/net.py:8` (code, shows otherwise)" in text
    assert "**Correction** (replace, 95% sure): `30` → `10`" in text


def test_open_findings_are_folded_and_verified_ones_counted() -> None:
    text = rendered(every_kind())

    assert "<details>\n<summary>1 inconclusive:" in text
    assert "A benchmark of fetch" in text
    assert "1 verified" in text
    assert "<summary>1 verified" not in text
    assert "<summary>1 verified" in rendered(every_kind(), everything=True)


def test_contested_claim_shows_both_sides() -> None:
    text = rendered(VerifyReport(repo="r", findings=(contested(),)))

    assert "**correctness: Refuted.**" in text
    assert "**history: Verified.**" in text


def test_report_fits_a_comment() -> None:
    report = VerifyReport(repo="r", findings=(refuted(),) * 2_000)

    text = rendered(report)

    assert len(text) < 65_536
    assert "are left out here" in text


def test_repository_text_is_escaped_and_mentions_nobody() -> None:
    for payload in (*PAYLOADS, "```\n# heading\n", "@octocat look `@octocat`"):
        claim = doc_claim(payload, document=payload, subject=None)
        finding = code_finding(
            claim=claim, reason=payload, evidence=(code_evidence(path=payload, quote=payload),)
        )
        inconclusive = code_finding(CodeVerdict.INCONCLUSIVE, claim, would_settle=payload)
        report = VerifyReport(repo="r", findings=(finding, inconclusive))

        tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(rendered(report))

        inside = [child for token in tokens for child in token.children or ()]
        assert not {child.type for child in inside} & {"link_open", "image", "html_inline"}
        raw = [token.content.strip() for token in tokens if token.type == "html_block"]
        assert all(html.startswith(("<details>", "</details>")) for html in raw)
        assert [token.tag for token in tokens if token.type == "heading_open"] == ["h2", "h3"]
        assert all("@octocat" not in child.content for child in inside if child.type == "text")


def test_clean_repository_has_a_short_comment() -> None:
    assert rendered(VerifyReport(repo="r", findings=(verified(),))).strip().endswith("1 claim: 1 verified.")
