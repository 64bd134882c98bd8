"""`veridic desk`: takes checks out of the desk as files, and into it."""

from pathlib import Path
from typing import Annotated

import typer

from veridic.domain.modes import ExportFormat

app = typer.Typer(help="Export and import the checks of the desk.", no_args_is_help=True)


@app.command("export")
def export_checks(
    export_format: Annotated[
        ExportFormat,
        typer.Option("--format", help="json can be imported again; claimreview has what is published."),
    ] = ExportFormat.JSON,
    output: Annotated[
        Path | None,
        typer.Option(help="Write to this file instead of standard output.", show_default=False),
    ] = None,
) -> None:
    """Write all checks with their claims, verdicts and comments.

    Example:

      veridic desk export --format csv --output checks.csv
    """
    import sys

    from veridic.cli.output import write_file
    from veridic.config.settings import load_settings
    from veridic.desk.desk import Desk
    from veridic.desk.export_files import all_ids, export_checks_as
    from veridic.desk.published import publisher
    from veridic.domain.people import LOCAL_USER
    from veridic.store.runs import RunStore

    settings = load_settings()
    with RunStore(settings.database) as store:
        desk = Desk(store)
        ids = all_ids(desk, LOCAL_USER)
        pieces = export_checks_as(export_format, desk, LOCAL_USER, ids, publisher(settings, ""))
        if output is None:
            for piece in pieces:
                sys.stdout.write(piece)
        else:
            write_file(output, "".join(pieces))


@app.command("import")
def import_checks(
    file: Annotated[
        Path, typer.Argument(help="A JSON export of a desk, or ClaimReviews.", show_default=False)
    ],
) -> None:
    """Read checks into the desk: what a desk has exported as JSON, or ClaimReviews as earlier checks by other desks.

    Each check gets a new number, and nothing that is there is changed: what was imported before is left out, and told.
    Verdicts count as another desk's until somebody here stands for them.

    Example:

      veridic desk import checks.json
    """
    import json

    from veridic.config.settings import load_settings
    from veridic.desk.desk import Desk
    from veridic.domain.errors import InputError
    from veridic.domain.people import LOCAL_USER
    from veridic.evidence.credibility import load_credibility
    from veridic.ingest.formats import file_error
    from veridic.reporting.escaping import one_line
    from veridic.reporting.wording import count
    from veridic.store.runs import RunStore

    settings = load_settings()
    try:
        data = json.loads(file.read_bytes())
    except OSError as error:
        raise file_error(file, error) from None
    except (ValueError, RecursionError):
        raise InputError(
            f"{file} is not valid JSON: it should be an export of a desk, or ClaimReviews."
        ) from None
    with RunStore(settings.database) as store:
        done = Desk(store, credibility=load_credibility(settings.credibility_file)).import_data(
            LOCAL_USER, data
        )
    for one in done.skipped:
        typer.echo(one_line(f"Left out: {one.claim or 'an entry'}: {one.reason}"), err=True)
    typer.echo(f"Imported {count(len(done.checks), 'check')} with {count(done.claims, 'claim')}.")
