"""Parses command lines in documents: the program, its subcommand and flags, and the packages that it installs."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_PROMPT = re.compile(r"^\s*(?:[\w.@~:/-]{0,40}[$%❯»]\s+|PS(?: [^>]*)?>\s*|C:\\[^>]*>\s*|>\s+|#\s+(?=sudo\b))")
_WORD = re.compile(
    r"'[^']*'?|\"(?:[^\"\\]|\\.)*\"?|`[^`]*`?|\$\([^)]*\)?|[|&;]+|[<>]+\S*|(?:[^\s'\"`|&;<>\\]|\\.|<[\w .|-]+>|[<\[]\w)+|\\$|\S"
)
_PACKAGE = re.compile(
    r"^(?P<name>@?[A-Za-z][\w./@-]*?)(?:\[(?P<extras>[\w,-]+)\])?(?:(?:[=<>~!]=?|@)(?P<version>v?[\d*^~][\w.*+-]*|latest|next))?$"
)
_WRAPPERS = frozenset({"sudo", "npx", "uvx", "bunx", "time", "exec", "nohup", "env", "doas"})
_INSTALLERS = {
    "pip": {"install"}, "pip3": {"install"}, "pipx": {"install", "run"}, "uv": {"add"}, "poetry": {"add"}, "pdm": {"add"}, "conda": {"install"},
    "npm": {"install", "i", "add"}, "pnpm": {"add", "install", "i"}, "yarn": {"add"}, "bun": {"add", "install"}, "deno": {"install", "add"},
    "cargo": {"install", "add", "binstall"}, "brew": {"install"}, "go": {"install", "get"}, "gem": {"install"}, "apt": {"install"}, "apt-get": {"install"},
    "dnf": {"install"}, "yum": {"install"}, "pacman": {"-S"}, "apk": {"add"}, "scoop": {"install"}, "choco": {"install"}, "winget": {"install"}, "snap": {"install"},
    "port": {"install"}, "zypper": {"install"}, "xbps-install": set(), "composer": {"require"},
}  # fmt: skip
_SCRIPTS = {"npm": "run", "pnpm": "run", "yarn": "run", "bun": "run", "make": "", "gmake": ""}
TOOLS = frozenset(
    "cd ls cat echo cp mv rm mkdir touch git curl wget tar unzip zip chmod chown ln grep sed awk find xargs sort head tail tee kill ps export set source "
    "docker docker-compose podman kubectl helm systemctl service sh bash zsh fish pwsh powershell cmd node python python3 py ruby java javac mvn gradle gradlew "
    "dotnet perl php rustup rustc cargo go npm pnpm yarn bun deno pip pip3 pipx uv poetry pdm tox nox pytest brew apt apt-get dnf yum pacman apk scoop choco "
    "winget snap port zypper gem conda make cmake vim nano code open which whoami ssh scp rsync dpkg rpm vagrant terraform aws gcloud az heroku test printf "
    "sleep true false if then else fi for do done while function return exit eval alias unset pushd popd env sudo".split()
)
"""Common programs: claims about them are not about the project."""

SHELLS = frozenset(
    "sh bash shell console zsh fish shell-session shellsession powershell ps1 pwsh cmd bat batch terminal ps prompt nu".split()
)
"""Languages of code blocks that hold command lines."""


class Command(NamedTuple):
    program: str
    words: tuple[str, ...]
    """The words after the program."""
    variables: tuple[str, ...] = ()
    """Environment variables set before the program."""

    @property
    def flags(self) -> list[str]:
        """The flags before `--`, without their values."""
        words = self.words[: self.words.index("--")] if "--" in self.words else self.words
        found = (re.match(r"^--?[A-Za-z][\w.-]*", word) for word in words)
        return list(dict.fromkeys(match[0] for match in found if match))


class Package(NamedTuple):
    name: str
    extras: tuple[str, ...] = ()
    version: str = ""


def commands_in(line: str) -> Iterator[Command]:
    """The commands of a shell line; empty for a comment."""
    line = _PROMPT.sub("", line.strip())
    if not line or line.startswith("#") or len(line) > 1_000:
        return
    words: list[str] = []
    for word in [*_WORD.findall(line), ";"]:
        if word[0] in "|&;":
            if (command := _command(words)) is not None:
                yield command
            words = []
        elif word.startswith("#"):
            break
        elif (word[0] not in "<>" and word != "\\") or re.match(r"^<[\w-]", word):
            words.append(word)
    if words and (command := _command(words)) is not None:
        yield command


def _command(words: list[str]) -> Command | None:
    variables: list[str] = []
    while words and (
        words[0] in _WRAPPERS or re.match(r"^[A-Za-z_]\w*=", words[0]) or (variables and words[0][0] in "'\"")
    ):
        if "=" in words[0]:
            variables.append(words[0].partition("=")[0])
        words = words[1:]
    if len(words) > 2 and words[0] in ("python", "python3", "py") and words[1] == "-m":
        words = words[2:]
    elif len(words) > 1 and words[0] in ("set", "export"):
        return Command("export", (), tuple(word.partition("=")[0] for word in words[1:] if "=" in word))
    elif (words and words[0] == "$env") or (words and words[0].startswith("$")):
        return None
    if not words:
        return Command("", (), tuple(variables)) if variables else None
    program = words[0].rpartition("/")[2]
    if not re.match(r"^[A-Za-z][\w.+-]*$", program):
        return None
    return Command(program, tuple(words[1:]), tuple(variables))


def installed(command: Command) -> list[Package]:
    """The packages that a command installs; empty if it installs none, or a file or an address."""
    verbs = _INSTALLERS.get(command.program)
    words = [*command.words]
    if (command.program == "uv" and words[:1] == ["tool"]) or words[:1] == ["pip"] or words[:1] == ["global"]:
        words, verbs = words[1:], {"install", "add"}
    if verbs is None or not words or (verbs and words[0] not in verbs):
        return []
    found: list[Package] = []
    is_value = False
    for word in (word.strip("\"'`") for word in words[1:]):
        if word.startswith("-"):
            is_value = word in ("-r", "-e", "-f", "-c", "--git", "--tag", "--branch", "--source", "--features", "--index-url", "-i", "--spec", "-m")  # fmt: skip
        elif is_value:
            is_value = False
        elif (package := _PACKAGE.match(word)) and not word.endswith(
            (".txt", ".deb", ".whl", ".toml", ".rpm", ".py")
        ):
            name = package["name"]
            if command.program == "go" or "://" in word:
                name = name.rpartition("/")[2] if not re.search(r"/v\d+$", name) else name.split("/")[-2]
            extras = tuple((package["extras"] or "").split(",")) if package["extras"] else ()
            found.append(Package(name, extras, package["version"] or ""))
    return found


def script_of(command: Command) -> str | None:
    """`npm run build` or `make test`, as it is called."""
    verb = _SCRIPTS.get(command.program)
    if verb is None:
        return None
    words = [word for word in command.words if not word.startswith("-") and "=" not in word]
    if verb and (not words or words[0] not in (verb, "test", "start")):
        return None
    if verb and words[0] == verb:
        words = words[1:]
        prefix = f"{command.program} {verb}"
    else:
        prefix = command.program
    if not words or not re.match(r"^[A-Za-z][\w:.-]*$", words[0]):
        return None
    return f"{prefix} {words[0]}"
