"""What is typed into the start page, and what it comes to."""

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
    Given,
    OrderForm,
    blank_form,
    corpora_to_choose,
    missing,
    place_of,
    read_form,
    request_of,
    web_searches,
)

_DEFAULT = RoleModels(
    extractor="a/extractor", checkers=("a/one",), reporter="a/reporter", generator="a/generator"
)


def test_an_empty_form_is_the_start_page_s() -> None:
    assert read_form({}) == replace(OrderForm(), against=())


def test_what_no_browser_sends_falls_back() -> None:
    form = read_form({"given": ["<script>"], "mode": ["quick"], "checker": ["a"] * 9})

    assert (form.given, form.mode, form.checkers) == (Given.TEXT, Mode.THOROUGH, ("a",) * 4)


@pytest.mark.parametrize(
    ("form", "field"),
    [
        (OrderForm(text=" \n"), "text"),
        (OrderForm(given=Given.FILE), "file"),
        (OrderForm(given=Given.URL, url="file:///etc/passwd"), "url"),
        (OrderForm(given=Given.URL, url=""), "url"),
        (OrderForm(given=Given.QUESTION), "question"),
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
def test_what_is_missing_is_named_by_its_field(form: OrderForm, field: str) -> None:
    assert list(missing(form, None, _DEFAULT)) == [field]


def test_a_question_needs_someone_to_answer_it() -> None:
    form = OrderForm(given=Given.QUESTION, question="Why?")

    assert missing(form, None, _DEFAULT) == {}
    assert list(missing(form, None, _DEFAULT._replace(generator=None))) == ["generator"]
    assert missing(replace(form, generator="a/b"), None, None) == {}


def test_a_file_that_was_chosen_is_enough() -> None:
    assert missing(OrderForm(given=Given.FILE), Upload("a.txt", b"x"), _DEFAULT) == {}


def test_only_what_was_chosen_is_sent_on() -> None:
    form = OrderForm(
        given=Given.URL, text="left over", url="https://a.example/", question="left over", extractor="a/b"
    )

    request = request_of(form)

    assert (request.url, request.text, request.question) == ("https://a.example/", None, None)
    assert request.models.extractor is None  # it was typed into a field of consensus mode


@pytest.mark.parametrize("mode", [Mode.SUMMARY, Mode.THOROUGH])
def test_two_models_a_day_and_a_limit_go_with_summary_and_thorough_mode(mode: Mode) -> None:
    form = OrderForm(
        text="x", mode=mode, engine=EngineChoice.LLM, lister="a/b", validator="c/d", checkers=("left/over",) * 4,
        as_of="2025-01-21", max_cost="0,5",
    )  # fmt: skip

    request = request_of(form)

    assert (request.mode, request.engine) == (mode, EngineChoice.LLM)
    assert (request.models.extractor, request.models.checkers) == ("a/b", ["c/d"])
    assert (request.as_of, request.max_cost) == (date(2025, 1, 21), 0.5)


def test_the_engine_is_no_choice_of_consensus_mode() -> None:
    form = OrderForm(text="x", mode=Mode.CONSENSUS, engine=EngineChoice.EMBEDDED)

    assert request_of(form).engine is EngineChoice.AUTO


def test_where_the_web_can_be_searched_nothing_is_ticked(tmp_path: Path) -> None:
    assert blank_form(Settings(home=tmp_path)) == OrderForm()

    searching = Settings(home=tmp_path, exa_api_key="key", use_thorough_validation=False)
    assert web_searches(searching).names == ("exa",)
    assert blank_form(searching) == OrderForm(mode=Mode.SUMMARY, against=())

    without_key = web_searches(Settings(home=tmp_path, search=("exa",)))
    assert without_key.names == ()
    assert "EXA_API_KEY" in without_key.problem


def test_a_question_is_checked_in_consensus_mode_whatever_was_chosen() -> None:
    form = OrderForm(
        given=Given.QUESTION, question="Why?", mode=Mode.THOROUGH, checkers=("", "a/b", "", "c/d")
    )

    request = request_of(form)

    assert request.mode is Mode.CONSENSUS
    assert request.models.checkers == ["a/b", "c/d"]


def test_errors_go_to_the_field_they_are_about() -> None:
    form = OrderForm(given=Given.URL, mode=Mode.CONSENSUS, checkers=("x/y", "", "", ""))

    assert place_of(UsageError("x/y can't be the checker."), form) == "checker-1"
    assert place_of(FetchError("https://a.example/ answered 404."), form) == "url"
    assert place_of(UsageError("against names corpora, and there is none named 'z'."), form) == "against"
    assert place_of(UsageError("Something else."), form) == "form"


def test_the_built_in_library_can_always_be_chosen(tmp_path: Path) -> None:
    assert [corpus.name for corpus in corpora_to_choose(Settings(home=tmp_path))] == ["reference"]
