"""The `git` command, run so that nothing in the repository it looks at can run anything itself.

A repository's own configuration can name programs: hooks, a monitor of files, a pager, drivers of diffs, filters,
a signature checker, transports. Each is switched off, or only reached by subcommands that are not used here: no
command here touches the working tree, because that is what runs filters.
"""

import os
import shutil
import subprocess
from pathlib import Path

from veridic.domain.errors import GitError

TIME_LIMIT_SECONDS = 20.0
MOST_OUTPUT_BYTES = 50_000_000
_KEPT_VARIABLES = ("PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP")
"""With the user's own configuration, since it says which folders of other people are trusted."""
_SILENCED = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.quotePath=false",
    "core.untrackedCache=false",
    "diff.external=",
    "diff.submodule=short",
    "log.showSignature=false",
    "log.mailmap=false",
    "blame.ignoreRevsFile=",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
)
_OPTIONS = tuple(part for setting in _SETTINGS for part in ("-c", setting))


def run_git(root: Path, *arguments: str, given: bytes = b"") -> bytes:
    """What a git command that only reads says, in a folder; `GitError` where it fails or takes too long.

    `given` is what it finds on its standard input.
    """
    program = shutil.which("git")
    if program is None:
        raise GitError("Git is not installed, so the history can't be read: install it.")
    command = [program, "--no-pager", "--no-optional-locks", *_OPTIONS, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 (no shell; what varies stands behind --end-of-options)
            command,
            cwd=root,
            env=_environment(),
            input=given,
            capture_output=True,
            timeout=TIME_LIMIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise GitError(f"Git did not answer within {TIME_LIMIT_SECONDS:.0f} seconds.") from None
    except (OSError, ValueError) as error:
        raise GitError(f"Git could not be started ({error}).") from None
    if done.returncode != 0:
        detail = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0][:300]
        raise GitError(f"Git could not answer ({detail or f'exit code {done.returncode}'}).")
    if len(done.stdout) > MOST_OUTPUT_BYTES:
        raise GitError("Git's answer is too long to be read.")
    return done.stdout


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return kept | _SILENCED
