"""Renders a report as terminal text: coloured and wrapped in a terminal, plain unwrapped lines in a pipe."""

from collections import defaultdict
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.decision import Correction, Decision
from veridic.domain.evidence import IN_DOUBT, Evidence, Source, Stance
from veridic.domain.phrases import shortened
from veridic.domain.report import Report
from veridic.domain.validation import CitedSentence, Validation
from veridic.reporting.claim_account import (
    contradictions,
    findings,
    quoted,
    reason,
    sources_read,
    without_repetitions,
)
from veridic.reporting.escaping import one_line, visible
from veridic.reporting.numbering import MARK, Numbering
from veridic.reporting.report_sections import has_annotated_content, missing_remarks
from veridic.reporting.validation_wording import (
    LEVELS,
    calls_made,
    claims_named,
    origin,
    other_errors,
    part_line,
    searches_line,
    sources_line,
    spent,
    unanswered,
)
from veridic.reporting.wording import (
    MARKS,
    STANCE_TONES,
    STANCES,
    TONES,
    Tone,
    agreement,
    certainty,
    checked_as,
    checkers_line,
    cited,
    correction_label,
    count,
    day,
    differences_line,
    engine_of,
    heading_of,
    headline,
    method_text,
    nothing_checked,
    opinion_line,
    person_line,
    score_line,
    score_tone,
    source_name,
    verdict_counts,
    verdict_word,
)

_COLOURS: dict[Tone, str] = {Tone.GOOD: "green", Tone.CAUTION: "yellow", Tone.BAD: "red", Tone.OPEN: "cyan"}
_MAX_WIDTH = 100
"""Longer lines are hard to read, however wide the terminal is."""
_BAR_WIDTH = 50
_MAX_PER_REASON = 3
_ALWAYS_LISTED = (OmissionReason.NOT_SAID, OmissionReason.NOT_LISTED, OmissionReason.OUT_OF_TIME)
"""Omissions that are all listed: what a model got wrong, and what should have been checked."""
_MAX_EXCERPT = 160
_FEW_CLAIMS = 3
"""Up to this number, every claim is shown in full; beyond it, only those the reader has to act on."""


def print_report(report: Report, console: Console) -> None:
    """Write the whole report to `console`. Text from outside can't style it or control the terminal."""
    _Printer(report, console).print_all()


