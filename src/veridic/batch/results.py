"""The results of a batch: one row for each article, as JSON lines, CSV or Parquet."""

import csv
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from veridic.batch.plan import verdicts_of
from veridic.desk.spreadsheet import disarm
from veridic.domain.errors import UsageError, missing_extra
from veridic.domain.report import Report
from veridic.domain.verdicts import Verdict
from veridic.reporting.json_report import to_json
from veridic.store.batches import FinishedArticle

COLUMNS = {
    "number": int,
    "id": str,
    "source": str,
    "title": str,
    "state": str,
    "verdict": str,
    "credibility_score": int,
    "summary": str,
    "claims": int,
    "supported": int,
    "disputed": int,
    "open": int,
    "findings": list,
    "flags": list,
    "as_of": str,
    "run": str,
    "first_run": str,
    "copy_of": int,
    "cost_usd": float,
    "problem": str,
}
"""Every field of a row, with its type; a list is JSON text where a cell can't be a list."""
_SUPPORTED = {Verdict.SUPPORTED, Verdict.MOSTLY_SUPPORTED}
_OPEN = {Verdict.UNVERIFIABLE, Verdict.AMBIGUOUS, Verdict.CONTESTED}
_ROWS_AT_ONCE = 1_000


def result_of(report: Report, flags: tuple[str, ...] | None) -> dict[str, Any]:
    """Return what is kept of a report for the results; `flags` are those of the first look, None without triage."""
    content = to_json(report)
    sources = {source["id"]: source for source in content["sources"]}
    counts = report.counts()
    supported = sum(counts.get(verdict, 0) for verdict in _SUPPORTED)
    unsettled = sum(counts.get(verdict, 0) for verdict in _OPEN)
    return {
        "title": report.document.title,
        "verdict": content["verdict"],
        "credibility_score": content["credibility_score"],
        "summary": content["summary"],
        "claims": len(report.decisions),
        "supported": supported,
        "disputed": len(report.decisions) - supported - unsettled,
        "open": unsettled,
        "findings": [
            _finding(claim, sources)
            for decision, claim in zip(report.decisions, content["claims"], strict=True)
            if decision.verdict not in _SUPPORTED | _OPEN
        ],
        "flags": None if flags is None else list(flags),
        "as_of": content["as_of"],
        "verdicts": sorted(verdict.value for verdict in verdicts_of(report)),
    }


def _finding(claim: dict[str, Any], sources: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """Return a claim that the sources object to, with the correction and the sources."""
    cited = [sources[number] for number in claim["citations"] if number in sources]
    correction = claim["correction"]
    return {
        "claim": claim["text"],
        "verdict": claim["verdict"],
        "confidence": claim["confidence"],
        "correction": correction and correction["corrected"],
        "sources": [source.get("url") or source.get("path") or source["title"] for source in cited],
    }


def row_of(article: FinishedArticle) -> dict[str, Any]:
    """Return an article's row; fields that nothing is known of are None."""
    known = {name: value for name, value in (article.result or {}).items() if name in COLUMNS}
    given = {
        "number": article.number,
        "id": article.given_id,
        "source": article.source,
        "title": article.title or known.get("title"),
        "state": article.state.value,
        "run": article.run_id or article.first_run_id,
        "first_run": article.first_run_id,
        "copy_of": article.copy_of,
        "cost_usd": round(article.cost_usd, 6),
        "problem": article.problem,
    }
    return dict.fromkeys(COLUMNS) | known | given


def writer_for(output: Path) -> Callable[[Iterable[dict[str, Any]]], None]:
    """Return the function that writes rows to `output`, which its ending chooses; the old file stays until the new one is complete.

    Raises `UsageError` for another ending, a missing folder or a missing library.
    """
    kinds = {".jsonl": _write_json_lines, ".csv": _write_csv, ".parquet": _write_parquet}
    write = kinds.get(output.suffix.lower())
    if write is None:
        raise UsageError(
            f"--output should end in {', '.join(kinds)}, which says how the results are written; {output.name} does not."
        )
    if not output.parent.is_dir():
        raise UsageError(f"The results can't be written to {output}: there is no folder {output.parent}.")
    if write is _write_parquet:
        _import_parquet()

    def replace(rows: Iterable[dict[str, Any]]) -> None:
        part = output.with_name(f".{output.name}.{os.getpid()}.part")
        try:
            write(part, rows)
            part.replace(output)
        except OSError as error:
            reason = error.strerror or str(error)
            raise UsageError(f"The results can't be written to {output}: {reason}.") from None
        finally:
            with suppress(OSError):  # moved, or never created
                part.unlink()

    return replace


def _write_json_lines(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_csv(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", errors="replace", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for row in rows:
            table.writerow([_cell(row[name]) for name in COLUMNS])


def _cell(value: Any) -> Any:
    """Return a value as a cell: a text from outside must not become a formula where the file is opened."""
    return disarm(json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value)


def _write_parquet(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    arrow, parquet = _import_parquet()
    types = {int: arrow.int64(), float: arrow.float64(), str: arrow.string(), list: arrow.string()}
    schema = arrow.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    with parquet.ParquetWriter(path, schema) as file:
        for batch in _in_parts(rows):
            file.write_table(arrow.Table.from_pylist([_flat(row) for row in batch], schema))


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in row.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        value = json.dumps(value, ensure_ascii=False)
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _in_parts(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while part := list(islice(remaining, _ROWS_AT_ONCE)):
        yield part


def _import_parquet() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise missing_extra("parquet", "Writing Parquet") from None
    return pyarrow, parquet
