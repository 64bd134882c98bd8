"""Every format lists all omissions that a model caused: statements it missed, and claims the text doesn't make."""

import html
import re

import pytest
from tests.builders import make_document, make_report

from veridic.domain.claim import Omission, OmissionReason
from veridic.domain.modes import ReportFormat
from veridic.reporting.render import render

SENTENCES = [f"Town number {number} has {number * 100} inhabitants." for number in range(1, 6)]
DOCUMENT = make_document(" ".join(SENTENCES))
PLACED_AT = "Town number 1 has 100 inhabitants."


def omissions() -> tuple[Omission, ...]:
    unlisted = (
        Omission(
            span=(DOCUMENT.text.index(text), DOCUMENT.text.index(text) + len(text)),
            text=text,
            reason=OmissionReason.NOT_LISTED,
        )
        for text in SENTENCES
    )
    unsaid = Omission(span=(0, 0), text="The town is rich.", reason=OmissionReason.NOT_SAID, detail=PLACED_AT)
    return (unsaid, *unlisted)


@pytest.mark.parametrize(
    "kind", [ReportFormat.TEXT, ReportFormat.MARKDOWN, ReportFormat.HTML, ReportFormat.JSON]
)
def test_every_omission_is_listed_with_its_reason(kind: ReportFormat) -> None:
    report = make_report((), document=DOCUMENT, omissions=omissions())
    listed = html.unescape(re.sub(r"\s+", " ", render(report, kind))).replace("\\", "")
    listed = listed[listed.rindex("left_out" if kind is ReportFormat.JSON else "Not checked") :]
    for text in (*SENTENCES, "The town is rich.", PLACED_AT):
        assert text in listed
    for reason in (OmissionReason.NOT_LISTED, OmissionReason.NOT_SAID):
        assert reason.value in listed.lower()
