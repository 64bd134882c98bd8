"""The `veridic` command: its subcommands, error messages and exit codes."""

import errno
import io
import os
import sys
from typing import Annotated

import typer

from veridic import __version__
from veridic.cli import (
    batch,
    bench,
    check,
    corpus,
    db,
    desk,
    doctor,
    mcp,
    runs,
    serve,
    user,
    verify,
    worker,
)
from veridic.domain.errors import VeridicError

_INTERRUPTED = 130
"""Typer's exit code for Ctrl-C too."""
_PATIENCE_SECONDS = 5.0

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
    or in the built-in reference library, and judged by comparing and reading. Every verdict is cited. Where language
    models are set up, several of them can check the same claims (--mode consensus).

    Start with:  veridic check article.md     In the browser:  veridic serve
    """


app.command("check")(check.check)
app.command("batch")(batch.batch)
app.command("claim")(check.claim)
app.command("verify")(verify.verify)
app.command("replay")(runs.replay)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)
app.add_typer(corpus.app, name="corpus")
app.add_typer(runs.app, name="runs")
app.add_typer(db.app, name="db")
app.add_typer(desk.app, name="desk")
app.add_typer(user.app, name="user")
app.add_typer(bench.app, name="bench")


def main() -> None:
    """Run the command line. Errors are one sentence on standard error, never a traceback."""
    _make_output_safe()
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except VeridicError as error:
        code = _print_error(str(error), error.exit_code)
    except typer.TyperException as error:
        code = _print_error(_usage_sentence(error), 2)
    except (BrokenPipeError, SystemExit) as error:
        # The reading end of the pipe was closed (`| head`), which typer turns into SystemExit. That is not a failure.
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        _drop_output()
        code = 0
    except KeyboardInterrupt:
        code = _print_error("Interrupted; nothing that was saved before is lost.", _INTERRUPTED)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            _drop_output()
        what = f"{error.filename} can't be used" if error.filename else "The output can't be written"
        code = _print_error(f"{what}: {error.strerror or error}.", 3)
    except Exception as error:
        if _is_debugging():
            raise
        problem = f"{type(error).__name__}: {error}".rstrip(".")
        code = _print_error(f"Internal error ({problem}); VERIDIC_DEBUG=1 shows where.", 3)
    if code == _INTERRUPTED:
        _let_threads_end()
    sys.exit(code)


def _let_threads_end() -> None:
    """Wait a moment for what an interrupted check was reading."""
    if "veridic.engine.threads" in sys.modules:
        from veridic.engine.threads import wait_for_threads

        wait_for_threads(_PATIENCE_SECONDS)


def _is_debugging() -> bool:
    from veridic.config.settings import load_settings

    try:
        return load_settings().debug
    except VeridicError:
        return False


def _make_output_safe() -> None:
    """Discard output to closed streams, and write characters that stdout can't encode as escapes."""
    if sys.stdout is None:
        sys.stdout = io.StringIO()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Redirect stdout to /dev/null, so that the interpreter's last flush doesn't fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _print_error(sentence: str, code: int) -> int:
    if sentence:
        from veridic.reporting.escaping import one_line

        sys.stderr.write(f"veridic: {one_line(sentence)}\n")  # file names may contain control characters
    return code


def _usage_sentence(error: typer.TyperException) -> str:
    """Return typer's message with a pointer to --help; empty if the help was already shown."""
    message = " ".join(error.format_message().replace("Value error, ", "").split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return message and f"{message}; see `{context.command_path if context else 'veridic'} --help`."
