"""Tables of benchmark results, in percent with one decimal."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from veridic.bench.check import BenchCheckResult, CaseResult
from veridic.bench.claims import ClaimsResult, DetectionResult
from veridic.bench.measures import Label
from veridic.bench.pages import PagesResult
from veridic.bench.stories import StoriesResult
from veridic.bench.verifier import SetResult, VerifierResult
from veridic.reporting.escaping import one_line

T = TypeVar("T")
_NO_VALUE = "–"
_STORY_FIGURES = {
    "mistakes_found": "mistakes found",
    "alarms_right": "alarms that are right",
    "true_borne_out": "true statements borne out",
    "borne_out_right": "borne out and rightly so",
    "wrong_and_sure": "wrong and sure",
    "not_listed": "not listed as a claim",
    "colour_listed_as_claims": "colour listed as a claim",
    "outdated_found": "outdated ones found",
    "contested_found": "contested ones found",
    "settling_passage_in_first_five": "settling passage in first five",
}
_MAX_LENGTH = 110
_SHORT_LABELS = {Label.SUPPORTED: "sup.", Label.REFUTED: "ref.", Label.NEI: "NEI"}


def verifier_tables(result: VerifierResult) -> list[RenderableType]:
    """Return a table with one row per set: the means and the F1 of each label; then the speed."""
    labels = [label for label in Label if label in result.all.f1]
    f1_heads = (f"F1\n{_SHORT_LABELS[label]}" for label in labels)
    head = ["set", "rows", "acc.", "bal.\nacc.", "mean\nF1", *f1_heads, "calib.\nerror"]

    def cells(one: SetResult) -> list[str]:
        means = map(_percent, (one.accuracy, one.balanced_accuracy, one.macro_f1))
        return [*means, *(_percent(one.f1.get(label)) for label in labels), _percent(one.calibration_error)]

    rows = [(name, one.rows, cells(one)) for name, one in _with_total(result.sets, result.all)]
    return [
        _table(head, rows),
        Text("Accuracy, balanced accuracy, F1 and expected calibration error are in percent."),
        Text(f"{result.all.pairs_per_second:,.1f} pairs a second."),
    ]


def claims_tables(result: ClaimsResult) -> list[RenderableType]:
    """Return a table with one row per set, and the skipped rows."""
    head = ["set", "rows", "precision", "recall", "F1", "accuracy", "ROC-AUC", "av. prec."]

    def cells(one: DetectionResult) -> list[str]:
        values = (one.precision, one.recall, one.f1, one.accuracy, one.roc_auc, one.average_precision)
        return [_percent(value) for value in values]

    rows = [(name, one.rows, cells(one)) for name, one in _with_total(result.sets, result.all)]
    skipped = [
        Text(f"Skipped in {one_line(name)}: {count:,} that only say whether a sentence is hedged.")
        for name, count in result.skipped.items()
    ]
    return [_table(head, rows), *skipped]


def check_tables(result: BenchCheckResult) -> list[RenderableType]:
    """Return a table with one row per case, then each sentence with another verdict than expected."""
    head = ["case", "claims", "right", "wrong", "left open", "precision", "recall", "F1"]

    def cells(one: CaseResult) -> list[str]:
        counts = (f"{count:,}" for count in (one.right, one.wrong, one.left_open))
        return [*counts, *(_percent(value) for value in (one.precision, one.recall, one.f1))]

    rows = [(name, one.claims, cells(one)) for name, one in _with_total(result.cases, result.all)]
    missed = [
        Text(f"{one.expected} expected, {_found(one.got, one.confidence)}: {one_line(one.sentence)}")
        for one in result.mismatches
    ]
    return [_table(head, rows), Text("Precision, recall and F1 are for finding wrong claims."), *missed]


def stories_tables(result: StoriesResult, *, show: bool) -> list[RenderableType]:
    """Return a table with one row per figure; with `show`, also each misjudged statement."""
    shares = result.model_dump()
    rows = [(name, result.of[figure], [_percent(shares[figure])]) for figure, name in _STORY_FIGURES.items()]
    speed = f"{result.seconds_per_1000_words:,.1f} seconds for 1,000 words."
    missed = [
        Text(
            f"{one_line(one.story)}, {one_line(one.kind) or 'statement'}:"
            f" {one.label} expected, {_found(one.got, one.confidence)}: {_with_quote(one.words, one.quote)}"
        )
        for one in result.misjudged
    ]
    return [
        _table(["figure", "of", "percent"], rows),
        Text(
            f"{_number(result.stories, 'story', 'stories')}, {_number(result.statements, 'statement')}. {speed}"
        ),
        *(missed if show else ()),
    ]


def pages_tables(result: PagesResult, *, show: bool) -> list[RenderableType]:
    """Return a table of counts; with `show`, also each misjudged claim."""
    counts = [f"{count:,}" for count in (result.right, result.wrong, result.open)]
    settling = _percent(result.settling_passage_in_first_five)
    missed = [
        Text(f"{one.label} expected, {_found(one.got, one.confidence)}: {_with_quote(one.claim, one.quote)}")
        for one in result.misjudged
    ]
    return [
        _table(
            ["pages", "claims", "right", "wrong", "open", "settling passage\nin first five, %"],
            [(f"{result.pages:,}", result.claims, [*counts, settling])],
        ),
        *(missed if show else ()),
    ]


def _with_quote(words: str, quote: str | None) -> str:
    """Return the statement, and the first evidence shown for it."""
    return _cut(words) if quote is None else f"{_cut(words)} <- {_cut(quote)}"


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _MAX_LENGTH else f"{line[: _MAX_LENGTH - 1]}…"


def _number(count: int, one: str, several: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def _found(verdict: str | None, confidence: float | None) -> str:
    if verdict is None:
        return "no claim found"
    return f"{verdict} found ({confidence:.0%} sure)" if confidence else f"{verdict} found"


def _with_total(parts: dict[str, T], everything: T) -> Iterable[tuple[str, T]]:
    """Yield the parts, then the total unless there is only one part."""
    yield from parts.items()
    if len(parts) > 1:
        yield "all", everything


def _percent(fraction: float | None) -> str:
    return _NO_VALUE if fraction is None else f"{100 * fraction:.1f}"


def _table(head: Sequence[str], rows: Iterable[tuple[str, int, list[str]]]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, name in enumerate(head):
        table.add_column(
            name,
            justify="right" if number else "left",
            overflow="fold",
            no_wrap=number > 0,
            vertical="bottom",
        )
    for name, count, cells in rows:
        # As Text, so that a name with [brackets] is not parsed as markup.
        table.add_row(Text(one_line(name)), f"{count:,}", *cells)
    return table
