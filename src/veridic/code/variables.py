"""Environment variables that are nobody's own."""

import re

_ANYONES = re.compile(
    r"(?:HTTPS?|FTP|NO|ALL|SOCKS)_PROXY\b|(?:XDG|AWS|AZURE|GOOGLE|GCP|LC|GIT|GITHUB|GITLAB|CI|SSL|SSH|GPG|PIP|PYTEST|DOCKER|CUDA"
    r"|REQUESTS|CURL|DJANGO|FLASK|POSTGRES|MYSQL|REDIS|OTEL|OPENAI|ANTHROPIC|HF|NO|FORCE)_|PYTHON|TERM|CLICOLOR"
)


def is_anyones(name: str) -> bool:
    """Whether many programs read variables like this one: a library beneath a program may, where its code does not."""
    return _ANYONES.match(name) is not None
