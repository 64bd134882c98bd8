"""Every article gets one row, whatever happens to it, and nothing is paid for twice."""

import asyncio
from pathlib import Path

import pytest
from tests.batch_articles import (
    CALL_USD,
    REFUSED,
    RISKY,
    STAGES,
    WRONG,
    JumpingClock,
    ScriptedChecks,
    TickingClock,
    rows_of,
    run_batch,
    session,
    write_lines,
)

from veridic.batch.inputs import open_input
from veridic.batch.plan import BatchPlan
from veridic.batch.session import BatchState, WorkOptions
from veridic.config.settings import Settings
from veridic.domain.errors import ConflictError, UsageError
from veridic.domain.modes import FirstLook
from veridic.domain.verdicts import Verdict
from veridic.store import batches
from veridic.store.leases import RENEW_SECONDS
from veridic.store.runs import RunStore

ARTICLE_USD = CALL_USD * len(STAGES)


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "results.jsonl"


def articles(tmp_path: Path, *texts: str) -> Path:
    lines = [{"id": f"a{number}", "text": text} for number, text in enumerate(texts, 1)]
    return write_lines(tmp_path / "articles.jsonl", lines)


def test_rows_follow_the_order_of_the_input(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, "One.", f"Two is {WRONG}.", "Three.")

    ended = run_batch(source, output, settings, ScriptedChecks())

    rows = rows_of(output)
    assert [(row["number"], row["id"], row["state"], row["verdict"]) for row in rows] == [
        (1, "a1", "done", "TRUE"),
        (2, "a2", "done", "FALSE"),
        (3, "a3", "done", "TRUE"),
    ]
    assert rows[1]["findings"][0]["claim"] == f"Two is {WRONG}."
    assert rows[1]["findings"][0]["verdict"] == "REFUTED"
    assert [row["cost_usd"] for row in rows] == [pytest.approx(ARTICLE_USD)] * 3
    assert ended.totals.spent_usd == pytest.approx(3 * ARTICLE_USD)
    assert ended.verdicts == {Verdict.SUPPORTED, Verdict.REFUTED}


def test_bad_article_fails_alone_with_reason(tmp_path: Path, output: Path, settings: Settings) -> None:
    lines: list[str | dict[str, object]] = [
        {"text": "One."},
        "{not JSON",
        {"id": 4, "text": "   "},
        {"text": f"This is {REFUSED}."},
        '{"text": "cut \\ud800 off"}',
    ]
    source = write_lines(tmp_path / "articles.jsonl", lines)

    ended = run_batch(source, output, settings, ScriptedChecks())

    rows = rows_of(output)
    assert [row["state"] for row in rows] == ["done", "failed", "failed", "failed", "failed"]
    assert rows[1]["problem"] == f"Line 2 of {source} is not valid JSON in UTF-8."
    assert 'has no "text"' in rows[2]["problem"]
    assert rows[2]["id"] == "4"
    assert rows[3]["problem"] == "The provider rejected the request."
    assert "Unicode" in rows[4]["problem"]
    assert (ended.totals.ended, ended.totals.failed) == (5, 4)


def test_the_same_text_is_checked_once(tmp_path: Path, output: Path, settings: Settings) -> None:
    checks = ScriptedChecks()
    source = articles(tmp_path, f"One is\n{WRONG}.", "Two.", f"One  is {WRONG}. ")

    ended = run_batch(source, output, settings, checks, options=WorkOptions(at_once=1))

    rows = rows_of(output)
    assert len(checks.asked) == 2 * len(STAGES)
    assert [row["copy_of"] for row in rows] == [None, None, 1]
    assert rows[2]["verdict"] == rows[0]["verdict"] == "FALSE"
    assert rows[2]["run"] == rows[0]["run"]
    assert (rows[2]["cost_usd"], rows[2]["state"]) == (0, "done")
    assert ended.copies == 1


def test_texts_of_different_dates_are_different(tmp_path: Path, output: Path, settings: Settings) -> None:
    dated = [{"text": "One.", "date": day} for day in ("2024-01-01", "2025-01-01")]
    source = write_lines(tmp_path / "articles.jsonl", dated)

    run_batch(source, output, settings, ScriptedChecks())

    assert [row["copy_of"] for row in rows_of(output)] == [None, None]


def interrupt(source: Path, output: Path, settings: Settings, after_calls: int) -> ScriptedChecks:
    """Run a batch and cancel it, as Ctrl-C does, once so many calls were made."""
    running: list[asyncio.Task[BatchState]] = []

    def count(_call: str) -> None:
        if len(checks.asked) == after_calls:
            asyncio.get_running_loop().call_soon(running[0].cancel)

    async def main() -> None:
        running.append(asyncio.create_task(session(source, output, settings, checks).run()))
        with pytest.raises(asyncio.CancelledError):
            await running[0]

    checks = ScriptedChecks(count)
    asyncio.run(main())
    return checks


