"""What somebody who started a batch is told on the way."""

import pytest

from veridic.batch.run import Progress
from veridic.cli.batch_progress import BatchProgress, line

PROGRESS = Progress(
    total=10_000, ended=412, failed=4, under_way=4, spent_usd=1.2345, ended_now=400, seconds=600.0
)


def test_rate_cost_failures_and_the_time_left_are_shown() -> None:
    assert line(PROGRESS) == "412 of 10,000 · 40 a minute · $1.23 · 4 failed · 4 h 0 min left"


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"ended_now": 0, "failed": 0, "spent_usd": 0.0}, "412 of 10,000"),
        ({"total": None, "failed": 0, "spent_usd": 0.0}, "412 · 40 a minute"),
        ({"ended": 9_999, "failed": 0, "spent_usd": 0.0}, "9,999 of 10,000 · 40 a minute · less than a minute left"),
        ({"ended_now": 5, "ended": 9_990, "failed": 0}, "9,990 of 10,000 · 0.5 a minute · $1.23 · 20 min left"),
    ],
)  # fmt: skip
def test_what_is_not_known_is_left_out(changes: dict[str, object], shown: str) -> None:
    assert line(PROGRESS._replace(**changes)) == shown  # type: ignore[arg-type]


def test_without_a_terminal_a_line_a_minute_is_written(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = [0.0]
    with BatchProgress(7, now=lambda: seconds[0]) as progress:
        for second in range(0, 125, 5):
            seconds[0] = float(second)
            progress.follow(PROGRESS)

    written = capsys.readouterr().err.splitlines()
    assert written == [f"batch 7: {line(PROGRESS)}"] * 2
