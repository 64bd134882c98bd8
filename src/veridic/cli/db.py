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
    """Read the whole database and say whether it is sound; exit code 3 if it is not."""
    from veridic.config.settings import load_settings
    from veridic.domain.errors import StorageError
    from veridic.store import maintenance

    found = maintenance.check(load_settings().database)
    if found.problems:
        raise StorageError(f"The database {found.place} is not sound: {'; '.join(found.problems)}.")
    typer.echo(f"{found.place} is sound and up to date.")


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
