"""`veridic corpus`: manages collections of documents to check against."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.domain.phrases import count

if TYPE_CHECKING:
    from veridic.evidence.corpus import CorpusInfo

app = typer.Typer(help="Keep collections of documents to check against.", no_args_is_help=True)


class ListFormat(StrEnum):
    TEXT = "text"
    JSON = "json"


@app.command()
def add(
    paths: Annotated[
        list[str], typer.Argument(metavar="PATH...", help="Files and folders to read.", show_default=False)
    ],
    name: Annotated[str, typer.Option("--name", "-n", help="The corpus to add them to.", show_default=False)],
) -> None:
    """Add documents to a corpus, and create it if needed. When run again, only changed files are read."""
    from veridic.cli.progress import ProgressBar
    from veridic.config.settings import load_settings
    from veridic.domain.errors import UsageError
    from veridic.engine.open_evidence import add_to_corpus
    from veridic.reporting.escaping import one_line

    if not all(path.strip() for path in paths):
        raise UsageError("`corpus add` needs the path of a file or folder, not an empty string.")
    with ProgressBar() as bar:
        added = add_to_corpus(name, [Path(path) for path in paths], load_settings(), bar.indexing)
    for path, reason in added.failures.items():
        typer.echo(one_line(f"Not read: {path}: {reason}"), err=True)
    if added.failures:
        typer.echo(f"{count(len(added.failures), 'file')} could not be read in full.", err=True)
    typer.echo(
        f"{name}: {count(added.read, 'file')} read, {added.unchanged:,} unchanged, {added.dropped:,} dropped; "
        f"{count(added.passages, 'passage')} in all."
    )


@app.command("list")
def list_corpora(
    output_format: Annotated[ListFormat, typer.Option("--format", help="How to write it.")] = ListFormat.TEXT,
) -> None:
    """Show the corpora there are."""
    from veridic.config.settings import load_settings
    from veridic.evidence.corpus import Corpora

    found = Corpora(load_settings().corpora).list()
    if output_format is ListFormat.JSON:
        import json

        typer.echo(json.dumps([_as_json(info) for info in found], indent=2, ensure_ascii=False))
    elif not found:
        typer.echo("There is no corpus yet; make one with `veridic corpus add PATH --name NAME`.", err=True)
    else:
        width = max(len(info.name) for info in found)
        for info in found:
            typer.echo(f"{info.name:<{width}}  {_describe(info)}")


@app.command()
def remove(
    name: Annotated[str, typer.Argument(help="The corpus to delete.", show_default=False)],
) -> None:
    """Delete a corpus. The documents it was made from are not touched."""
    from veridic.config.settings import load_settings
    from veridic.evidence.corpus import Corpora

    Corpora(load_settings().corpora).remove(name)
    typer.echo(f"Removed {name}.")


def _describe(info: "CorpusInfo") -> str:
    if info.problem:
        return f"can't be used: {info.problem}"
    day = f"{info.updated:%Y-%m-%d}" if info.updated else "never"
    return f"{count(info.passages, 'passage')} of {count(info.documents, 'document')}, updated {day}"


def _as_json(info: "CorpusInfo") -> dict[str, object]:
    return {
        "name": info.name,
        "files": info.items,
        "documents": info.documents,
        "passages": info.passages,
        "updated": info.updated.isoformat() if info.updated else None,
        "problem": info.problem,
    }
