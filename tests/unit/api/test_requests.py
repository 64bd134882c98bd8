"""Request validation, and how requests become orders."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from veridic.api.errors import first_violation
from veridic.api.requests import (
    CheckRequest,
    FactCheckStreamRequest,
    ModelNames,
    Upload,
    check_order,
    known_corpora,
    stream_order,
)
from veridic.config.settings import Settings
from veridic.domain.errors import EmptyInputError, TooLargeError, UsageError
from veridic.domain.modes import EngineChoice, Mode

NEITHER = "Either contentToCheck or generatorModel must be provided."
NO_QUESTION = "Question or content description is required"


@pytest.fixture
def home(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path, max_document_bytes=10_000)


def asked(**config: Any) -> dict[str, Any]:
    return {"question": "Is it so?", "mode": "fact_check", "modeConfig": config}


def violation(kind: type[BaseModel], content: Any) -> str:
    with pytest.raises(ValidationError) as refused:
        kind.model_validate(content)
    return first_violation(refused.value.errors())


def test_a_request_with_content_becomes_an_order(home: Settings) -> None:
    request = FactCheckStreamRequest.model_validate(
        asked(
            contentToCheck="Canberra is a city.",
            extractorModel="a/extractor",
            checkerModels=["a/one", "b/two"],
            reporterModel="a/reporter",
            maxContentLength=500,
            timeoutMs=30_000,
            against=["reference", "reference"],
        )
        | {"conversationId": "c-1"}
    )

    order = stream_order(request, home)

    assert order.mode is Mode.CONSENSUS
    assert order.document is not None
    assert order.document.text == "Canberra is a city."
    assert order.question == "Is it so?"
    assert order.models.checkers == ("a/one", "b/two")
    assert (order.models.extractor, order.models.reporter) == ("a/extractor", "a/reporter")
    assert (order.max_content_length, order.stage_timeout_ms) == (500, 30_000)
    assert order.against == ("reference",)
    assert order.conversation_id == "c-1"


def test_a_request_with_only_a_generator_gets_defaults(home: Settings) -> None:
    request = FactCheckStreamRequest.model_validate(asked(generatorModel="openai/o3", contentToCheck=""))

    order = stream_order(request, home)

    assert order.document is None
    assert order.models.generator == "openai/o3"
    assert order.models.checkers is None
    assert (order.max_content_length, order.stage_timeout_ms) == (20_000, None), "the server's own timeout"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"mode": "fact_check", "modeConfig": {"generatorModel": "m"}}, NO_QUESTION),
        (asked(generatorModel="m") | {"question": ""}, NO_QUESTION),
        (asked(generatorModel="m") | {"question": " \n"}, NO_QUESTION),
        ({"question": "", "mode": "other", "modeConfig": {}}, NO_QUESTION),
        (asked(), NEITHER),
        (asked(contentToCheck="", generatorModel=""), NEITHER),
        ({"question": "q", "mode": "fact_check"}, NEITHER),
        ({"question": "q", "mode": "fact_check", "modeConfig": None}, NEITHER),
        (asked(generatorModel="m") | {"question": 7}, "question should be a valid string."),
        (asked(generatorModel="m") | {"mode": "debate"}, "mode should be 'fact_check'."),
        ({"question": "q", "modeConfig": {"generatorModel": "m"}}, "mode is required."),
        (asked(generatorModel="m", maxContentLength=499), "modeConfig.maxContentLength should be greater than or equal to 500."),
        (asked(generatorModel="m", maxContentLength=50_001), "modeConfig.maxContentLength should be less than or equal to 50000."),
        (asked(generatorModel="m", maxContentLength="9000"), "modeConfig.maxContentLength should be a valid number."),
        (asked(generatorModel="m", timeoutMs=float("nan")), "modeConfig.timeoutMs should be a finite number."),
        (asked(generatorModel="m", timeoutMs=True), "modeConfig.timeoutMs should be a valid number."),
        (asked(generatorModel="m", timeoutMs=29_999), "modeConfig.timeoutMs should be greater than or equal to 30000."),
        (asked(generatorModel="m", timeoutMs=180_001), "modeConfig.timeoutMs should be less than or equal to 180000."),
        (asked(generatorModel="m", checkerModels=[]), "modeConfig.checkerModels should have at least 1 item after validation, not 0."),
        (asked(generatorModel="m", checkerModels=["m"] * 5), "modeConfig.checkerModels should have at most 4 items after validation, not 5."),
        (asked(generatorModel="m", checkerModels=["m", 5]), "modeConfig.checkerModels[1] should be a valid string."),
        (asked(generatorModel="m", checkerModels="m"), "modeConfig.checkerModels should be a valid list."),
        (asked(generatorModel=["m"]), "modeConfig.generatorModel should be a valid string."),
        ({"question": "q", "mode": "fact_check", "modeConfig": []}, "modeConfig should be a JSON object."),
        ([], "The body should be a JSON object."),
        ("text", "The body should be a JSON object."),
    ],
)  # fmt: skip
def test_invalid_stream_requests_name_the_field(content: Any, sentence: str) -> None:
    assert violation(FactCheckStreamRequest, content) == sentence


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ({"text": "t", "modle": "x"}, "modle is not a field of this request."),
        ({"text": "t", "max_cost": -1}, "max_cost should be greater than or equal to 0."),
        ({"text": "t", "max_cost": float("nan")}, "max_cost should be a finite number."),
        ({"text": "t", "mode": "quick"}, "mode should be 'summary', 'thorough' or 'consensus'."),
        ({"text": "t", "models": {"checkers": ["a"] * 5}}, "models.checkers should have at most 4 items after validation, not 5."),
        ({"text": "t", "max_content_length": 499}, "max_content_length should be greater than or equal to 500."),
        ({"text": "t", "max_content_length": 50_001}, "max_content_length should be less than or equal to 50000."),
        ({"text": "t", "stage_timeout_ms": 29_999}, "stage_timeout_ms should be greater than or equal to 30000."),
        ({"text": "t", "stage_timeout_ms": 180_001}, "stage_timeout_ms should be less than or equal to 180000."),
        ({"text": "t", "stage_timeout_ms": "60000"}, "stage_timeout_ms should be a valid integer."),
        ({"text": "t", "as_of": "yesterday"}, "as_of should be a valid date or datetime, input is too short."),
        ({"text": "t", "as_of": "2026-02-30"}, "as_of should be a valid date or datetime, day value is outside expected range."),
        ({"text": ""}, "text should have at least 1 character."),
        ({"text": "half \ud800 character"}, "text should be a valid string, unable to parse raw data as a unicode string."),
    ],
)  # fmt: skip
def test_invalid_check_requests_name_the_field(content: Any, sentence: str) -> None:
    assert violation(CheckRequest, content) == sentence


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20))  # fmt: skip
def test_any_invalid_json_gives_a_short_sentence(content: Any) -> None:
    for kind in (FactCheckStreamRequest, CheckRequest):
        try:
            kind.model_validate(content)
        except ValidationError as error:
            sentence = first_violation(error.errors())
            assert 0 < len(sentence) <= 301


@pytest.mark.parametrize(
    "name", ["/etc/passwd", "./docs", "..", "docs", "~", "C:\\data", "refe\u0301rence", "a" * 64, "*"]
)
def test_paths_and_unknown_corpora_are_refused(home: Settings, name: str) -> None:
    (home.home / "docs").mkdir()

    with pytest.raises(UsageError, match="against names corpora"):
        known_corpora([name], home)


@pytest.mark.parametrize(
    "url", ["/etc/passwd", "file:///etc/passwd", "-", "ftp://example.org/", "//example.org", "HTTPS:/x"]
)
def test_only_web_addresses_are_fetched(home: Settings, url: str) -> None:
    with pytest.raises(UsageError, match="http"):
        check_order(CheckRequest(url=url), None, home)


def test_exactly_one_subject_is_required(home: Settings) -> None:
    upload = Upload("a.txt", b"Canberra is a city.")

    with pytest.raises(UsageError, match="not several"):
        check_order(CheckRequest(text="t"), upload, home)
    with pytest.raises(UsageError, match="text, url or file"):
        check_order(CheckRequest(question="q"), None, home)
    with pytest.raises(UsageError, match="question"):
        check_order(CheckRequest(mode=Mode.CONSENSUS, question=" "), None, home)
    assert check_order(CheckRequest(mode=Mode.CONSENSUS, question="Why?"), None, home).question == "Why?"


@pytest.mark.parametrize(
    ("given_name", "source"),
    [
        ("notes.md", "notes.md"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\notes.md", "notes.md"),
        ("http://evil.example/", "evil.example"),
        ("", "upload"),
        ("-", "upload"),
        ("..", "upload"),
        ("a\r\nb\x1b[31m\u202e.md", "ab[31m.md"),
        ("x" * 300 + ".md", "x" * 197 + ".md"),
    ],
)
def test_an_upload_is_named_by_its_base_name(home: Settings, given_name: str, source: str) -> None:
    order = check_order(CheckRequest(), Upload(given_name, b"Canberra is a city."), home)

    assert order.document is not None
    assert order.document.source == source


def test_whole_numbers_may_be_sent_as_floats(home: Settings) -> None:
    request = FactCheckStreamRequest.model_validate(
        asked(generatorModel="m", maxContentLength=700.0, timeoutMs=45_000.4)
    )

    order = stream_order(request, home)

    assert (order.max_content_length, order.stage_timeout_ms) == (700, 45_000)


def test_check_requests_set_content_length_and_timeout(home: Settings) -> None:
    asked_for = CheckRequest(
        text="Text.", mode=Mode.CONSENSUS, max_content_length=500, stage_timeout_ms=180_000
    )
    limited, default = (check_order(one, None, home) for one in (asked_for, CheckRequest(text="Text.")))

    assert (limited.max_content_length, limited.stage_timeout_ms) == (500, 180_000)
    assert (default.max_content_length, default.stage_timeout_ms) == (20_000, None)


def test_title_budget_and_engine_are_taken_from_the_request(home: Settings) -> None:
    request = CheckRequest(
        text="# Heading\n\nText.", title=" My\ntitle ", max_cost=0.5, engine=EngineChoice.EMBEDDED
    )

    order = check_order(request, None, home)

    assert order.document is not None
    assert order.document.title == "My title"
    assert (order.max_cost_usd, order.engine) == (0.5, EngineChoice.EMBEDDED)


@pytest.mark.parametrize(("wanted", "granted"), [(None, 1.0), (0.0, 0.0), (0.5, 0.5), (100.0, 1.0)])
def test_max_cost_is_capped_by_the_server(home: Settings, wanted: float | None, granted: float) -> None:
    limited = home.model_copy(update={"max_cost_usd": 1.0})

    assert check_order(CheckRequest(text="Text.", max_cost=wanted), None, limited).max_cost_usd == granted


def test_as_of_can_not_be_in_the_future(home: Settings) -> None:
    today = datetime.now(UTC).date()
    for past in (today, date(1969, 7, 20)):
        assert check_order(CheckRequest(text="Text.", as_of=past), None, home).as_of == past
    assert check_order(CheckRequest(text="Text."), None, home).as_of is None

    with pytest.raises(UsageError, match="as_of can't be in the future"):
        check_order(CheckRequest(text="Text.", as_of=today + timedelta(days=1)), None, home)


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_validation_modes_take_an_extractor_and_one_checker(home: Settings, mode: Mode) -> None:
    chosen = ModelNames(extractor="a/lister", checkers=["b/reader"])
    order = check_order(CheckRequest(text="Text.", mode=mode, models=chosen), None, home)
    assert (order.mode, order.models.extractor, order.models.checkers) == (mode, "a/lister", ("b/reader",))

    for unfit in (
        ModelNames(checkers=["a/b", "c/d"]),
        ModelNames(generator="a/b"),
        ModelNames(reporter="a/b"),
    ):
        with pytest.raises(UsageError, match=f"In {mode} mode models names an extractor and one checker"):
            check_order(CheckRequest(text="Text.", mode=mode, models=unfit), None, home)


@pytest.mark.parametrize(("thorough", "mode"), [(True, Mode.THOROUGH), (False, Mode.SUMMARY)])
def test_the_default_mode_comes_from_the_settings(home: Settings, thorough: bool, mode: Mode) -> None:
    chosen = home.model_copy(update={"use_thorough_validation": thorough})

    assert check_order(CheckRequest(text="Text."), None, chosen).mode is mode


def test_too_large_and_empty_documents_are_refused(home: Settings) -> None:
    with pytest.raises(TooLargeError):
        check_order(CheckRequest(text="é" * 5001), None, home)
    with pytest.raises(EmptyInputError):
        check_order(CheckRequest(text=" \n "), None, home)
    with pytest.raises(EmptyInputError):
        check_order(CheckRequest(), Upload("a.txt", b""), home)
