"""An article of ten claims, the web that speaks about it, and a model that reads: scripted servers on real sockets.

    with Newsroom() as outside:
        environment |= outside.environment
        outside.search.answer(provider="exa", status=500, ...)

Nine of the claims are right and one is wrong, and the web says so: every search finds as many pages as it asks for,
on the domains and within the days it names. `python -m tests.newsroom --search-latency 0.4 --model-latency 2` serves
both until stopped, for benchmarks and for trying things.
"""

import argparse
import json
import re
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import date, timedelta
from itertools import count
from random import Random
from typing import Any, Self

from tests.llm_server import Request as ModelRequest
from tests.llm_server import ScriptedServer
from tests.search_server import Request as SearchRequest
from tests.search_server import SearchServer

from veridic.prompts.validation_wording import LIST_CLAIMS, LIST_STATEMENTS, VALIDATE, VALIDATE_SUMMARY
from veridic.providers.search.sifting import Row

TITLE = "Brindle reopens its harbour"
FACTS = (
    ("harbour", "The harbour of Brindle was reopened on 4 May 2026."),
    ("ferries", "The ferries of Brindle carry 12,000 passengers a day."),
    ("mayor", "The mayor of Brindle is Anna Cole."),
    ("population", "Brindle has a population of 84,000 people."),
    ("lighthouse", "The lighthouse of Brindle is 38 metres high."),
    ("bridge", "The bridge of Brindle was built in 1931."),
    ("university", "The university of Brindle has 9,500 students."),
    ("budget", "The budget of Brindle is 310 million dollars."),
    ("river", "The river Arl flows through Brindle."),
    ("museum", "The museum of Brindle was founded in 1887."),
)
"""What is so, by what it is about."""
WRONG = "lighthouse"
CLAIMS = tuple(fact.replace("38 metres", "83 metres") if topic == WRONG else fact for topic, fact in FACTS)
ARTICLE = f"# {TITLE}\n\n" + "\n\n".join(" ".join(CLAIMS[n : n + 3]) for n in range(0, 10, 3)) + "\n"
_WORDS = """
    archive autumn balcony barrel basket bell boat brick bucket candle canvas ceiling chapel clerk cloud coal copper corner
    cottage cousin crane cupboard dawn deck desk dinner district dock dust engine evening feather fence field flag flour
    fog garden gate glass grain gravel guest hall hammer hedge hill horse iron island jacket kitchen ladder lamp lane
    letter linen market meadow mill mirror morning neighbour oak office orchard paint paper path pearl pier pipe pond
    porch poster quay rail rain ribbon roof rope salt sand school shed shelf silk snow soap spoon spring station storm
    street summer table thread tide timber tower tram trumpet tunnel valley village wagon wall willow window winter wool
""".split()
_ANYWHERE = ("archive.example.org", "townbook.example.net", "oldpaper.example.com", "letters.example.org")
_SHOWN = re.compile(r"^Source (\d+): ", re.MULTILINE)


def pages_for(request: SearchRequest, edition: str = "") -> Sequence[Row]:
    """As many pages as are asked for that state what is asked about, each in its own words; other ones in another
    edition."""
    body = request.body
    topic = next((topic for topic, _ in FACTS if topic in request.query.lower()), "harbour")
    fact = dict(FACTS)[topic]
    domains = body.get("includeDomains") or _ANYWHERE
    last = date.fromisoformat(str(body.get("endPublishedDate", "2026-11-16"))[:10])
    rows = []
    for number in range(int(body.get("numResults", 5))):
        domain = domains[number % len(domains)]
        before, behind = (_prose(f"{domain} {topic} {number} {part}{edition}", part) for part in (12, 6))
        text = f"{before}\n\n{fact} {behind}"
        rows.append(
            Row(
                title=f"Brindle: the {topic}, part {number + 1}",
                url=f"https://{domain}/{topic}/{number}",
                published=(last - timedelta(days=1 + number)).isoformat(),
                text=text,
                highlights=[fact],
                score=0.9 - number / 100,
            )
        )
    return rows


def _in_editions() -> Callable[[SearchRequest], Sequence[Row]]:
    editions = count(1)
    return lambda request: pages_for(request, f" {next(editions)}")


