"""What is reached on the development data now, in full and on a sample."""

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from veridic.bench.claims import SentenceRow, bench_claims, embedded_worth
from veridic.bench.measures import Answer, measure
from veridic.bench.pages import bench_pages, open_pages, read_pages
from veridic.bench.rows import BenchRow, PairRow, read_rows
from veridic.bench.stories import bench_stories, check_embedded
from veridic.bench.story import read_story
from veridic.bench.verifier import judge_sets
from veridic.config.settings import Settings
from veridic.domain.progress import Progress, ignore_progress
from veridic.engine.judges import pair_judge

ROOT = Path(__file__).parent.parent
VERIFIER_DATA = "verifier-dev.jsonl.gz"
CLAIMS_DATA = "claim-detection.jsonl.gz"
CLAIMS_SET = "ct24.dev"
STORIES_DATA = "newsroom"
"""A folder of stories."""
PAGES_DATA = "fm2-pages-dev.jsonl.gz"
STORIES_SET, PAGES_SET = "newsroom", "fm2-pages-dev"
STORY_FIGURES = (
    "mistakes_found",
    "alarms_right",
    "true_borne_out",
    "borne_out_right",
    "wrong_and_sure",
    "not_listed",
    "colour_listed_as_claims",
    "settling_passage_in_first_five",
)
ALL = "all"
HEADLINES: dict[str, tuple[str, ...]] = {
    "fever_symmetric.dev": ("accuracy",),
    "fm2_gold.dev": ("accuracy",),
    "check_covid.dev": ("macro_f1",),
    "check_covid.test": ("macro_f1",),
    "check_covid": ("macro_f1",),
    "infotabs.dev": ("macro_f1",),
    "scifact_rte.dev": ("accuracy",),
    "wice_oracle.dev": ("balanced_accuracy",),
    "cad_nli.dev": ("accuracy",),
    "citation_integrity.dev": ("macro_f1",),
    ALL: ("accuracy", "calibration_error"),
}
"""The measures that count, by set."""
TOGETHER = {"check_covid": ("check_covid.dev", "check_covid.test")}
SAMPLED_PAIRS = 44
"""Of each set: about 400 in all."""
SAMPLED_SENTENCES = 200
SAMPLED_STORIES = 4
SAMPLED_CLAIMS = 40
MEASURED_CLAIMS = 100
"""Of the claims about pages, the first so many: all of them take an hour."""

RowT = TypeVar("RowT", bound=BenchRow)


def data_folder() -> Path | None:
    """Where the development data is: `VERIDIC_DATA`, or the folder shared beside the repository; None if nowhere."""
    folder = Path(os.environ.get("VERIDIC_DATA") or ROOT.parent / "shared" / "data")
    needed = (VERIFIER_DATA, CLAIMS_DATA, PAGES_DATA, STORIES_DATA)
    return folder if all((folder / name).exists() for name in needed) else None


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each data file."""
    files = {name: [folder / name] for name in (VERIFIER_DATA, CLAIMS_DATA, PAGES_DATA)}
    files[STORIES_DATA] = story_files(folder)
    return {
        name: hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()
        for name, paths in files.items()
    }


def story_files(folder: Path) -> list[Path]:
    return sorted((folder / STORIES_DATA).glob("*.json"))


def read_data(folder: Path) -> tuple[list[PairRow], list[SentenceRow]]:
    """The rows that are measured."""
    sentences = read_rows([folder / CLAIMS_DATA], SentenceRow)
    return read_rows([folder / VERIFIER_DATA], PairRow), [
        row for row in sentences if row.set_name == CLAIMS_SET
    ]


def sample(
    pairs: Sequence[PairRow], sentences: Sequence[SentenceRow]
) -> tuple[list[PairRow], list[SentenceRow]]:
    """The same few rows of each set on every machine, whatever their order in the file."""
    return _sample(pairs, SAMPLED_PAIRS), _sample(sentences, SAMPLED_SENTENCES)


def _sample(rows: Sequence[RowT], size: int) -> list[RowT]:
    sets: dict[str, list[RowT]] = {}
    for row in sorted(rows, key=_place):
        sets.setdefault(row.set_name, []).append(row)
    return [row for name in sorted(sets) for row in sets[name][:size]]


def _place(row: BenchRow) -> str:
    """Where a row stands when rows are shuffled: a hash of all it says."""
    return hashlib.sha256(row.model_dump_json().encode("utf-8", "surrogatepass")).hexdigest()


def reached(
    pairs: Sequence[PairRow], sentences: Sequence[SentenceRow], progress: Progress
) -> dict[str, dict[str, float]]:
    """What the network and the claim detection reach on these rows."""
    answers = {done.name: done.answers for done in judge_sets(pairs, pair_judge(), progress)}
    found = bench_claims(sentences, embedded_worth, progress=progress).all
    return headlines(answers) | {CLAIMS_SET: {"rows": found.rows, "f1": found.f1 or 0.0}}


def reached_by_checks(
    folder: Path, *, stories: int | None, claims: int, progress: Progress
) -> dict[str, dict[str, float]]:
    """What whole checks reach: on so many stories, and on so many claims about pages."""
    # Every ninth story and so on: the files are sorted by who wrote them.
    files = story_files(folder)
    chosen = files if stories is None else files[:: max(1, len(files) // stories)][:stories]
    settings = Settings()
    told = bench_stories([read_story(path) for path in chosen], check_embedded(settings), progress)
    found = read_pages([folder / PAGES_DATA]).first(claims)
    with open_pages(found.pages, settings, ignore_progress) as check:
        paged = bench_pages(found, check, progress)
    figures = {name: getattr(told, name) or 0.0 for name in STORY_FIGURES}
    return {
        STORIES_SET: {"rows": told.statements, **figures},
        PAGES_SET: {
            "rows": paged.claims,
            "right": round(paged.right / paged.claims, 4),
            "wrong": round(paged.wrong / paged.claims, 4),
        },
    }


def headlines(answers: Mapping[str, Iterable[Answer]]) -> dict[str, dict[str, float]]:
    """The measures that count of each set that is there, of sets taken together, and of all."""
    groups = {name: list(of_set) for name, of_set in answers.items()}
    for name, parts in TOGETHER.items():
        groups[name] = [one for part in parts for one in answers.get(part, ())]
    groups[ALL] = [one for of_set in answers.values() for one in of_set]
    return {name: _headline(groups[name], HEADLINES[name]) for name in HEADLINES if groups.get(name)}


def _headline(answers: Sequence[Answer], names: Iterable[str]) -> dict[str, float]:
    found = measure(answers)._asdict()
    return {"rows": found["rows"]} | {name: round(found[name], 4) for name in names}
