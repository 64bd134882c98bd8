"""`veridic.check` and `veridic.check_text`, as a program calls them."""

from datetime import date
from pathlib import Path

import pytest

import veridic
from veridic.config.settings import Settings
from veridic.domain.events import NOT_FOR_CLIENTS, Event, EventName


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "tower.txt").write_text("The Eiffel Tower is 330 metres tall. It was completed in 1889.\n")
    return folder


def test_a_text_against_a_folder(sources: Path, settings: Settings) -> None:
    events: list[Event] = []
    report = veridic.check_text(
        "The Eiffel Tower is 120 metres tall.", against=[sources], settings=settings, on_event=events.append
    )
    (decision,) = report.decisions
    first = decision.evidence[0].assessment
    assert first.quote == "The Eiffel Tower is 330 metres tall."
    assert [(one.in_claim, one.in_passage) for one in first.differences] == [("120 metres", "330 metres")]
    assert events[0].name is EventName.CHECK_STARTED
    assert events[-1].data["report"] == report
    assert not {event.name for event in events} & NOT_FOR_CLIENTS
    assert report.id is None, "nothing is saved"


def test_a_file_against_a_file(sources: Path, tmp_path: Path, settings: Settings) -> None:
    article = tmp_path / "article.md"
    article.write_text("# Paris\n\nThe Eiffel Tower was completed in **1889**.\n")
    report = veridic.check(article, against=[str(sources / "tower.txt")], settings=settings)
    (decision,) = report.decisions
    assert [e.assessment.quote for e in decision.evidence] == ["It was completed in 1889."]
    assert report.document.title == "Paris"


def test_a_check_can_be_as_of_another_day(sources: Path, settings: Settings) -> None:
    day = date(2020, 1, 1)
    report = veridic.check_text("The Eiffel Tower is 330 metres tall.", against=[sources], as_of=day, settings=settings)  # fmt: skip
    assert report.as_of == day
    assert all(e.date is None or e.date.first <= day for d in report.decisions for e in d.evidence)


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_nothing_to_check_is_an_error_of_ours(text: str, sources: Path, settings: Settings) -> None:
    with pytest.raises(veridic.VeridicError):
        veridic.check_text(text, against=[sources], settings=settings)


def test_a_missing_file_is_an_error_of_ours(settings: Settings) -> None:
    with pytest.raises(veridic.VeridicError, match=r"no-such\.md"):
        veridic.check("no-such.md", settings=settings)
