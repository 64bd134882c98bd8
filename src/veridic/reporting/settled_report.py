"""Corrects a reporter's text to match the verdicts: its counts, groups of claims and words for the score are replaced
if they differ. Everything else stays unchanged."""

import re
from collections.abc import Iterator, Sequence

from veridic.domain.consensus import ClaimConsensus, ConsensusVerdict, FailedChecker, RunConfig
from veridic.reporting.consensus_text import (
    GROUPS,
    SCORING_GUIDE,
    content_summary,
    detailed_findings,
    evidence_table,
    methodology,
    score_words,
    with_remarks,
)
from veridic.reporting.report_sections import Section, joined, sections_of, with_own_section
from veridic.text.numbers import NUMBER_WORDS
from veridic.text.sentences import split_sentences

_SUMMARY, _SCORE, _FINDINGS = "content summary", "overall reliability score", "detailed findings"
_NOT_CHECKED = ("evidence table", "annotated content", "methodology", "sources", "notes")
"""Sections that are generated here or quote the content; they are not checked."""
_HIGHEST_WORD = 15
_WORDS = {"no": 0, "none": 0} | {
    word: number for word, number in NUMBER_WORDS.items() if number <= _HIGHEST_WORD
}
_NUMBER = rf"(?P<number>\d{{1,4}}|all|both|{'|'.join(_WORDS)})"
_VERDICT = r"(?P<verdict>verified|disputed|unverifiable)\b"
_COUNTED = re.compile(
    rf"\b{_NUMBER}\s+(?:of\s+(?:the\s+|its\s+|these\s+|all\s+)?(?:\w+\s+)?)?(?:the\s+)?(?:(?:\w+\s+)?claims?\s+)?"
    rf"(?:(?:is|are|was|were|been|being|have|has|came|come|rated|found|marked|judged|out|as)\s+){{0,3}}{_VERDICT}",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    rf"\b{_VERDICT}(?:\s+claims?)?[*_]{{0,2}}\s{{0,2}}[:=(][*_\s]{{0,3}}(?P<number>\d{{1,4}})\b(?!\s?%)",
    re.IGNORECASE,
)
_STATED_SCORE = re.compile(
    r"\breliability[\s_*]{1,3}(?:score|rating)\D{0,12}(?P<score>\d{1,3})\b", re.IGNORECASE
)
_GUIDE = re.compile(
    r"\b(?:(?P<s90>highly reliable)|(?P<s70>mostly reliable)|(?P<s50>mixed accuracy)|"
    r"(?P<s30>significant inaccuracies)|(?P<s0>unreliable))\b",
    re.IGNORECASE,
)
_ITEM = re.compile(r" {0,1}(?:[-*+•]|\d{1,3}[.)])\s+(?P<text>.*)")
_CLAIM_ID = re.compile(r"\bclaim[\s_#]{0,3}(?P<number>\d{1,4})\b", re.IGNORECASE)
_MIN_QUOTE = 12


def with_settled_sections(
    report: str, consensus: Sequence[ClaimConsensus], config: RunConfig, failed: Sequence[FailedChecker] = ()
) -> str:
    """Return the report with the generated evidence table and methodology, and with the generated groups of claims unless
    its own match."""
    report = with_own_section(report, "evidence table", evidence_table(consensus))
    if not _groups_match(report, consensus):
        report = with_own_section(report, _FINDINGS, detailed_findings(consensus))
    return with_own_section(report, "methodology", methodology(config, consensus, failed))


def held_to_verdicts(
    report: str,
    consensus: Sequence[ClaimConsensus],
    *,
    content: str,
    score: int | None,
    is_its_own: bool,
    remarks: Sequence[str] = (),
) -> str:
    """Return the report without text that contradicts the number of claims of each verdict, or the score.

    `is_its_own` says whether the score is the reporter's; if not, its words about the score are replaced. `remarks` are
    never removed, and are added again if a replaced section contained one.
    """
    expected = _ExpectedVerdicts(consensus, score, remarks)
    corrected: list[Section] = []
    findings_level = 0
    for section in sections_of(report):
        if section.title.startswith(_FINDINGS):
            findings_level = section.level
        elif not _is_group(section) and section.level <= findings_level:
            findings_level = 0
        if findings_level or section.title.startswith(_NOT_CHECKED):
            corrected.append(section)
        elif section.title.startswith(_SUMMARY):
            ours = f"{content_summary(content, consensus)}\n"
            corrected.append(section if expected.allows(section.body) else section._replace(body=ours))
        elif section.title.startswith(_SCORE) and score is not None:
            fits = is_its_own and expected.allows(section.body)
            corrected.append(section if fits else section._replace(body=f"{score_words(score)}\n"))
        else:
            corrected.append(section._replace(body=expected.without_contradictions(section.body)))
    return with_remarks(joined(corrected), remarks)