class _Printer:
    def __init__(self, report: Report, console: Console) -> None:
        self.report = report
        self.console = console
        self.numbering = Numbering(report)
        in_summary = {int(number) for number in MARK.findall(report.summary)}
        self.mentioned = in_summary & set(range(1, len(report.sources) + 1))
        """The numbers of the sources that the printed text refers to."""

    def print_all(self) -> None:
        self._header()
        self._claims()
        self._omissions()
        self._reporter()
        self._sources()
        self._unanswered()
        self._errors()
        self._method()

    def _header(self) -> None:
        report, document = self.report, self.report.document
        heading = one_line(heading_of(report))
        self._line(Text(heading, "bold"))
        about = [one_line(document.source)] if heading != one_line(document.source) else []
        if document.published is not None:
            about.append(f"published {day(document.published)}")
        if report.id:
            about.append(one_line(report.id))
        if about:
            self._line(Text(" · ".join(about), "dim"))
        self._blank()
        self._line(self._verdict_line(), indent=2)
        if report.decisions:
            self._line(self._bar(), indent=2)
            self._line(Text(verdict_counts(report.counts())), indent=2)
        self._blank()
        self._line(Text(one_line(report.summary)), indent=2)
        self._blank()
        self._checkers()

    def _checkers(self) -> None:
        """Consensus mode: the checkers, their agreement, and warnings."""
        details = self.report.consensus
        if details is None:
            return
        if details.bias_warning:
            self._line(Text(f"Warning: {one_line(details.bias_warning)}", "bold yellow"), indent=2)
        if line := checkers_line(self.report):
            self._line(Text(line), indent=2)
        for remark in missing_remarks(details.report_text, details.remarks):
            self._line(Text(f"· {one_line(remark)}"), indent=2)
        self._blank()

    def _verdict_line(self) -> Text:
        report = self.report
        line = Text()
        line.append(headline(report).upper(), f"bold {_COLOURS[TONES[report.verdict]]}")
        line.append("   ")
        line.append(score_line(report), _COLOURS[score_tone(report.credibility_score)])
        line.append(f"   as of {day(report.as_of)}")
        return line

    def _bar(self) -> Text:
        """Return one mark per claim, ordered by verdict; for more than `_BAR_WIDTH` claims, proportional shares of `_BAR_WIDTH` marks."""
        counts = self.report.counts()
        total = sum(counts.values())
        bar = Text()
        for verdict, number in counts.items():
            width = number if total <= _BAR_WIDTH else max(1, round(number * _BAR_WIDTH / total))
            bar.append(MARKS[verdict] * width, f"bold {_COLOURS[TONES[verdict]]}")
        return bar

    def _claims(self) -> None:
        self._heading("Claims")
        if not self.report.decisions:
            self._line(Text(nothing_checked(self.report)), indent=2)
        for number, decision in zip(self.numbering.claims, self.report.decisions, strict=True):
            self._claim(number, decision)

    def _claim(self, number: int, decision: Decision) -> None:
        colour = _COLOURS[TONES[decision.verdict]]
        head = Text(f"{number:>3}  ")
        head.append(f"{MARKS[decision.verdict]} {verdict_word(decision.verdict).upper()}", f"bold {colour}")
        head.append(
            f"  {' · '.join(filter(None, (certainty(decision), agreement(decision))))}".rstrip(), "dim"
        )
        self._line(head)
        self._line(Text(f"“{one_line(decision.claim.wording)}”", "bold"), indent=5)
        if judged := checked_as(decision.claim):
            self._line(Text(f"Checked as: {judged}", "dim"), indent=5)
        if underlying := decision.claim.framing.underlying_claim:
            self._line(Text(f"Underlying claim: {one_line(underlying)}", "dim"), indent=5)
        if decided_by := person_line(decision):
            differs = decision.person is not None and decision.person.differs
            self._line(Text(decided_by, "bold" if differs else "dim"), indent=5)
        self._line(Text(self._cited(reason(decision))), indent=5)
        if self._in_full(decision):
            self._details(decision)
        for part in decision.parts:
            self._line(Text(f"{one_line(part.name)}: {part_line(part)}"), indent=5)
        for opinion in decision.opinions:
            self._line(
                Text(f"{one_line(opinion.checker_model)}: {one_line(opinion_line(opinion))}"), indent=5
            )
        for evidence in self._quoted(decision):
            self._evidence(evidence)
        if decision.correction is not None:
            self._correction(decision.correction)
        if decision.validation is not None:
            self._sources_read(decision.validation)
        self._blank()

    def _quoted(self, decision: Decision) -> tuple[Evidence, ...]:
        """Return the evidence to quote; for an undecided claim among many, only the closest passage."""
        found = quoted(decision)
        is_undecided = all(e.stance is Stance.CONTEXTUAL for e in found)
        return found[:1] if is_undecided and not self._in_full(decision) else found

    def _in_full(self, decision: Decision) -> bool:
        to_act_on = TONES[decision.verdict] in (Tone.CAUTION, Tone.BAD)
        return to_act_on or len(self.report.decisions) <= _FEW_CLAIMS

    def _details(self, decision: Decision) -> None:
        shown = quoted(decision)
        for finding in findings(decision, shown, engine=self.report.engine):
            self._line(Text(f"· {self._cited([finding])}"), indent=5)
        for conflict in without_repetitions(contradictions(decision), shown):
            self._line(Text(f"Sources disagree: {self._cited([conflict])}"), indent=5)
        if decision.temporal is not None and decision.temporal.temporal_verdict:
            self._line(Text(f"Time: {one_line(decision.temporal.temporal_verdict)}"), indent=5)

    def _cited(self, sentences: Sequence[CitedSentence]) -> str:
        for sentence in sentences:
            self.mentioned.update(self.numbering.sources(sentence.sources))
        return one_line(self.numbering.cited(sentences))

    def _sources_read(self, validation: Validation) -> None:
        few = len(self.report.decisions) <= _FEW_CLAIMS
        said = (sources_line(validation), searches_line(validation), spent(validation.usage) if few else "")
        self._line(Text(" · ".join(filter(None, said)), "dim"), indent=5)

    def _evidence(self, evidence: Evidence) -> None:
        number = self.numbering.source(evidence.source)
        self.mentioned.update(self.numbering.sources([evidence.source]))
        line = Text()
        line.append(f"{STANCES[evidence.stance]}: ", _COLOURS[STANCE_TONES[evidence.stance]])
        line.append(f"“{one_line(evidence.assessment.quote)}”", "italic")
        reference = f"[{number}] " if number is not None else ""
        line.append(f" {reference}{source_name(evidence.source)}, {day(evidence.date)}", "dim")
        if differs := differences_line(evidence):
            line.append(f" {one_line(differs)}", "bold")
        if evidence.assessment.is_in_doubt:
            line.append(f" {IN_DOUBT}", "bold yellow")
        self._line(line, indent=5)

    def _correction(self, correction: Correction) -> None:
        line = Text()
        line.append(f"Correction ({correction_label(correction)}): ", "bold")
        line.append(one_line(correction.original), "strike")
        line.append(" → ")
        line.append(one_line(correction.corrected), "bold green")
        if numbers := self.numbering.sources(correction.sources):
            self.mentioned.update(numbers)
            line.append(f" {cited(numbers)}", "dim")
        if correction.note:
            line.append(f" {one_line(correction.note)}")
        self._line(line, indent=5)

    def _omissions(self) -> None:
        if not self.report.omissions:
            return
        self._heading("Not checked")
        by_reason: defaultdict[OmissionReason, list[Omission]] = defaultdict(list)
        for omission in self.report.omissions:
            by_reason[omission.reason].append(omission)
        for why, omissions in by_reason.items():
            self._line(Text(f"{why.value}: {len(omissions)}"), indent=2)
            shown = len(omissions) if why in _ALWAYS_LISTED else _MAX_PER_REASON
            for omission in omissions[:shown]:
                detail = f" ({shortened(one_line(omission.detail), _MAX_EXCERPT)})" if omission.detail else ""
                self._line(
                    Text(f"“{shortened(one_line(omission.text), _MAX_EXCERPT)}”{detail}", "dim"), indent=5
                )
            if len(omissions) > shown:
                self._line(Text(f"and {len(omissions) - shown} more", "dim"), indent=5)
        self._blank()

    def _reporter(self) -> None:
        """Consensus mode: the reporter's text, and the annotated content if the text does not contain it."""
        details = self.report.consensus
        if details is None:
            return
        self._heading(f"Report by {one_line(details.reporter)}")
        self._lines(details.report_text)
        if details.annotated_content and not has_annotated_content(details.report_text):
            self._heading("Annotated content")
            self._lines(details.annotated_content)

    def _lines(self, text: str) -> None:
        for line in visible(text).strip().split("\n"):
            self._line(Text(line.rstrip()), indent=2 if line.strip() else 0)
        self._blank()

    def _sources(self) -> None:
        if not self.report.sources:
            return
        self._heading("Sources")
        for number, source in enumerate(self.report.sources, 1):
            if number in self.mentioned:
                self._source(number, source)
        if more := len(self.report.sources) - len(self.mentioned):
            self._line(Text(f"and {more} more in the other formats", "dim"), indent=2)
        self._blank()

    def _source(self, number: int, source: Source) -> None:
        line = Text(f"[{number}] {source_name(source)}")
        details = [day(source.date), LEVELS[source.credibility_level], origin(source)]
        line.append(f", {', '.join(filter(None, details))}", "dim")
        if place := source.url or source.path:
            line.append(f"  {one_line(place)}", "dim")
        self._line(line, indent=2)

    def _unanswered(self) -> None:
        problems = unanswered(self.report)
        if not problems:
            return
        self._heading("Searches without an answer")
        for problem, claims in problems.items():
            self._line(Text(f"{one_line(problem)} ({claims_named(claims)})", "yellow"), indent=2)
        self._blank()

    def _errors(self) -> None:
        errors = other_errors(self.report)
        if not errors:
            return
        self._heading("Errors")
        for failure in errors:
            about = f" ({one_line(failure.claim_id)})" if failure.claim_id else ""
            self._line(
                Text(f"{one_line(failure.stage)}{about}: {one_line(failure.message)}", "red"), indent=2
            )
        self._blank()

    def _method(self) -> None:
        report = self.report
        self._heading("Method")
        searched = ", ".join(one_line(name) for name in report.corpora) or "nothing"
        facts = f"Mode {one_line(report.mode)}, engine {one_line(engine_of(report))}; searched: {searched}; "
        self._line(Text(f"{facts}{count(sources_read(report), 'source')} read."), indent=2)
        self._line(Text(method_text(report)), indent=2)
        if used := calls_made(report.usage):
            self._line(Text(f"{used}."), indent=2)

    def _heading(self, title: str) -> None:
        self._line(Text(title, "bold underline" if self.console.is_terminal else ""))
        self._blank()

    def _blank(self) -> None:
        self.console.print()

    def _line(self, text: Text, *, indent: int = 0) -> None:
        # A character that the terminal's or pipe's encoding lacks becomes "?" instead of raising an error.
        text.plain = text.plain.encode(self.console.encoding, "replace").decode(self.console.encoding)
        lines = [text]
        if self.console.is_terminal:
            lines = list(text.wrap(self.console, max(1, min(self.console.width, _MAX_WIDTH) - indent)))
        for line in lines:
            line.rstrip()
            self.console.print(Text(" " * indent).append_text(line), soft_wrap=True)
