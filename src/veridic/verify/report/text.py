"""The report of `veridic verify` for a terminal: both sides of each finding, in colour only on a terminal."""

from collections.abc import Callable, Sequence

from rich.console import Console
from rich.text import Text

from veridic.domain.code import (
    AgentVerdict,
    CodeCorrection,
    CodeEvidence,
    CodeVerdict,
    DocClaim,
    Finding,
    SilencedFinding,
    VerifyReport,
)
from veridic.domain.phrases import count
from veridic.reporting.escaping import one_line
from veridic.reporting.wording import Tone, sure
from veridic.verify.report.frames import FrameLine, document_frame, evidence_frame
from veridic.verify.report.wording import (
    NEEDS_A_MODEL,
    ReadText,
    by_severity,
    correction_label,
    evidence_label,
    how_sure,
    is_reported,
    mark,
    origin_label,
    proposals_line,
    silenced_line,
    summary,
    tier_difference,
    tone,
    where,
)

_COLOURS: dict[Tone, str] = {Tone.GOOD: "green", Tone.CAUTION: "yellow", Tone.BAD: "red", Tone.OPEN: "cyan"}
_MOST_INCONCLUSIVE = 10
"""How many are shown by default: a model or a test may settle them, a reader of the report can't."""
_MOST_KNOWN = 10
_PLAN_CLAIM = 100


def print_findings(
    report: VerifyReport,
    console: Console,
    read: ReadText,
    locate: Callable[[str], str] = str,
    *,
    everything: bool = False,
) -> None:
    """Write every finding that is not Verified, worst first, then the counts; with `everything`, the Verified ones too.

    `locate` turns a path within the repository into one relative to the current folder. Text from documents and code
    can neither style the output nor control the terminal.
    """
    printer = _Printer(console, read, locate)
    shown = [f for f in by_severity(report.findings) if is_reported(f, everything=everything)]
    inconclusive = sum(f.verdict is CodeVerdict.INCONCLUSIVE for f in shown)
    too_many = 0 if everything else max(0, inconclusive - _MOST_INCONCLUSIVE)
    for finding in shown[: len(shown) - too_many]:
        printer.finding(finding)
    all_inconclusive = sum(f.verdict is CodeVerdict.INCONCLUSIVE for f in report.findings)
    if left_out := all_inconclusive - inconclusive + too_many:
        printer.line(Text(f"and {left_out} more that are Inconclusive; --all shows them", "dim"))
        printer.blank()
    if everything and not report.asked_a_model:
        printer.line(Text(NEEDS_A_MODEL, "dim"))
        printer.blank()
    printer.known(report.silenced, everything=everything)
    printer.end(report)


def print_plan(claims: Sequence[DocClaim], console: Console) -> None:
    """Write every claim that would be checked, with category, domain and depth, by document."""
    printer = _Printer(console, lambda _: None, str)
    for number, claim in enumerate(claims):
        if not number or claim.document != claims[number - 1].document:
            printer.line(Text(one_line(claim.document), "bold"))
        about = " · ".join((claim.category, one_line(claim.domain), claim.assertion.kind, claim.depth))
        text = one_line(claim.text)
        text = text if len(text) <= _PLAN_CLAIM else f"{text[: _PLAN_CLAIM - 1]}…"
        printer.line(Text(f"{claim.line:>6}  ").append(f"[{about}]", "cyan").append(f"  {text}"))
    documents = len({claim.document for claim in claims})
    printer.line(
        Text(f"{count(len(claims), 'claim')} in {count(documents, 'document')}; nothing was checked.")
    )


