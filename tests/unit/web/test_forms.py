"""The form of the start page."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from veridic.api.requests import Upload
from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, UsageError
from veridic.domain.modes import EngineChoice, Mode
from veridic.providers.llm.roles import RoleModels
from veridic.web.forms import (
    InputKind,
    OrderForm,
    blank_form,
    corpus_choices,
    field_for_error,
    find_mistakes,
    read_form,
    to_request,
    web_searches,
)

_DEFAULT = RoleModels(
    extractor="a/extractor", checkers=("a/one",), reporter="a/reporter", generator="a/generator"
)


def test_an_empty_form_has_the_defaults() -> None:
    assert read_form({}) == replace(OrderForm(), against=())


def test_invalid_choices_fall_back_to_defaults() -> None:
    form = read_form({"given": ["<script>"], "mode": ["quick"], "checker": ["a"] * 9})

    assert (form.given, form.mode, form.checkers) == (InputKind.TEXT, Mode.THOROUGH, ("a",) * 4)


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (OrderForm(text=" \n"), "text"),
        (OrderForm(given=InputKind.FILE), "file"),
        (OrderForm(given=InputKind.URL, url="file:///etc/passwd"), "url"),
        (OrderForm(given=InputKind.URL, url=""), "url"),
        (OrderForm(given=InputKind.QUESTION), "question"),
        (OrderForm(text="x", mode=Mode.CONSENSUS, extractor="m" * 201), "extractor"),
        (OrderForm(text="x", mode=Mode.CONSENSUS, checkers=("", "m" * 201, "", "")), "checker-2"),
        (OrderForm(text="x", lister="m" * 201), "lister"),
        (OrderForm(text="x", mode=Mode.SUMMARY, validator="m" * 201), "validator"),
        (OrderForm(text="x", as_of="yesterday"), "as_of"),
        (OrderForm(text="x", as_of="9999-12-31"), "as_of"),
        (OrderForm(text="x", max_cost="much"), "max_cost"),
        (OrderForm(text="x", max_cost="nan"), "max_cost"),
        (OrderForm(text="x", max_cost="-1"), "max_cost"),
    ],
)
def test_mistakes_are_reported_by_field(form: OrderForm, field: str) -> None:
    assert list(find_mistakes(form, None, _DEFAULT)) == [field]


def test_a_question_needs_a_generator() -> None:
    form = OrderForm(given=InputKind.QUESTION, question="Why?")

    assert find_mistakes(form, None, _DEFAULT) == {}
    assert list(find_mistakes(form, None, _DEFAULT._replace(generator=None))) == ["generator"]
    assert find_mistakes(replace(form, generator="a/b"), None, None) == {}


def test_a_chosen_file_is_enough() -> None:
    assert find_mistakes(OrderForm(given=InputKind.FILE), Upload("a.txt", b"x"), _DEFAULT) == {}


def test_fields_of_other_choices_are_ignored() -> None:
    form = OrderForm(
        given=InputKind.URL, text="left over", url="https://a.example/", question="left over", extractor="a/b"
    )

    request = to_request(form)

    assert (request.url, request.text, request.question) == ("https://a.example/", None, None)
    assert request.models.extractor is None  # a field of consensus mode


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_fields_of_summary_and_thorough_mode(mode: Mode) -> None:
    form = OrderForm(
        text="x", mode=mode, engine=EngineChoice.LLM, lister="a/b", validator="c/d", checkers=("left/over",) * 4,
        as_of="2025-01-21", max_cost="0,5",
    )  # fmt: skip

    request = to_request(form)

    assert (request.mode, request.engine) == (mode, EngineChoice.LLM)
    assert (request.models.extractor, request.models.checkers) == ("a/b", ["c/d"])
    assert (request.as_of, request.max_cost) == (date(2025, 1, 21), 0.5)


def test_consensus_mode_ignores_the_engine() -> None:
    form = OrderForm(text="x", mode=Mode.CONSENSUS, engine=EngineChoice.EMBEDDED)

    assert to_request(form).engine is EngineChoice.AUTO


def test_nothing_is_ticked_with_a_search_provider(tmp_path: Path) -> None:
    assert blank_form(Settings(home=tmp_path)) == OrderForm()

    searching = Settings(home=tmp_path, exa_api_key="key", use_thorough_validation=False)
    assert web_searches(searching).names == ("exa",)
    assert blank_form(searching) == OrderForm(mode=Mode.SUMMARY, against=())

    without_key = web_searches(Settings(home=tmp_path, search=("exa",)))
    assert without_key.names == ()
    assert "EXA_API_KEY" in without_key.problem


def test_a_question_always_uses_consensus_mode() -> None:
    form = OrderForm(
        given=InputKind.QUESTION, question="Why?", mode=Mode.THOROUGH, checkers=("", "a/b", "", "c/d")
    )

    request = to_request(form)

    assert request.mode is Mode.CONSENSUS
    assert request.models.checkers == ["a/b", "c/d"]


def test_errors_are_shown_at_their_field() -> None:
    form = OrderForm(given=InputKind.URL, mode=Mode.CONSENSUS, checkers=("x/y", "", "", ""))

    assert field_for_error(UsageError("x/y can't be the checker."), form) == "checker-1"
    assert field_for_error(FetchError("https://a.example/ answered 404."), form) == "url"
    assert (
        field_for_error(UsageError("against names corpora, and there is none named 'z'."), form) == "against"
    )
    assert field_for_error(UsageError("Something else."), form) == "form"


def test_the_reference_library_can_always_be_chosen(tmp_path: Path) -> None:
    assert [corpus.name for corpus in corpus_choices(Settings(home=tmp_path))] == ["reference"]
