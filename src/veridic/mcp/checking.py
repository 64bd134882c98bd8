"""The tools that check a text or a claim, search for evidence, and show saved runs."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Annotated, NamedTuple

import anyio
from anyio.to_thread import run_sync
from pydantic import Field

from veridic.api.limits import TokenBuckets
from veridic.api.requests import CheckRequest, check_order
from veridic.config.settings import Settings
from veridic.decision.weighing import DEFAULT_THRESHOLD
from veridic.desk.person_verdicts import load_report
from veridic.domain.modes import EngineChoice, Mode
from veridic.domain.people import Right
from veridic.engine.open_evidence import open_against, open_gatherer, open_reference
from veridic.evidence.corpus import REFERENCE, Corpora, Corpus
from veridic.mcp.callers import ToolContext, require, take_start
from veridic.mcp.errors import as_tool_errors
from veridic.mcp.progress import RunProgress
from veridic.mcp.results import CheckResult, FoundEvidence, RunList
from veridic.mcp.roots import Roots
from veridic.providers.llm.meter import Meter
from veridic.providers.search.connect import connect_search
from veridic.runtime.runner import Runner
from veridic.store.runs import RunState

Against = Annotated[
    tuple[str, ...],
    Field(
        max_length=20,
        description="What to check against: corpora by name (`reference` is the built-in library), or files and "
        "folders below the server's roots. Empty: the web, if a search provider is set up, and the built-in library.",
    ),
]
MaxCost = Annotated[
    float | None,
    Field(
        ge=0,
        description="The most that models and searches may cost, in US dollars. What would cost more is not done, and "
        "said in `problems`; for a free check, choose the embedded engine.",
    ),
]
MaxSeconds = Annotated[
    float | None,
    Field(
        gt=0,
        description="The time limit. At its end the result has what was found so far; if that is nothing, the call fails.",
    ),
]
AsOf = Annotated[
    date | None, Field(description="Check as of this day: nothing published later is used. Today by default.")
]
_LONGEST_TEXT = 1_000_000
_CLAIMS = 20
"""By default: a result of all claims of a long article would fill an agent's context."""


