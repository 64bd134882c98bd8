"""`veridic db`: maintains the database of saved runs."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Maintain the database of saved runs.", no_args_is_help=True)


@app.command()
def upgrade() -> None:
    """Create the database, or bring it up to date. Commands that need the database do this automatically."""
    from veridic.config.settings import load_settings
    from veridic.store import maintenance

    place, done = maintenance.upgrade(load_settings().database)
    if done.before is None:
        typer.echo(f"Created {place} (schema {done.after}).")
    elif done.before == done.after:
        typer.echo(f"{place} is up to date (schema {done.after}).")
    else:
        typer.echo(f"Upgraded {place} from schema {done.before} to {done.after}.")


@app.command()
def check() -> None:
    """Read the whole database and say whether it is intact; exit code 3 if it is not."""
    from veridic.config.settings import load_settings
    from veridic.domain.errors import StorageError
    from veridic.store import maintenance

    found = maintenance.check(load_settings().database)
    if found.problems:
        raise StorageError(f"The database {found.place} is damaged: {'; '.join(found.problems)}.")
    typer.echo(f"{found.place} is intact and up to date.")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="Where to write the copy.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> None:
    """Copy the database to FILE, while it may be in use, and check the copy."""
    from veridic.config.settings import load_settings
    from veridic.store import maintenance

    written = maintenance.backup(load_settings().database, file, force=force)
    typer.echo(f"Saved a checked copy to {written}.")


@app.command()
def vacuum() -> None:
    """Give back the disk space that deleted runs have left."""
    from veridic.config.settings import load_settings
    from veridic.store import maintenance

    sizes = maintenance.vacuum(load_settings().database)
    typer.echo(f"{sizes.before:,} bytes before, {sizes.after:,} bytes after.")


@app.command()
def move(
    target: Annotated[
        str,
        typer.Argument(
            metavar="URL", help="An empty database: postgresql://... or sqlite:///...", show_default=False
        ),
    ],
) -> None:
    """Copy everything into the empty database at URL, and count the rows of both.

    The database in use stays as it is. Stop the server and its workers first; afterwards, point VERIDIC_DATABASE_URL
    at the new one.

    Example:

      veridic db move postgresql://veridic:password@db.example.com/veridic
    """
    from veridic.config.settings import load_settings
    from veridic.desk import index
    from veridic.store import moving
    from veridic.store.runs import RunStore

    moved = moving.move(load_settings().database, target)
    with RunStore(target) as store:
        index.update(store)
    for table, rows in moved.rows.items():
        if rows:
            typer.echo(f"{table:<24}{rows:>12,}")
    typer.echo(f"Copied {sum(moved.rows.values()):,} rows from {moved.source} to {moved.target}.")


@app.command()
def sample() -> None:
    """Load two sample checks for trying the desk, into a database without any checks."""
    from veridic.config.settings import load_settings
    from veridic.desk import sample as desk_sample
    from veridic.domain.people import LOCAL_USER
    from veridic.store.runs import RunStore

    with RunStore(load_settings().database) as store:
        ids = store.write(lambda session: desk_sample.load(session, LOCAL_USER))
    typer.echo(f"Loaded {' and '.join(ids)}.")