def test_same_command_resumes_without_paying_twice(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, *(f"Article {number}." for number in range(20)))
    before = interrupt(source, output, settings, after_calls=11)
    assert len(rows_of(output)) == 20
    after = ScriptedChecks()

    ended = run_batch(source, output, settings, after)

    assert after.asked
    assert sorted(before.asked + after.asked) == sorted(
        f"{stage}: Article {number}." for stage in STAGES for number in range(20)
    )
    assert (ended.totals.listed, ended.totals.ended, ended.totals.failed) == (20, 20, 0)
    assert len({row["run"] for row in rows_of(output)}) == 20


def test_stopped_batch_leaves_an_empty_queue(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, *(f"Article {number}." for number in range(20)))

    interrupt(source, output, settings, after_calls=1)

    with RunStore(settings.database) as store:
        assert store.queue_length().waiting == 0
        with store.read() as db:
            assert not batches.find(db, 1).is_under_way


def test_lines_added_later_are_checked_too(tmp_path: Path, output: Path, settings: Settings) -> None:
    run_batch(articles(tmp_path, "One."), output, settings, ScriptedChecks())
    checks = ScriptedChecks()

    run_batch(articles(tmp_path, "One.", "Two."), output, settings, checks)

    assert checks.asked == ["extract: Two.", "validate: Two."]
    assert [row["id"] for row in rows_of(output)] == ["a1", "a2"]


def test_failed_articles_are_checked_again_on_request(
    tmp_path: Path, output: Path, settings: Settings
) -> None:
    source = articles(tmp_path, "One.", f"Two is {REFUSED}.")
    run_batch(source, output, settings, ScriptedChecks())
    checks = ScriptedChecks()

    run_batch(source, output, settings, checks)
    assert checks.asked == []
    run_batch(source, output, settings, checks, options=WorkOptions(retry_failed=True))

    assert checks.asked == [f"extract: Two is {REFUSED}."]
    assert [row["state"] for row in rows_of(output)] == ["done", "failed"]


def test_vanished_article_gets_a_row(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, "One.", "Two.")
    limited = BatchPlan(max_cost_usd=1.5 * ARTICLE_USD)
    run_batch(source, output, settings, ScriptedChecks(), limited, WorkOptions(at_once=1))

    run_batch(articles(tmp_path, "One."), output, settings, ScriptedChecks(), BatchPlan(max_cost_usd=1.0))

    assert [(row["state"], row["problem"]) for row in rows_of(output)] == [
        ("done", None),
        ("failed", "It is no longer in the input."),
    ]


def test_the_limit_of_cost_holds_for_all_articles_together(
    tmp_path: Path, output: Path, settings: Settings
) -> None:
    source = articles(tmp_path, *(f"Article {number}." for number in range(10)))
    limit = 4.5 * ARTICLE_USD

    plan = BatchPlan(max_cost_usd=limit)
    ended = run_batch(source, output, settings, ScriptedChecks(), plan, WorkOptions(at_once=3))

    assert ended.is_out_of_money
    assert 3 * ARTICLE_USD < ended.totals.spent_usd <= limit
    states = [row["state"] for row in rows_of(output)]
    assert len(states) == 10, "every article has a row"
    assert states.count("waiting") >= 5
    again = run_batch(source, output, settings, ScriptedChecks())
    assert again.is_out_of_money, "the limit holds until another one is given"
    more = run_batch(source, output, settings, ScriptedChecks(), BatchPlan(max_cost_usd=1.0))
    assert (more.totals.ended, more.is_out_of_money) == (10, False)


def test_triage_checks_only_flagged_articles_thoroughly(
    tmp_path: Path, output: Path, settings: Settings
) -> None:
    checks = ScriptedChecks()
    source = articles(tmp_path, "One.", f"Two is {WRONG}.", f"Three is {RISKY}.")

    ended = run_batch(source, output, settings, checks, BatchPlan(triage=FirstLook.SUMMARY))

    rows = rows_of(output)
    assert len(checks.asked) == 5 * len(STAGES)
    assert [row["flags"] for row in rows] == [[], ["FALSE"], ["HIGH_RISK"]]
    assert [row["run"] == row["first_run"] for row in rows] == [True, False, False]
    assert rows[1]["cost_usd"] == pytest.approx(2 * ARTICLE_USD)
    assert ended.flagged == 2


def test_failed_second_look_keeps_flags(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, f"This is {WRONG} and later {REFUSED}.")
    checks = ScriptedChecks(refuses_from=len(STAGES))

    run_batch(source, output, settings, checks, BatchPlan(triage=FirstLook.SUMMARY))

    (row,) = rows_of(output)
    assert (row["state"], row["verdict"], row["flags"]) == ("failed", None, ["FALSE"])
    assert row["cost_usd"] >= ARTICLE_USD