def _prose(seed: str, sentences: int) -> str:
    """Sentences about nothing, others for every seed, as long as those of a newspaper."""
    chosen = Random(seed)
    return " ".join(f"The {' '.join(chosen.choices(_WORDS, k=16))}." for _ in range(sentences))


def answer_to(request: ModelRequest) -> str:
    """What a good model says, in the form it is asked for."""
    if request.system == LIST_CLAIMS:
        return json.dumps({"claims": [_listed(claim) for claim in CLAIMS]})
    if request.system == LIST_STATEMENTS:
        return json.dumps({"claims": [_listed(CLAIMS[0])]})
    sources = [int(number) for number in _SHOWN.findall(request.user)]
    if request.system == VALIDATE_SUMMARY:
        verdict = _verdict("harbour", sources)
        entry = {"id": "claim_1", **{key: value for key, value in verdict.items() if key != "sources"}}
        return json.dumps({**verdict, "credibility_score": 90, "claims": [entry]})
    if request.system == VALIDATE:
        claim = request.user.rpartition("Claim: ")[2]
        topic = next(topic for topic, _ in FACTS if topic in claim)
        return json.dumps(_verdict(topic, sources))
    return "I can't tell."


def _listed(claim: str) -> dict[str, Any]:
    words = claim.rstrip(".")
    return {
        "claim": claim,
        "risk_level": "HIGH",
        "category": "City",
        "source_paragraph": claim,
        "queries": {
            channel: f"{words} {channel}" for channel in ("news", "research", "general", "historical")
        },
    }


def _verdict(topic: str, sources: Sequence[int]) -> dict[str, Any]:
    fact = dict(FACTS)[topic].rstrip(".")
    is_right = topic != WRONG
    first, second = (*sources, 1, 2)[:2]
    return {
        "verdict": "TRUE" if is_right else "FALSE",
        "confidence": 94,
        "summary": f"{fact} [{first}][{second}].",
        "key_findings": [f"{fact} [{number}]." for number in sources[:4]],
        "temporal_analysis": {
            "claim_timeframe": "",
            "evidence_currency": "",
            "historical_context": "",
            "temporal_verdict": "",
        },
        "contradictions": [],
        "supporting_sources": list(sources) if is_right else [],
        "contradicting_sources": [] if is_right else list(sources),
        "sources": [{"id": number, "relevance": "It states the matter itself"} for number in sources[:9]],
    }


class Newsroom:
    """Both servers while the context is entered; `search` and `models` take further rules, which come first."""

    def __init__(
        self, *, search_latency: float = 0.0, model_latency: float = 0.0, has_editions: bool = False
    ) -> None:
        """With editions, each search finds pages in words of their own, so that no two runs read the same."""
        self.search = SearchServer()
        self.models = ScriptedServer()
        self._latencies = search_latency, model_latency
        self._pages: Callable[[SearchRequest], Sequence[Row]] = _in_editions() if has_editions else pages_for
        self._open = ExitStack()

    @property
    def environment(self) -> dict[str, str]:
        """What points Veridic at both."""
        return {
            "VERIDIC_LLM_BASE_URL": self.models.url,
            "VERIDIC_LLM_MODEL": "scripted",
            "EXA_API_KEY": "a-key",
            "EXA_BASE_URL": self.search.url("exa"),
        }

    def __enter__(self) -> Self:
        for server in (self.search, self.models):
            self._open.enter_context(server)
        for_search, for_models = self._latencies
        self.search.find(self._pages, delay=for_search)
        self.models.answer(text=answer_to, delay=for_models, counts_tokens=True)
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._open.close()


def _main() -> None:
    options = argparse.ArgumentParser(description="Serve the web and the model of a made-up town.")
    options.add_argument("--search-latency", type=float, default=0.0, help="seconds for each search")
    options.add_argument("--model-latency", type=float, default=0.0, help="seconds for each answer")
    options.add_argument("--editions", action="store_true", help="other pages for every search")
    chosen = options.parse_args()
    newsroom = Newsroom(
        search_latency=chosen.search_latency,
        model_latency=chosen.model_latency,
        has_editions=chosen.editions,
    )
    with newsroom as outside, suppress(KeyboardInterrupt):
        print(json.dumps(outside.environment), flush=True)  # noqa: T201
        threading.Event().wait()


if __name__ == "__main__":
    _main()