class _Printer:
    def __init__(self, console: Console, read: ReadText, locate: Callable[[str], str]) -> None:
        self.console = console
        self.read = read
        self.locate = locate

    def finding(self, finding: Finding) -> None:
        colour = _COLOURS[tone(finding.verdict)]
        head = Text().append(f"{mark(finding.verdict)} {finding.verdict.upper()}", f"bold {colour}")
        details = [how_sure(finding), *(flag.value for flag in finding.flags)]
        head.append("".join(f"  {detail}" for detail in details if detail), "dim")
        head.append(f"  {one_line(finding.reason)}", "bold")
        self.line(head)
        self._document(finding, colour)
        if finding.sides:
            self._sides(finding.sides)
        else:
            for evidence in finding.evidence:
                self._evidence(evidence)
        if finding.correction is not None:
            self._correction(finding.correction)
        if finding.would_settle:
            self.line(Text(f"  Would settle it: {one_line(finding.would_settle)}", "dim"))
        self.blank()

    def _document(self, finding: Finding, colour: str) -> None:
        claim = finding.claim
        frame = document_frame(self.read(claim.document), finding)
        self._frame(where(self.locate(claim.document), claim.line), origin_label(claim), frame, colour)

    def _evidence(self, evidence: CodeEvidence, indent: int = 2) -> None:
        self._frame(
            where(self.locate(evidence.path), evidence.line),
            evidence_label(evidence),
            evidence_frame(evidence),
            "green",
            indent,
        )

    def _frame(
        self, place: str, label: str, lines: Sequence[FrameLine], colour: str, indent: int = 2
    ) -> None:
        margin = " " * indent
        head = Text(margin).append(one_line(place), "underline" if self.console.is_terminal else "")
        self.line(head.append(f"  {one_line(label)}", "dim"))
        width = max((len(str(line.number or "")) for line in lines), default=0) + 2
        for line in lines:
            self.line(Text().append(f"{margin}{line.number or '':>{width}} │ ", "dim").append(line.text))
            if line.underlined is not None:
                start, end = line.underlined
                under = Text().append(f"{margin}{'':>{width}} │ ", "dim")
                self.line(under.append(" " * start + "^" * (end - start), f"bold {colour}"))

    def _sides(self, sides: Sequence[AgentVerdict]) -> None:
        for side in sides:
            head = Text().append(f"  {one_line(side.agent)}: ", "bold")
            head.append(f"{side.verdict}  ", _COLOURS[tone(side.verdict)])
            self.line(head.append(f"{sure(side.confidence)}  {one_line(side.reason)}".strip()))
            for evidence in side.evidence:
                self._evidence(evidence, indent=4)
        if difference := tier_difference(sides):
            self.line(Text(f"  {one_line(difference)} The final call is yours."))

    def _correction(self, correction: CodeCorrection) -> None:
        line = Text().append(f"  Correction ({correction_label(correction)}): ", "bold")
        line.append(one_line(correction.original), "red")
        line.append(" → ").append(one_line(correction.corrected), "bold green")
        self.line(line)

    def known(self, silenced: Sequence[SilencedFinding], *, everything: bool) -> None:
        if not silenced:
            return
        self.line(Text("Silenced", "bold"))
        shown = silenced if everything else silenced[:_MOST_KNOWN]
        for one in shown:
            finding = one.finding
            place = where(self.locate(finding.claim.document), finding.claim.line)
            self.line(
                Text(f"  {one_line(place)}  {finding.verdict}, {one.by}: {one_line(one.reason)}", "dim")
            )
        if len(silenced) > len(shown):
            self.line(Text(f"  and {len(silenced) - len(shown)} more; --all shows them", "dim"))
        self.blank()

    def end(self, report: VerifyReport) -> None:
        for notice in report.notices:
            place = one_line(where(self.locate(notice.document), notice.line))
            self.line(Text(f"{place}: {one_line(notice.message)}", "yellow"))
        for failure in report.errors:
            self.line(Text(f"{one_line(failure.what)}: {one_line(failure.message)}", "yellow"))
        if report.notices or report.errors:
            self.blank()
        self.line(Text(" ".join(filter(None, (summary(report), silenced_line(report)))), "bold"))
        if proposed := proposals_line(report):
            self.line(Text(one_line(proposed), "dim"))

    def blank(self) -> None:
        self.console.print()

    def line(self, text: Text) -> None:
        # If the terminal or pipe can't encode a character, print "?" instead of failing.
        text.plain = text.plain.encode(self.console.encoding, "replace").decode(self.console.encoding)
        text.rstrip()
        self.console.print(text, soft_wrap=True)