class _ExpectedVerdicts:
    """The counts and the score that a reporter's sentences must match."""

    def __init__(
        self, consensus: Sequence[ClaimConsensus], score: int | None, remarks: Sequence[str]
    ) -> None:
        verdicts = [claim.consensus_verdict for claim in consensus]
        self._counts = {verdict: verdicts.count(verdict) for verdict in ConsensusVerdict}
        self._score = score
        self._remarks = [_plain(remark) for remark in remarks]

    def allows(self, body: str) -> bool:
        return not any(map(self._contradicts, _sentences(body)))

    def without_contradictions(self, body: str) -> str:
        """Return the body without sentences that contradict the counts or the score."""
        if self.allows(body):
            return body
        lines = []
        for line in body.split("\n"):
            sentences = list(_sentences(line))
            kept = [sentence for sentence in sentences if not self._contradicts(sentence)]
            if len(kept) == len(sentences):
                lines.append(line)
            elif kept:
                lines.append(" ".join(kept))
        return "\n".join(lines)

    def _contradicts(self, sentence: str) -> bool:
        words = _plain(sentence)
        if any(words in remark for remark in self._remarks):
            return False
        return self._contradicts_counts(sentence) or (
            self._score is not None and _contradicts_score(sentence, self._score)
        )

    def _contradicts_counts(self, sentence: str) -> bool:
        total = sum(self._counts.values())
        return any(
            _number(found["number"], total) != self._counts[ConsensusVerdict(found["verdict"].upper())]
            for found in (*_COUNTED.finditer(sentence), *_LABELLED.finditer(sentence))
        )


def _contradicts_score(sentence: str, score: int) -> bool:
    if any(int(found["score"]) != score for found in _STATED_SCORE.finditer(sentence)):
        return True
    band = next(least for least in SCORING_GUIDE if score >= least)
    return any(found.lastgroup != f"s{band}" for found in _GUIDE.finditer(sentence))


def _number(word: str, total: int) -> int:
    lowered = word.lower()
    if lowered in ("all", "both"):
        return total
    return _WORDS[lowered] if lowered in _WORDS else int(lowered)


def _sentences(body: str) -> Iterator[str]:
    for line in body.split("\n"):
        yield from (line[slice(*span)] for span in split_sentences(line))


def _groups_match(report: str, consensus: Sequence[ClaimConsensus]) -> bool:
    """Whether every claim is listed once, under its own verdict, and the counts in the headings are right."""
    grouped: dict[str, ConsensusVerdict] = {}
    listed = 0
    for verdict, section in _groups(report):
        stated = re.search(r"\((\d{1,4})\)", section.title)
        members = [_claim_of(item, consensus) for item in _items(section.body)]
        if stated and int(stated[1]) != len(members):
            return False
        listed += len(members)
        grouped |= {claim_id: verdict for claim_id in members if claim_id is not None}
    ours = {claim.claim_id: claim.consensus_verdict for claim in consensus}
    return listed == len(ours) and grouped == ours


def _groups(report: str) -> Iterator[tuple[ConsensusVerdict, Section]]:
    """Yield the sections of the detailed findings whose heading is a verdict."""
    within = 0
    for section in sections_of(report):
        if section.title.startswith(_FINDINGS):
            within = section.level
        elif within and section.level <= within and not _is_group(section):
            within = 0
        elif within:
            yield from ((verdict, section) for verdict in _verdicts_named(section))


def _is_group(section: Section) -> bool:
    return bool(_verdicts_named(section))


def _verdicts_named(section: Section) -> list[ConsensusVerdict]:
    return [verdict for verdict, name in GROUPS.items() if section.title.startswith(name.lower())]


def _items(body: str) -> list[str]:
    """Return the top-level items of a list, without nested ones."""
    return [found["text"] for line in body.split("\n") if (found := _ITEM.match(line))]


def _claim_of(item: str, consensus: Sequence[ClaimConsensus]) -> str | None:
    """Return the claim an item is about: the first one named by number, or else the one it quotes."""
    named = _CLAIM_ID.search(item.replace("\\_", "_"))
    if named:
        claim_id = f"claim_{named['number']}"
        return claim_id if any(claim.claim_id == claim_id for claim in consensus) else None
    words = _plain(item)
    quoted = [
        claim
        for claim in consensus
        if len(_plain(claim.claim)) >= _MIN_QUOTE and _plain(claim.claim) in words
    ]
    return max(quoted, key=lambda claim: len(claim.claim)).claim_id if quoted else None


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[^\w\s]", "", text.lower()).split())
