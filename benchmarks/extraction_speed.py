"""How many words a second the extractor reads, next to a regular expression that only finds the words."""

from collections.abc import Sequence

from benchmarks.measure import Figure, Measure, Scale
from benchmarks.processes import run_probe
from benchmarks.workspace import Step, Workspace


def _run(scale: Scale, workspace: Workspace, step: Step) -> Sequence[Figure]:
    step(0, None, f"extracting claims from {scale.words:,} words")
    found = run_probe("extraction", str(scale.words), environment=workspace.environment)
    slower = found["tokenised_per_second"] / found["words_per_second"]
    return (
        Figure("extraction against a plain tokeniser", slower, "times"),
        Figure("words through extraction", found["words_per_second"], "words/s"),
        Figure("words through a plain tokeniser", found["tokenised_per_second"], "words/s"),
        Figure("claims found", found["claims_per_word"] * 1000, "per 1,000 words"),
    )


MEASURE = Measure("extraction_speed", "Extraction of claims", _run)
