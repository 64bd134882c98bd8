"""How far a claim's place bears it out: `python -m training.proofreading --help`.

Articles of the families that the network was not trained on have claims in wording that can be read alone, each with its words in the
article. A claim at the sentence of its words is one that the text says. At another sentence, in an article without that sentence, or
against sources that tell other facts, it is one that the text doesn't say. Printed is how many of each `engine/proofreading.py`
would keep at several thresholds.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from training.families import FOLDER, is_held_out, place_of
from veridic.domain.dates import PartialDate
from veridic.engine.proofreading import LEAST_RESTATED, SENTENCES_BEFORE, is_restated, stems_of
from veridic.judging.excerpt import by_closeness
from veridic.judging.reader import PairReader
from veridic.judging.windows import as_read
from veridic.providers.embedded.onnx_model import embedded_model
from veridic.text.sentences import split_sentences

ARTICLES = ("articles.jsonl.gz", "articles-2.jsonl.gz")
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
SEED = 7


class Case(NamedTuple):
    kind: str
    claim: str
    readings: list[str]
    """What is read, one after the other, until it says the claim."""
    is_restated: bool = False


def cases() -> Iterator[Case]:
    """Every claim of the articles that were held out, held against what says it and what doesn't."""
    for name in ARTICLES:
        with gzip.open(FOLDER / name, "rt", encoding="utf-8") as lines:
            for data in filter(is_held_out, map(json.loads, lines)):
                for claim in data["claims"]:
                    yield from _of_article(claim, data["article"])
                    yield from _of_sources(claim, data["passages"])


def _of_article(claim: dict[str, Any], article: dict[str, str]) -> Iterator[Case]:
    text, words = article["text"], claim["claim"]
    spans = split_sentences(text)
    start, _ = place_of(claim["words"], text)
    own = next(number for number, (_, end) in enumerate(spans) if start < end)
    sentences = [text[slice(*span)] for span in spans]
    stems = stems_of(text, article["title"], PartialDate.parse(article["date"]))

    def at(kind: str, number: int, quote: str) -> Case:
        return Case(kind, words, _read(article, sentences, number), is_restated(words, quote, stems))

    yield at("said: its own sentence", own, claim["words"])
    yield Case("said: the whole article", words, _whole(article, sentences))
    without = sentences[:own] + sentences[own + 1 :]
    yield Case("not said: the article without its sentence", words, _whole(article, without))
    # The one behind it is read together with it.
    others = [number for number in range(len(sentences)) if number not in (own, own + 1)]
    if others:
        other = others[by_closeness(words, [sentences[number] for number in others])[0]]
        yield at("not said: the closest other sentence", other, sentences[other])
        any_other = random.Random(words).choice(others)
        yield at("not said: any other sentence", any_other, sentences[any_other])


def _of_sources(claim: dict[str, Any], sources: list[dict[str, str]]) -> Iterator[Case]:
    for label, source in zip(claim["labels"], sources, strict=True):
        if label in ("REFUTED", "NEI"):
            sentences = [source["text"][slice(*span)] for span in split_sentences(source["text"])]
            closest = by_closeness(claim["claim"], sentences)[0]
            kind = "another fact" if label == "REFUTED" else "nothing on it"
            stems = stems_of(source["text"], source["title"], PartialDate.parse(source["date"]))
            restated = is_restated(claim["claim"], sentences[closest], stems)
            yield Case(f"not said: {kind}", claim["claim"], _read(source, sentences, closest), restated)


def _read(article: dict[str, str], sentences: list[str], number: int) -> list[str]:
    return [
        text
        for before in SENTENCES_BEFORE
        for text in _whole(article, sentences[max(0, number - before) : number + 1])
    ]


def _whole(article: dict[str, str], sentences: list[str]) -> list[str]:
    return [as_read(article["title"], PartialDate.parse(article["date"]), " ".join(sentences))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=250, help="how many of each kind are read")
    options = parser.parse_args()
    by_kind: dict[str, list[Case]] = {}
    for case in cases():
        by_kind.setdefault(case.kind, []).append(case)
    reader = PairReader(embedded_model())
    print(f"{'kept at':45}", *(f"{threshold:6}" for threshold in THRESHOLDS))
    for kind, found in sorted(by_kind.items(), reverse=True):
        chosen = random.Random(SEED).sample(found, min(options.claims, len(found)))
        best = [
            max(
                belief.supported
                for belief in reader.believe([(case.claim, [text]) for text in case.readings])
            )
            for case in chosen
        ]
        kept = [
            sum(
                supported >= (LEAST_RESTATED if case.is_restated else least)
                for case, supported in zip(chosen, best, strict=True)
            )
            / len(best)
            for least in THRESHOLDS
        ]
        print(f"{kind:45}", *(f"{share:6.3f}" for share in kept), flush=True)


if __name__ == "__main__":
    main()
