"""`veridic.verify`: docs against code as a function call."""

from collections.abc import Sequence
from pathlib import Path

from veridic.config.project import load_project
from veridic.config.settings import Settings, load_settings
from veridic.domain.code import VerifyReport
from veridic.domain.errors import NotFoundError
from veridic.domain.modes import EngineChoice
from veridic.providers.llm.connect import connect_models
from veridic.providers.llm.meter import Meter
from veridic.verify.baseline import configured_baseline, load_baseline
from veridic.verify.folder import Folder
from veridic.verify.order import VerifyOrder
from veridic.verify.run import verify_repository
from veridic.verify.selection import choose_documents
from veridic.verify.silencing import silence


def verify(
    path: str | Path = ".",
    *,
    documents: Sequence[str | Path] = (),
    since: str | None = None,
    only_changed: bool = False,
    run_tests: str | None = None,
    check_links: bool = False,
    engine: EngineChoice = EngineChoice.AUTO,
    settings: Settings | None = None,
) -> VerifyReport:
    """Check what the documents of a repository say against its code.

    `documents` names files and folders in it; by default every document, docstring and comment is read. `since` (a
    revision) and `only_changed` (uncommitted changes) limit the check to what a change could have made false. Nothing
    of the repository is run without `run_tests`, the command for its tests, and no address is fetched without
    `check_links`. The project's settings, baseline and ignore comments apply as in the command. Facts are cached;
    nothing else is saved. Raises `VeridicError`.
    """
    root = Path(path)
    if not root.is_dir():
        raise NotFoundError(f"There is no folder {str(path)!r}.")
    settings = settings or load_settings()
    project = load_project(root)
    order = VerifyOrder(
        root=root,
        documents=choose_documents(root, list(map(str, documents)), project),
        exclude=project.exclude,
        since=since,
        only_changed=only_changed,
        run_tests=run_tests,
        check_links=check_links,
        engine=engine,
    )
    baseline = (
        None if project.baseline is None else load_baseline(configured_baseline(root, project.baseline))
    )
    meter = Meter(max_cost_usd=settings.max_cost_usd, max_tokens=settings.max_tokens)
    report = verify_repository(order, settings, models=connect_models(settings, meter))
    is_whole = since is None and not only_changed
    return silence(report, Folder(root).text, order.documents, baseline=baseline, all_were_looked_at=is_whole)
