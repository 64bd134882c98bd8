"""The results as files that other programs open."""

import csv
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet
from tests.builders import sample_report

from veridic.batch.results import COLUMNS, result_of, row_of, writer_for
from veridic.domain.errors import UsageError
from veridic.reporting.json_report import to_json
from veridic.store.batch_tables import ArticleState
from veridic.store.batches import FinishedArticle


def make_row(title: str = "A title", **changes: Any) -> dict[str, Any]:
    article = FinishedArticle(
        number=3,
        given_id="a3",
        source="articles.jsonl#3",
        title=title,
        state=ArticleState.DONE,
        copy_of=None,
        first_run_id=None,
        run_id="FC-2026-000003",
        cost_usd=0.0123456789,
        result=result_of(sample_report(), ("FALSE",)),
        problem=None,
    )
    return row_of(article._replace(**changes))


def test_a_row_has_what_the_report_says() -> None:
    report = to_json(sample_report())

    row = make_row()

    assert list(row) == list(COLUMNS)
    assert [row[name] for name in ("verdict", "credibility_score", "summary", "as_of")] == [
        report[name] for name in ("verdict", "credibility_score", "summary", "as_of")
    ]
    assert row["claims"] == row["supported"] + row["refuted"] + row["unverifiable"] == len(report["claims"])
    assert len(row["findings"]) == row["refuted"] > 0
    claims = {claim["text"]: claim for claim in report["claims"]}
    for finding in row["findings"]:
        assert finding["verdict"] == claims[finding["claim"]]["verdict"]
        assert finding["sources"], "no verdict without a source"
    assert (row["run"], row["cost_usd"], row["flags"]) == ("FC-2026-000003", 0.012346, ["FALSE"])


def test_a_failed_article_has_a_row_with_its_reason() -> None:
    row = make_row(state=ArticleState.FAILED, run_id=None, result=None, problem="It is empty.")

    assert (row["state"], row["verdict"], row["problem"]) == ("failed", None, "It is empty.")
    assert list(row) == list(COLUMNS)


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_every_format_has_the_same_rows(ending: str, tmp_path: Path) -> None:
    rows = [make_row("Zoë said: “so”,\nand went"), make_row("lone \ud800"), make_row(result=None)]
    output = tmp_path / f"results.{ending}"

    writer_for(output)(iter(rows))

    read = _read(output)
    assert [row["title"] for row in read] == [rows[0]["title"], "lone ?", "A title"]
    assert [row["number"] for row in read] == [3, 3, 3]
    assert [row["findings"] for row in read] == [row["findings"] for row in rows]
    assert list(tmp_path.iterdir()) == [output]


def _read(output: Path) -> list[dict[str, Any]]:
    if output.suffix == ".jsonl":
        return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    if output.suffix == ".parquet":
        rows: list[dict[str, Any]] = parquet.read_table(output).to_pylist()
    else:
        with output.open(encoding="utf-8", newline="") as file:
            rows = [row | {"number": int(row["number"])} for row in csv.DictReader(file)]
    return [row | {"findings": json.loads(row["findings"]) if row["findings"] else None} for row in rows]


@pytest.mark.parametrize("title", ["=HYPERLINK(1)", "+1", "-1", "@A1", "\t=1", "\n=1", " =1", "＝1+1"])
def test_a_title_does_not_become_a_formula(title: str, tmp_path: Path) -> None:
    output = tmp_path / "results.csv"

    writer_for(output)([make_row(title)])

    with output.open(encoding="utf-8", newline="") as file:
        assert next(csv.DictReader(file))["title"] == f"'{title}"


def test_old_results_stay_until_new_ones_are_complete(tmp_path: Path) -> None:
    output = tmp_path / "results.jsonl"
    output.write_text("old\n")

    def broken() -> Any:
        yield make_row()
        raise ConnectionResetError("the database is gone")

    with pytest.raises(UsageError, match="can't be written"):
        writer_for(output)(broken())

    assert output.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [output]


def test_unwritable_output_is_refused_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"should end in \.jsonl, \.csv, \.parquet"):
        writer_for(tmp_path / "results.xlsx")
    with pytest.raises(UsageError, match="there is no folder"):
        writer_for(tmp_path / "missing" / "results.csv")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"pip install 'veridic\[parquet\]'"):
        writer_for(tmp_path / "results.parquet")
