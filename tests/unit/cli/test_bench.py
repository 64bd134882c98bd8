"""The `veridic bench` command, with a fake judge and engine."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.builders import make_claim, make_decision, make_document, make_report
from typer.testing import CliRunner

from veridic.bench.cases import Case
from veridic.cli.main import app
from veridic.domain.errors import InputError
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict
from veridic.judging.base import Belief

SET_KEYS = {
    "rows", "accuracy", "macro_f1", "f1", "balanced_accuracy", "calibration_error", "pairs_per_second",
}  # fmt: skip
PAIRS = [
    {"claim": "It rained.", "evidence": ["It poured."], "label": "SUPPORTED", "set": "rain [bold]"},
    {"claim": "It rained.", "evidence": ["It was dry."], "label": "REFUTED", "set": "rain [bold]"},
    {"claim": "It snowed.", "evidence": "Nobody knows.", "label": "NEI", "set": "snow", "binary": True},
]
SENTENCES = [
    {"text": "Unemployment rose to 9.8 percent in 2010.", "set": "debate", "check_worthy": 1},
    {"text": "Thank you very much.", "set": "debate", "check_worthy": 0},
    {"text": "It may be so.", "set": "wiki", "hedged": 1},
]


class AgreeingJudge:
    name = "agreeable"

    def believe(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> list[Belief]:
        return [Belief(0.8, 0.1, 0.1) for _ in pairs]


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> list[AgreeingJudge]:
    """The judges that were created; each supports everything."""
    made: list[AgreeingJudge] = []

    def pair_judge() -> AgreeingJudge:
        made.append(AgreeingJudge())
        return made[-1]

    monkeypatch.setattr("veridic.engine.judges.pair_judge", pair_judge)
    return made


def write(path: Path, rows: Sequence[object]) -> str:
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return str(path)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["bench", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.usefixtures("judges")
def test_verifier_json_has_the_documented_fields(tmp_path: Path) -> None:
    found = json.loads(run("verifier", write(tmp_path / "pairs.jsonl", PAIRS), "--format", "json"))
    assert found.keys() == {"sets", "all"}
    assert list(found["sets"]) == ["rain [bold]", "snow"]
    assert all(one.keys() == SET_KEYS for one in [found["all"], *found["sets"].values()])
    assert found["sets"]["rain [bold]"]["f1"] == {"SUPPORTED": 0.6667, "REFUTED": 0.0}
    assert (found["all"]["rows"], found["all"]["accuracy"]) == (3, 0.3333)


@pytest.mark.usefixtures("judges")
def test_verifier_table_has_percent_and_literal_names(tmp_path: Path) -> None:
    shown = run("verifier", write(tmp_path / "pairs.jsonl", PAIRS))
    lines = [line.split() for line in shown.splitlines()]
    assert ["rain", "[bold]", "2", "50.0", "50.0", "33.3", "66.7", "0.0", "–", "38.9"] in lines
    assert "pairs a second" in shown


@pytest.mark.usefixtures("judges")
def test_judge_option_does_not_exist(tmp_path: Path) -> None:
    file = write(tmp_path / "pairs.jsonl", PAIRS)
    done = CliRunner().invoke(app, ["bench", "verifier", file, "--judge", "model"])
    assert (done.exit_code, "No such option" in done.output) == (2, True)


def test_bad_rows_are_rejected_before_a_judge_is_created(tmp_path: Path, judges: list[AgreeingJudge]) -> None:
    with pytest.raises(InputError, match="line 1"):
        run("verifier", write(tmp_path / "pairs.jsonl", [{"claim": "It rained."}]))
    assert judges == []


def test_claims_are_measured_and_hedges_skipped(tmp_path: Path) -> None:
    file = write(tmp_path / "sentences.jsonl", SENTENCES)
    found = json.loads(run("claims", file, "--format", "json"))
    assert (found["sets"]["debate"]["rows"], found["sets"]["debate"]["roc_auc"]) == (2, 1.0)
    assert found["skipped"] == {"wiki": 1}
    assert "Skipped in wiki: 1 " in run("claims", file)


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An article of two sentences; the fake engine gets one right."""
    document = make_document("It rained in May. It snowed in June.", source="article.md")
    decisions = [
        make_decision(make_claim("It rained in May.", document=document), Verdict.REFUTED),
        make_decision(
            make_claim("It snowed in June.", document=document), Verdict.UNVERIFIABLE, confidence=0.0
        ),
    ]
    report = make_report(decisions, document=document)
    monkeypatch.setattr("veridic.bench.check.run_embedded", lambda settings: _engine(report))
    folder = tmp_path / "weather"
    (folder / "sources").mkdir(parents=True)
    (folder / "article.md").write_text(document.text, encoding="utf-8")
    answers = {"It rained in May.": "REFUTED", "It snowed in June.": "FALSE"}
    (folder / "expected.json").write_text(json.dumps(answers), encoding="utf-8")
    return folder


def _engine(report: Report) -> object:
    def run_case(case: Case) -> Report:
        incomplete = case.name == "incomplete"
        failure = Failure(stage="search", message="It took too long.")
        return report.model_copy(update={"errors": (failure,) if incomplete else ()})

    return run_case


def test_check_reports_right_and_wrong_verdicts(case: Path) -> None:
    found = json.loads(run("check", str(case), "--format", "json"))
    assert found["cases"]["weather"] == found["all"]
    assert found["all"] == {
        "claims": 2, "right": 1, "wrong": 0, "left_open": 1, "precision": 1.0, "recall": 0.5, "f1": 0.6667,
    }  # fmt: skip
    assert found["mismatches"] == [
        {"case": "weather", "sentence": "It snowed in June.", "expected": "REFUTED", "got": "UNVERIFIABLE", "confidence": 0.0}
    ]  # fmt: skip
    shown = run("check", str(case))
    assert "REFUTED expected, UNVERIFIABLE found: It snowed in June." in " ".join(shown.split())


def test_incomplete_check_exits_with_3(case: Path) -> None:
    incomplete = case.rename(case.with_name("incomplete"))
    done = CliRunner().invoke(app, ["bench", "check", str(incomplete), "--format", "json"])
    assert done.exit_code == 3
    assert json.loads(done.stdout)["errors"] == ["incomplete: It took too long."]
    assert "Not completed: incomplete: It took too long." in done.stderr


@pytest.mark.parametrize("form", ["text", "json"])
def test_results_are_written_to_a_file(tmp_path: Path, form: str) -> None:
    file = write(tmp_path / "sentences.jsonl", SENTENCES)
    output = tmp_path / "result"
    assert run("claims", file, "--format", form, "--output", str(output)) == ""
    content = output.read_text(encoding="utf-8")
    assert ("debate" in content, "\x1b" in content) == (True, False)
