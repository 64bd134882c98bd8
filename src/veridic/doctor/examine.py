"""`examine`: everything that is looked at, in order."""

from collections.abc import Iterator

from veridic.config.settings import load_settings
from veridic.doctor.finding import Finding, broken, ok
from veridic.doctor.machine import examine_machine
from veridic.doctor.packages import examine_models, examine_packages
from veridic.doctor.services import examine_models_asked, examine_search
from veridic.domain.errors import UsageError


def examine(*, network: bool = False) -> Iterator[Finding]:
    """Yield each finding as it is made. With `network`, providers outside this machine are asked whether they answer."""
    yield from examine_packages()
    yield from examine_models()
    try:
        settings = load_settings()
    except UsageError as error:
        yield broken("settings", str(error), None)
        return
    yield ok("settings", "All values are valid.")
    yield from examine_machine(settings)
    yield from examine_models_asked(settings, network=network)
    yield from examine_search(settings, network=network)
