"""Routes under `/api/corpora`: make a corpus, send documents to it, list and take out documents, remove it."""

import json
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile

from veridic.api.dependencies import SettingsDep, SourceSetsDep, allow_start, json_only, media_type
from veridic.api.openapi import ERRORS_ALWAYS, errors
from veridic.api.responses import (
    AddedDocument,
    AddedDocuments,
    CorpusCreated,
    CorpusDetail,
    CorpusDocumentEntry,
)
from veridic.desk.source_sets import SourceSets
from veridic.domain.errors import NotFoundError, UsageError
from veridic.engine.own_sources import MOST_AT_ONCE, Added, SentFile
from veridic.evidence.corpus import REFERENCE, Corpora

router = APIRouter(prefix="/api/corpora", tags=["Corpora"], responses=ERRORS_ALWAYS)
_FORM = "multipart/form-data"

CorpusName = Annotated[str, Path(description="The corpus.", examples=["harbour"], max_length=64)]


class NewCorpus(BaseModel):
    """A corpus to be made."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"name": "harbour"}]})

    name: str = Field(
        max_length=64,
        description="Small letters, digits, `-` and `_`, beginning with a letter or a digit.",
    )


class SentDocuments(BaseModel):
    """A pasted text, or addresses of pages to fetch; files are sent as a form."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"text": "The harbour board met on 4 May.", "title": "Notes of the meeting"},
                {"urls": ["https://example.org/minutes.html"]},
            ]
        },
    )

    text: Annotated[str, Field(min_length=1)] | None = None
    title: str = Field(default="", max_length=200, description="The name of the text.")
    urls: Annotated[list[str], Field(min_length=1, max_length=MOST_AT_ONCE)] | None = None


_BODY: dict[str, Any] = {
    "required": True,
    "content": {
        "application/json": {"schema": SentDocuments.model_json_schema()},
        _FORM: {
            "schema": {
                "type": "object",
                "properties": {
                    "file": {
                        "type": "array",
                        "items": {"type": "string", "format": "binary"},
                        "description": "Plain text, Markdown, HTML, PDF, DOCX or JSON lines; repeat for several. "
                        "A name may have folders in it.",
                    }
                },
                "required": ["file"],
            }
        },
    },
}


@router.post("", summary="Make a corpus", status_code=201, dependencies=[Depends(json_only)], responses=errors(400, 409, 415, 503))  # fmt: skip
async def make_corpus(wanted: NewCorpus, response: Response, sets: SourceSetsDep) -> CorpusCreated:
    """Makes an empty corpus."""
    await run_in_threadpool(sets.create, wanted.name)
    response.headers["Location"] = f"/api/corpora/{wanted.name}"
    return CorpusCreated(name=wanted.name, documents=f"/api/corpora/{wanted.name}/documents")


@router.get("/{name}", summary="Show a corpus", responses=errors(400, 404, 503))
async def show_corpus(name: CorpusName, settings: SettingsDep) -> CorpusDetail:
    """The documents of a corpus, by name; of what can't be read, why. The built-in library is not listed."""
    if name == REFERENCE:
        raise NotFoundError("The built-in library has no documents to list.")
    found = await run_in_threadpool(Corpora(settings.corpora).documents, name)
    return CorpusDetail(
        name=name, documents=[CorpusDocumentEntry.model_validate(one._asdict()) for one in found]
    )


@router.delete("/{name}", summary="Remove a corpus", status_code=204, responses=errors(400, 404, 503))
async def remove_corpus(name: CorpusName, sets: SourceSetsDep) -> None:
    """Removes a corpus with all its documents; reports of checks that used it stay as they are."""
    await run_in_threadpool(sets.remove, name)


@router.post(
    "/{name}/documents",
    summary="Add documents to a corpus",
    openapi_extra={"requestBody": _BODY},
    responses=errors(400, 404, 413, 415, 429, 503),
)
async def add_documents(
    name: CorpusName, request: Request, settings: SettingsDep, sets: SourceSetsDep
) -> AddedDocuments:
    """Reads files, a pasted text or pages into a corpus. Each is read by itself: one that can't be read costs only itself,
    and the response says why.

    A file is kept once, however often it is sent; another file with a name that is taken gets a number. Pages that are sent
    again are read anew.
    """
    kind = media_type(request)
    if kind == _FORM:
        files = await sent_files(request, settings.api_max_request_bytes)
        added = await run_in_threadpool(sets.add_files, name, files)
    elif kind == "application/json":
        added = await _add_text_or_pages(name, _parse(await request.body()), request, sets)
    else:
        raise HTTPException(415, f"Send the body as application/json, or as {_FORM} with files.")
    return AddedDocuments(documents=[AddedDocument.model_validate(one._asdict()) for one in added])


@router.delete(
    "/{name}/documents/{document:path}",
    summary="Take a document out of a corpus",
    status_code=204,
    responses=errors(400, 404, 503),
)
async def drop_document(
    name: CorpusName,
    document: Annotated[str, Path(description="The document's name.", examples=["notes.txt"])],
    sets: SourceSetsDep,
) -> None:
    """Takes a document out of a corpus, by its name there."""
    await run_in_threadpool(sets.remove_document, name, document)


async def sent_files(request: Request, max_bytes: int, field: str = "file") -> list[SentFile]:
    """Return the files of a form."""
    async with request.form(max_files=MOST_AT_ONCE, max_fields=100, max_part_size=max_bytes) as form:
        sent = [one for one in form.getlist(field) if isinstance(one, UploadFile)]
        # A browser sends a file without name and content where none was chosen.
        files = [SentFile(one.filename or "", await one.read()) for one in sent if one.filename or one.size]
    if not files:
        raise UsageError(f"Send at least one file, as the field {field!r}.")
    return files


async def _add_text_or_pages(
    name: str, sent: SentDocuments, request: Request, sets: SourceSets
) -> list[Added]:
    if (sent.text is None) == (sent.urls is None):
        raise UsageError("Send either text or urls.")
    if sent.text is not None:
        return [await run_in_threadpool(sets.add_text, name, sent.text, sent.title)]
    await allow_start(request)  # as a check of a page: the server asks other machines
    return await run_in_threadpool(sets.add_addresses, name, sent.urls or [])


def _parse(body: bytes) -> SentDocuments:
    try:
        return SentDocuments.model_validate(json.loads(body))
    except ValidationError as error:
        details = [{**item, "loc": ("body", *item["loc"])} for item in error.errors(include_url=False)]
        raise RequestValidationError(details) from None
    except (ValueError, RecursionError):
        raise UsageError("The body is not valid JSON.") from None
