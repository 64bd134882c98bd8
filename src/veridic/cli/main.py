"""The `veridic` command: what it offers, and how it ends."""

import os
import sys
from typing import Annotated

import typer

from veridic import __version__
from veridic.cli import check, claim, corpus, db, runs
from veridic.domain.errors import VeridicError

app = typer.Typer(
    name="veridic",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done; 1 done, and a verdict named in --fail-on occurred; 2 bad input or usage; 3 could not be completed.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"veridic {__version__}")
        raise typer.Exit


@app.callback()
def veridic(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Check claims against evidence, and show the work.

    Works with no key and no network: claims are found by an embedded extractor, looked up in your own documents
    or in the built-in reference library, and judged by comparing what can be compared. Every verdict is cited.

    Start with:  veridic check article.md
    """


app.command("check")(check.check)
app.command("claim")(claim.claim)
app.add_typer(corpus.app, name="corpus")
app.add_typer(runs.app, name="runs")
app.add_typer(db.app, name="db")


def main() -> None:
    """Run the command line; what a user can mend is one sentence on standard error, never a traceback."""
    try:
        app()
    except VeridicError as error:
        sys.stderr.write(f"veridic: {error}\n")
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader has gone (`| head`). Point stdout nowhere, so that the interpreter's last flush doesn't complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