class CheckTools:
    """Checks run on `runner`, and are saved like all others."""

    def __init__(self, runner: Runner, settings: Settings, roots: Roots) -> None:
        self._runner = runner
        self._settings = settings
        self._roots = roots
        self._starts = TokenBuckets(settings.api_starts_per_minute)

    async def check_text(
        self,
        context: ToolContext,
        text: Annotated[
            str | None, Field(min_length=1, max_length=_LONGEST_TEXT, description="The text to check.")
        ] = None,
        url: Annotated[
            str | None, Field(max_length=4000, description="Or the address of a public page to check.")
        ] = None,
        mode: Annotated[
            Mode | None,
            Field(
                description="thorough: every claim, each with evidence of its own. summary: the one or two main "
                "statements, for a quick look. consensus: several language models check every claim. By default "
                "what the server is set to."
            ),
        ] = None,
        engine: Annotated[
            EngineChoice,
            Field(
                description="embedded: only this machine, free. llm: language models. auto: the best that is set up."
            ),
        ] = EngineChoice.AUTO,
        against: Against = (),
        as_of: AsOf = None,
        max_cost_usd: MaxCost = None,
        max_claims: Annotated[
            int,
            Field(ge=1, le=1_000, description="Check at most this many claims; raise it for a long text."),
        ] = _CLAIMS,
        max_seconds: MaxSeconds = None,
    ) -> CheckResult:
        """Check the claims of a text or a web page, and return a verdict on each with passages to quote.

        Takes seconds with the embedded engine, minutes with language models. The check is saved under its run_id. If the
        call is cancelled, so is the check.
        """
        with as_tool_errors():
            request = CheckRequest(
                text=text, url=url, mode=mode, engine=engine, as_of=as_of, max_cost=max_cost_usd
            )
            limits = _Limits(max_claims, max_seconds)
            return await self._check(context, request, against, DEFAULT_THRESHOLD, limits)

    async def check_claim(
        self,
        context: ToolContext,
        claim: Annotated[
            str, Field(min_length=1, max_length=5_000, description="One claim, as a whole sentence.")
        ],
        engine: EngineChoice = EngineChoice.AUTO,
        against: Against = (),
        as_of: AsOf = None,
        threshold: Annotated[
            float, Field(ge=0, le=1, description="The confidence that a clear verdict needs.")
        ] = DEFAULT_THRESHOLD,
        max_cost_usd: MaxCost = None,
        max_seconds: MaxSeconds = None,
    ) -> CheckResult:
        """Check one claim, and return its verdict with the passages for and against it.

        Give the claim as a sentence that can be understood on its own: "The capital of Australia is Canberra."
        """
        with as_tool_errors():
            request = CheckRequest(
                text=claim, mode=Mode.THOROUGH, engine=engine, as_of=as_of, max_cost=max_cost_usd
            )
            return await self._check(context, request, against, threshold, _Limits(None, max_seconds))

    async def search_evidence(
        self,
        context: ToolContext,
        question: Annotated[
            str, Field(min_length=1, max_length=2_000, description="A claim or a question, in plain words.")
        ],
        against: Against = (),
        as_of: AsOf = None,
        max_cost_usd: MaxCost = None,
        max_passages: Annotated[int, Field(ge=1, le=50)] = 10,
    ) -> FoundEvidence:
        """Search for passages on a question, with their sources and dates, without a verdict.

        Use check_claim to have them judged. Searches of the web may cost money; nothing is saved.
        """
        with as_tool_errors():
            require(context, Right.CHECK)
            take_start(context, self._starts)
            targets = await run_sync(self._targets, against)
            limits = [limit for limit in (max_cost_usd, self._settings.max_cost_usd) if limit is not None]
            meter = Meter(max_cost_usd=min(limits, default=None), max_tokens=self._settings.max_tokens)
            corpora = await run_sync(self._open, targets)
            gatherer = open_gatherer(
                corpora,
                () if targets else connect_search(self._settings),
                self._settings,
                as_of=as_of or datetime.now(UTC).date(),
                meter=meter,
            )
            gathered = await gatherer.gather(question, seconds=self._settings.claim_timeout_seconds)
            return FoundEvidence.of(gathered, gatherer.names, max_passages, meter.usage.cost_usd)

    async def get_report(
        self,
        context: ToolContext,
        run_id: Annotated[str, Field(max_length=64, examples=["FC-2026-000001"])],
        all_evidence: Annotated[
            bool, Field(description="Show every passage, not only the strongest three of each claim.")
        ] = False,
    ) -> CheckResult:
        """Return the report of a saved check, also of one that somebody else made."""
        with as_tool_errors():
            require(context, Right.READ)
            report = await run_sync(load_report, self._runner.store, run_id)
            return CheckResult.of(report, all_evidence=all_evidence)

    async def list_runs(
        self,
        context: ToolContext,
        state: RunState | None = None,
        words: Annotated[
            str | None, Field(max_length=200, description="Words in the title, the source or the text.")
        ] = None,
        limit: Annotated[int, Field(ge=1, le=100)] = 20,
        cursor: Annotated[
            str | None, Field(max_length=64, description="The next_cursor of the page before.")
        ] = None,
    ) -> RunList:
        """List the checks that are saved, newest first."""
        with as_tool_errors():
            require(context, Right.READ)
            search = partial(
                self._runner.store.search, state=state, text=words, limit=limit + 1, before=cursor
            )
            return RunList.of(await run_sync(search), limit)

    async def _check(
        self,
        context: ToolContext,
        request: CheckRequest,
        against: Sequence[str],
        threshold: float,
        limits: "_Limits",
    ) -> CheckResult:
        actor = require(context, Right.CHECK)
        take_start(context, self._starts)
        targets = await run_sync(self._targets, against)
        order = await run_sync(check_order, request, None, self._settings)
        order = order.model_copy(update={"against": targets, "threshold": threshold, **limits._asdict()})
        store, progress = self._runner.store, RunProgress(context.report_progress)
        with anyio.CancelScope(shield=True):  # a run that has begun must be known here, to be cancelled below
            run_id = (await self._runner.start(order)).run_id
        try:
            await run_sync(store.started_by, run_id, actor)
            await progress.started(run_id)
            async for event in self._runner.events(run_id):
                await progress.follow(event.name, event.data)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._runner.cancel(run_id, actor.shown_name)
            raise
        return CheckResult.of(await run_sync(load_report, store, run_id))

    def _targets(self, against: Sequence[str]) -> tuple[str, ...]:
        """Return corpora as they are named, and paths with their place; nothing outside the roots passes."""
        corpora = Corpora(self._settings.corpora)
        return tuple(
            name if name == REFERENCE or corpora.exists(name) else str(self._roots.place(name))
            for name in dict.fromkeys(against)
        )

    def _open(self, targets: Sequence[str]) -> list[Corpus]:
        if not targets:
            return [open_reference(self._settings)]
        return [open_against(target, self._settings).corpus for target in targets]


class _Limits(NamedTuple):
    """Those of an order."""

    max_claims: int | None
    max_seconds: float | None
