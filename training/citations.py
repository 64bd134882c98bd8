"""How far a citation can be told to be right by reading it: `python -m training.citations --help`.

In the stories that the network was not trained on, each statement says what each source by itself says of it. Right is a citation of a
source for the side that it is on. Wrong is one for the other side, and one of a source that says nothing of the statement: of those
the one that is closest to it in words, which is the likeliest to be mistaken. Printed is how many of each `check/model_citations.py`
would take out at several thresholds.

The decision is fitted on the same stories (`training/decision.py`), with few numbers; its own figures on stories that were not
fitted on differ little.
"""

import argparse
import random
from typing import NamedTuple

from training.rows import NEI
from training.stories import FOR_DECISION, Question, read_stories
from veridic.judging.base import Belief
from veridic.judging.reader import EmbeddedJudge
from veridic.judging.windows import closest, windows_of
from veridic.providers.embedded.onnx_model import embedded_model

AGAINST = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
ELSEWHERE = (0.7, 0.8, 0.9, 0.95, 0.98)
SEED = 7
_OTHER = {"SUPPORTED": "REFUTED", "REFUTED": "SUPPORTED"}


class Read(NamedTuple):
    """A source that bears on a statement, or is close to it, as it was read."""

    bearing: str
    belief: Belief

    def on(self, side: str) -> float:
        return self.belief.supported if side == "SUPPORTED" else self.belief.refuted


def read_sources(questions: list[Question], judge: EmbeddedJudge) -> list[Read]:
    found = []
    for question in questions:
        windows = closest(question.claim, question.context, windows_of(question.passages))
        ranked = dict.fromkeys(question.passages[window.passage].source.location for window, _ in windows)
        sources = [place for place in ranked if question.bearing.get(place, NEI) != NEI]
        sources += [place for place in ranked if question.bearing.get(place) == NEI][:1]
        beliefs = judge.believe_sources(
            question.claim, question.passages, question.context, among=frozenset(sources)
        )
        found += [Read(question.bearing[place], beliefs[place]) for place in sources]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--statements", type=int, default=200, help="how many statements are read")
    options = parser.parse_args()
    questions = [question for story in read_stories(FOR_DECISION) for question in story.questions]
    chosen = random.Random(SEED).sample(questions, min(options.statements, len(questions)))
    read = read_sources(chosen, EmbeddedJudge(embedded_model))
    telling = [one for one in read if one.bearing != NEI]
    silent = [one for one in read if one.bearing == NEI]
    print(
        f"{len(telling)} right citations, as many of the other side, {2 * len(silent)} of sources that say nothing"
    )
    for least in AGAINST:
        lost = sum(one.on(_OTHER[one.bearing]) >= least for one in telling)
        stopped = sum(one.on(one.bearing) >= least for one in telling)
        of_silent = sum(one.on(side) >= least for one in silent for side in _OTHER)
        print(
            f"reads as the other side, {least}: {lost} right lost, {stopped} of the other side and {of_silent} silent stopped"
        )
    for least in ELSEWHERE:
        lost = sum(one.belief.unsettled >= least for one in telling)
        stopped = sum(one.belief.unsettled >= least for one in silent)
        print(
            f"on something else, {least}: {lost} right lost, as many of the other side and {2 * stopped} silent stopped"
        )
    unsure = sum(one.on(one.bearing) < max(one.belief) for one in telling)
    print(f"something else is likelier: {unsure} right")


if __name__ == "__main__":
    main()
