"""Takes the pictures of the desk's guide in the system's Chromium: a claim at the desk, and the page that readers see.

The machine's check of `examples/australia.md` is real and needs no key; the people and their verdicts are made up.
"""

import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path

import uvicorn
from playwright.sync_api import ViewportSize, sync_playwright

from veridic import check
from veridic.config.settings import Settings, load_settings
from veridic.desk.desk import Desk
from veridic.desk.lifecycle import CheckStatus
from veridic.desk.records import ClaimRecord, Rating, SourceInput, VerificationInput
from veridic.domain.people import Actor, Role, actor_of
from veridic.store.runs import RunStore
from veridic.store.tables import User
from veridic.web.app import create_web_app

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SIZE: ViewportSize = {"width": 1280, "height": 1060}
_VERDICTS = (
    (Rating.TRUE, "By area, after Russia, Canada, China, the United States and Brazil."),
    (Rating.FALSE, "Canberra has been the seat of government since 1927."),
    (Rating.TRUE, "The bureau of statistics counted 27.2 million in the middle of 2024."),
)
"""Of the first claims, in their order."""


def main() -> None:
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        sys.exit("No Chromium is installed; install one to take the pictures.")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder, 'desk.db')}"
        settings = load_settings().model_copy(update={"database_url": url, "desk_name": "The Example Desk"})
        at_work, published = _fill(settings)
        with _serving(settings) as address:
            _photograph(browser, f"{address}/desk/claims/{at_work}", IMAGES / "desk-claim.png")
            _photograph(browser, f"{address}/published/{published}", IMAGES / "desk-published.png")


def _fill(settings: Settings) -> tuple[int, str]:
    """Save two checks, one at work and one published; return the first one's claim and the other's id."""
    with RunStore(settings.database) as store:
        # Without passwords nobody signs in, so the pictures show the desk as one person sees it.
        people = [User(id=1, username="jon", role="fact_checker"), User(id=2, username="eva", role="editor")]
        store.write(lambda session: session.add_all(people))
        jon, eva = actor_of(1, "jon", Role.FACT_CHECKER), actor_of(2, "eva", Role.EDITOR)
        desk = Desk(store)
        at_work, published = (_checked_by_machine(store) for _ in range(2))
        claim = desk.check(jon, _take(desk, jon, at_work)).claims[1]
        _publish(desk, jon, eva, _take(desk, jon, published))
        return claim.id, published


def _checked_by_machine(store: RunStore) -> str:
    report = check(ROOT / "examples" / "australia.md")
    run_id = store.begin(report.document, mode="thorough", engine="embedded")
    store.complete(run_id, report)
    return run_id


def _take(desk: Desk, actor: Actor, check_id: str) -> str:
    desk.take(actor, check_id, desk.check(actor, check_id).version)
    return check_id


def _publish(desk: Desk, jon: Actor, eva: Actor, check_id: str) -> None:
    claims = desk.check(jon, check_id).claims
    rest = repeat((Rating.UNVERIFIABLE, "Nobody has counted."))
    for claim, (rating, notes) in zip(claims, chain(_VERDICTS, rest)):  # noqa: B905 - `rest` has no end
        verdict = VerificationInput(
            rating=rating, notes=notes, sources=_sources_of(claim), time_spent_seconds=240
        )
        desk.verify_claim(jon, claim.id, verdict, claim.version)
    done = desk.move(jon, check_id, CheckStatus.COMPLETED, desk.check(jon, check_id).version)
    desk.review(eva, check_id, "approved", "", done.version)
    public = desk.publish(eva, check_id, done.version)
    desk.correct(eva, check_id, "An earlier version named the wrong bureau.", public.version)


def _sources_of(claim: ClaimRecord) -> tuple[SourceInput, ...]:
    """Return the machine's sources on one side, as the button that takes them over does."""
    found = claim.machine.sources if claim.machine else ()
    taken = tuple(
        SourceInput(url=one.url, title=one.title, supports_claim=one.supports_claim, excerpt=one.excerpt)
        for one in found
        if one.supports_claim is not None
    )
    return taken or (SourceInput(url="https://www.abs.gov.au", title="Australian Bureau of Statistics"),)


@contextmanager
def _serving(settings: Settings) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(create_web_app(settings), port=0, log_config=None))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started and thread.is_alive():
        thread.join(0.05)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


def _photograph(browser: str, address: str, picture: Path) -> None:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport=_SIZE, color_scheme="light", reduced_motion="reduce")
        page.goto(address)
        page.screenshot(path=picture)
        chromium.close()


if __name__ == "__main__":
    main()