def test_the_rule_of_triage_is_a_setting(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, f"Two is {WRONG}.", f"Three is {RISKY}.")
    rule = settings.model_copy(update={"batch_flags": ("HIGH_RISK",)})

    run_batch(source, output, rule, ScriptedChecks(), BatchPlan(triage=FirstLook.EMBEDDED))

    assert [row["flags"] for row in rows_of(output)] == [[], ["HIGH_RISK"]]


def test_only_so_many_articles_are_checked_at_once(tmp_path: Path, output: Path, settings: Settings) -> None:
    checks = ScriptedChecks()
    source = articles(tmp_path, *(f"Article {number}." for number in range(12)))

    run_batch(source, output, settings, checks, options=WorkOptions(at_once=3))

    assert checks.most_at_once == 3


def test_the_results_of_another_batch_are_not_overwritten(
    tmp_path: Path, output: Path, settings: Settings
) -> None:
    source = articles(tmp_path, "One.")
    run_batch(source, output, settings, ScriptedChecks())

    with pytest.raises(UsageError, match="started with other articles or options"):
        run_batch(source, output, settings, ScriptedChecks(), BatchPlan(against=("elsewhere",)))
    output.with_name("notes.jsonl").write_text("my own\n")
    with pytest.raises(UsageError, match="is not the result of a batch"):
        run_batch(source, output.with_name("notes.jsonl"), settings, ScriptedChecks())
    assert output.with_name("notes.jsonl").read_text() == "my own\n"


def test_two_processes_do_not_work_on_one_batch(tmp_path: Path, output: Path, settings: Settings) -> None:
    mine = session(articles(tmp_path, "One."), output, settings, ScriptedChecks())
    with RunStore(settings.database) as store:
        store.write(lambda db: batches.take(db, 1, "elsewhere/1/x", lambda _: False))

    with pytest.raises(ConflictError, match="Another process works on batch 1"):
        asyncio.run(mine.run())


def test_watched_folder_checks_each_file_once(tmp_path: Path, output: Path, settings: Settings) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "one.txt").write_text("One.")

    def second() -> None:
        (folder / "two.txt").write_text("Two.")

    def changed() -> None:
        (folder / "one.txt").write_text("One, corrected.")

    checks = ScriptedChecks()
    clock = JumpingClock([second, changed, lambda: None])
    found = open_input(str(folder), settings, output=output)
    watch = WorkOptions(every_seconds=1.0)
    watching = session(folder, output, settings, checks, options=watch, clock=clock, articles=found)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watching.run())

    texts = ["One.", "Two.", "One, corrected."]
    assert checks.asked == [f"{stage}: {text}" for text in texts for stage in STAGES]
    assert [Path(row["source"]).name for row in rows_of(output)] == ["one.txt", "two.txt", "one.txt"]


def test_a_feed_that_fails_for_once_is_tried_again(tmp_path: Path, output: Path, settings: Settings) -> None:
    feed = tmp_path / "feed.xml"
    told: list[str] = []

    def publish(*names: str) -> None:
        items = "".join(
            f"<item><guid>{n}</guid><encoded>Article {n} says this.</encoded></item>" for n in names
        )
        feed.write_text(f"<rss><channel>{items}</channel></rss>")

    publish("one")
    clock = JumpingClock([lambda: feed.write_text("busy"), lambda: publish("two", "one"), lambda: None])
    checks = ScriptedChecks()
    watching = session(
        feed,
        output,
        settings,
        checks,
        options=WorkOptions(every_seconds=1.0),
        clock=clock,
        on_trouble=told.append,
    )

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watching.run())

    assert told == [f"{feed} is no RSS or Atom feed."]
    assert [row["id"] for row in rows_of(output)] == ["one", "two"]
    assert len(checks.asked) == 2 * len(STAGES)


def test_batch_taken_by_another_process_is_left(tmp_path: Path, output: Path, settings: Settings) -> None:
    source = articles(tmp_path, *(f"Article {number}." for number in range(9)))

    def taken(_call: str) -> None:
        with RunStore(settings.database) as store:
            store.write(lambda db: batches.take(db, 1, "elsewhere/1/x", lambda _: True))

    checks = ScriptedChecks(taken)
    clock = TickingClock(RENEW_SECONDS)

    with pytest.raises(ConflictError, match="Another process has taken batch 1 over"):
        asyncio.run(session(source, output, settings, checks, clock=clock).run())

    with RunStore(settings.database) as store, store.read() as db:
        assert batches.find(db, 1).is_under_way
