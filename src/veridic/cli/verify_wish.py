"""What a user asks of `veridic verify`, made into an order with what the project's own settings add."""

from dataclasses import dataclass
from pathlib import Path

from veridic.cli.verify import VerifyFormat
from veridic.code.documents import Documents, select
from veridic.code.repository import Repository
from veridic.config.project import ProjectSettings, read_verdict
from veridic.domain.code import CodeVerdict
from veridic.domain.errors import NotFoundError, UsageError
from veridic.domain.modes import EngineChoice
from veridic.pipeline.verify_order import VerifyOrder

DEFAULT_BASELINE = "veridic-baseline.json"

_WRONG_NOW = (CodeVerdict.REFUTED, CodeVerdict.STALE)
"""What fails where nobody says otherwise: a document that was right once misleads its reader no less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The options as they were given."""

    documents: tuple[str, ...]
    repo: Path
    format: VerifyFormat
    output: Path | None
    fail_on: str | None
    everything: bool
    plan: bool
    engine: EngineChoice
    use_cache: bool
    since: str | None
    only_changed: bool
    commits: str | None
    run_tests: str | None
    run_examples: bool
    run_configured: bool
    check_links: bool
    databases: tuple[str, ...]
    apis: tuple[str, ...]
    fix: bool
    apply: bool
    baseline: Path | None
    write_baseline: bool


def refuse_contradictions(wish: Wish) -> None:
    """`UsageError` for options that don't go together."""
    refused = {
        "--apply writes what --fix proposes; give both.": wish.apply and not wish.fix,
        "--plan checks nothing, so there is nothing to fix or to write to a baseline.": wish.plan
        and (wish.fix or wish.write_baseline),
        "--plan is written as text or json.": wish.plan
        and wish.format not in (VerifyFormat.TEXT, VerifyFormat.JSON),
        "--fix prints a diff; --output says where the report in that format goes.": wish.fix
        and wish.format is not VerifyFormat.TEXT
        and wish.output is None,
        "Give either --since or --changed: the first covers the second.": wish.only_changed
        and wish.since is not None,
        "Give either --fix or --write-baseline: what is fixed needs no baseline.": wish.fix
        and wish.write_baseline,
        "--write-baseline is about the whole repository; leave out DOC, --since and --changed.": wish.write_baseline
        and bool(wish.documents or wish.since is not None or wish.only_changed),
    }
    for sentence, applies in refused.items():
        if applies:
            raise UsageError(sentence)


def order_for(wish: Wish, project: ProjectSettings) -> VerifyOrder:
    """What is to be done. Nothing that only the repository asks for is run, unless the user lets it."""
    may_run = wish.run_configured
    return VerifyOrder(
        root=wish.repo,
        documents=_documents(wish, project),
        exclude=project.exclude,
        since=wish.since,
        only_changed=wish.only_changed,
        with_unsure=wish.everything,
        commits=wish.commits,
        run_tests=wish.run_tests or (project.run_tests if may_run else None),
        run_examples=wish.run_examples or (may_run and project.run_examples),
        check_links=wish.check_links,
        databases=wish.databases,
        apis=wish.apis,
        engine=wish.engine,
        use_cache=wish.use_cache,
    )


def _documents(wish: Wish, project: ProjectSettings) -> tuple[str, ...]:
    """The paths to read for claims; none at all means every one."""
    named = [_within(wish.repo, name) for name in wish.documents]
    if named:
        if "." in named:
            return ()
        folders = [path for path in named if (wish.repo / path).is_dir()]
        files = [path for path in named if path not in folders]
        return tuple(dict.fromkeys((*files, *_in_folders(wish, project, folders))))
    chosen = project.documents
    if not chosen.include and not chosen.exclude:
        return ()
    selected = select(_files(wish, project), chosen.include, chosen.exclude)
    if not selected:
        raise UsageError("The documents that the project's table includes name no file of the repository.")
    return tuple(selected)


def _in_folders(wish: Wish, project: ProjectSettings, folders: list[str]) -> list[str]:
    if not folders:
        return []
    within = tuple(f"{folder}/" for folder in folders)
    found = [path for path in _files(wish, project) if path.startswith(within)]
    if not found:
        raise UsageError(f"There is nothing to check in {', '.join(folders)}.")
    return found


def _files(wish: Wish, project: ProjectSettings) -> list[str]:
    return [file.path for file in Repository(wish.repo, exclude=project.exclude).files]


def _within(root: Path, name: str) -> str:
    """The path within the repository of what is named from here, or from the repository's root."""
    top = root.resolve()
    for place in (Path(name), root / name):
        try:
            resolved = place.resolve(strict=True)
        except (OSError, RuntimeError):
            continue
        if resolved.is_relative_to(top):
            return resolved.relative_to(top).as_posix()
    if Path(name).exists():
        raise UsageError(f"{name} is not in the repository {root}; --repo names another.")
    raise NotFoundError(f"There is no file or folder {name!r} in the repository.")


def failing_verdicts(wish: Wish, project: ProjectSettings) -> frozenset[CodeVerdict]:
    """The verdicts that end a run with exit code 1: the option's, else the project's, else Refuted."""
    if wish.fail_on is None:
        return frozenset(_WRONG_NOW if project.fail_on is None else project.fail_on)
    try:
        return frozenset(read_verdict(word) for word in wish.fail_on.split(",") if word.strip())
    except ValueError as error:
        raise UsageError(f"--fail-on: {error}.") from None


def baseline_file(wish: Wish, project: ProjectSettings) -> Path | None:
    """The baseline's file; one that the repository names itself can't lie outside it."""
    if wish.baseline is not None:
        return wish.baseline
    name = project.baseline or (DEFAULT_BASELINE if wish.write_baseline else None)
    if name is None:
        return None
    file = Documents(wish.repo).inside(name)
    if file is None:
        raise UsageError(f"The baseline {name!r} that the project's table names is not in the repository.")
    return file
