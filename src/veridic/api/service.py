"""Routes about the server: health, readiness, metrics, corpora, models."""

from importlib.resources import files

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from veridic import __version__
from veridic.api.dependencies import RunnerDep, SettingsDep
from veridic.api.errors import error_response
from veridic.api.guard import HEALTH
from veridic.api.metrics import MEDIA_TYPE, Metrics
from veridic.api.openapi import ERRORS_ALWAYS, errors
from veridic.api.responses import (
    CorpusEntry,
    CorpusList,
    Health,
    ModelsInfo,
    Readiness,
    RoleDefaults,
    ValidationDefaults,
)
from veridic.config.settings import Settings
from veridic.domain.errors import StorageError
from veridic.evidence.corpus import REFERENCE, Corpora, CorpusInfo
from veridic.providers.llm.roles import default_models, validation_models
from veridic.providers.search.connect import connect_search
from veridic.store.runs import RunStore

router = APIRouter(tags=["Service"])
_MODEL_FILES = ("verifier.onnx", "tokenizer.json", "digests.json")
_UNUSED_REFERENCE = CorpusInfo(REFERENCE, REFERENCE, 0, 0, 0, None)


@router.get(HEALTH, summary="Liveness", responses=errors(403))
async def health() -> Health:
    """Answers as long as the process runs; needs no token."""
    return Health(status="ok", version=__version__)


@router.get(
    "/ready",
    summary="Readiness",
    response_model=Readiness,
    responses=ERRORS_ALWAYS | errors(503),
)
async def ready(runner: RunnerDep) -> Readiness | Response:
    """Checks the database and the files of the embedded model; a 503 says what is missing."""
    problem = await run_in_threadpool(_problem, runner.store)
    return error_response(503, problem) if problem else Readiness(database="ok", model="ok")


@router.get(
    "/metrics",
    summary="Prometheus metrics",
    response_class=Response,
    responses=ERRORS_ALWAYS
    | {
        200: {
            "description": "In Prometheus's text format.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    },
)
async def metrics(request: Request) -> Response:
    """Of the whole site (`veridic_site_...`, the queue): runs by state, their age, calls, cost, retries, workers. Of this process:
    runs, durations, model calls, searches, HTTP requests."""
    counted: Metrics = request.app.state.metrics
    return Response(counted.render(), headers={"Content-Type": MEDIA_TYPE})


@router.get("/api/corpora", summary="List corpora", responses=ERRORS_ALWAYS | errors(503))
async def list_corpora(settings: SettingsDep) -> CorpusList:
    """Lists the corpora to check against; `reference` is the built-in library, indexed when first used."""
    found = await run_in_threadpool(Corpora(settings.corpora).list)
    if all(corpus.name != REFERENCE for corpus in found):
        found = sorted([*found, _UNUSED_REFERENCE])
    return CorpusList(
        corpora=[
            CorpusEntry(
                name=corpus.name,
                label=corpus.label,
                documents=corpus.documents,
                passages=corpus.passages,
                updated=corpus.updated,
                problem=corpus.problem,
            )
            for corpus in found
        ]
    )


@router.get("/api/models", summary="List models and providers", responses=ERRORS_ALWAYS | errors(400))
async def list_models(settings: SettingsDep) -> ModelsInfo:
    """Lists the default model of each role, the search providers, and which model providers are configured."""
    chosen = default_models(settings)
    return ModelsInfo(
        validation=ValidationDefaults.model_validate(validation_models(settings)._asdict()),
        search=[provider.name for provider in connect_search(settings)],
        defaults=RoleDefaults(
            generator=chosen.generator,
            extractor=chosen.extractor,
            checkers=list(chosen.checkers),
            reporter=chosen.reporter,
        ),
        providers=_providers(settings),
    )


def _providers(settings: Settings) -> dict[str, bool]:
    return {
        "embedded": True,
        "server": bool(settings.llm_base_url),
        "openrouter": settings.openrouter_api_key is not None,
        "openai": settings.openai_api_key is not None,
        "anthropic": settings.anthropic_api_key is not None,
    }


def _problem(store: RunStore) -> str | None:
    try:
        store.recent(1)
    except StorageError as error:
        return str(error)
    folder = files("veridic.providers.embedded")
    missing = [name for name in _MODEL_FILES if not (folder / name).is_file()]
    if missing:
        return f"Files of the embedded model are missing ({', '.join(missing)}); install Veridic again."
    return None
