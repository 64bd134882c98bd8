"""Ways in which public projects write, from the words of a document to the verdict: what is found, and what is no mistake."""

from pathlib import Path

import pytest
from tests.written_projects import refuted_in

PROJECT = {
    "pyproject.toml": """
[project]
name = "harbour"
version = "2.1.0"
requires-python = ">=3.11"
[project.scripts]
harbour = "harbour.cli:main"
""",
    "docs/index.md": "# Harbour\n",
    "src/harbour/__init__.py": "from harbour.core import Worker\n",
    "src/harbour/parts.py": "KEEL, RUDDER = (1, 2)\nfrom harbour.core import Ship, \\\n    Mast, \\\n    Rope\n",
    "src/harbour/errors.py": "class NoAnchor(Exception):\n    pass\n",
    "src/harbour/signals.py": '"""Signals that wave."""\n',
    "src/harbour/core.py": """
WORKER = "harbour.core.Worker"
tide_table = 3


class Ship:
    def __init__(self, name, line="\\n", label=None, tonnage=500):
        self.name = name
        self.label = label or name

    def moor(self):
        if hasattr(self, "on_wave"):
            self.on_wave()
        self.berth = 1


class Worker:
    def __init__(self, kind=WORKER):
        self.kind = kind


class Tug:
    def __init__(self, name, power=800, **kwargs):
        self.name = name


def prepare(ship):
    ship.extend(hoist_flag=1)
    send("harbour.signals.departures")


class Pier:
    def __init__(self, name):
        self.name = name

    def __exit__(self, a, b, c):
        self.name = ""


def sink():
    return False


class Berth:
    def __init__(self, sizes):
        for name, size in sizes:
            setattr(self, name, size)


def tides(kind):
    return os.environ["HARBOUR_TIDE_" + kind]


def split(text) -> tuple[str, str | None]:
    return text, None


DEEP_WATER = True
DEEPEST = 32 * 1024 * 1024  # 32 MiB
fits = False
Flag = Worker


class InvalidName(Exception):
    pass


def crontab(day="*", hour="*", minute="*"):
    return settings["reload_piers"]


class crane:
    def __init__(self, height):
        self.height = height


class buoy:
    def __init__(self, light):
        self.light = light

    def unload(self):
        self.light = 0
""",
    "src/harbour/cli.py": """
import argparse
import os


def main():
    parser = argparse.ArgumentParser(prog="harbour")
    parser.add_argument("--tide", default="auto", help=os.environ.get("HARBOUR_PIER"))
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--no-crew", action="store_false", default=True, help="Without people. Defaults to off.")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--pier", type=int, default=4, help="Which pier.")
""",
    "src/harbour/types.ts": """
export interface Base { weight: number }
export interface Cargo<T = null> extends Base { label: string }
""",
    "src/harbour/stars.py": "from .core import *\n\nPolaris = 1\n\n\nclass Sky:\n    def __getattr__(self, name):\n        return getattr(self.sky, name)\n",
    "src/harbour/made.py": "for name in NAMES:\n    globals()[name] = 1\n",
    "src/harbour/templates/Makefile": "build:\n\ttrue\n",
    "src/harbour/flags.py": "class Flag:\n    def __init__(self, colour):\n        self.colour = colour\n",
    "tests/test_cli.py": """
import os


def test_piers(runner):
    os.environ["HARBOUR_PIER_NO"] = "1"
    runner.add_argument("--cranes")
""",
    "package.json": '{"name": "harbour", "scripts": {"lint": "eslint"}}',
}


NO_MISTAKES = [
    # Addresses of a web server, folders of the reader's project.
    ("docs/routes.md", "A request for `/ships/` lists them all.\n"),
    ("docs/tutorial.md", "The scans are kept in `src/scanner_data` and nowhere else.\n"),
    # Pages on what was.
    ("docs/upgrading.md", "Use `Ship.name` in place of `Ship.title`.\n"),
    ("docs/history/whatsnew-1.0.md", "Harbour requires Python 3.6 or newer.\n"),
    ("docs/deprecations.rst", "``Ship.title`` is not to be used.\n"),
    # Names that are no attribute of the module or class: set at run time, of an object, of a metric.
    ("docs/ships.md", "`Ship.hoist_flag` hoists it.\n"),
    ("docs/signals.md", "`harbour.signals.departures` counts the departures.\n"),
    ("docs/buoys.md", "`buoy.berth` is where it lies.\n"),
    ("docs/cargo.md", "`Cargo.weight` is in tons.\n"),
    ("docs/files.md", "It is set in `harbour.conf`.\n"),
    ("docs/alias.rst", "See anchor_.\n\n.. _anchor: ship.anchor_\n"),
    # Targets of another Makefile.
    ("docs/make.md", "Run `make help` for more.\n"),
    # Fields below a directive for something else.
    (
        "docs/events.rst",
        ".. function:: harbour.core.prepare(ship)\n\n   Prepares.\n\n.. event:: moored(pier)\n\n   :param pier: Which.\n",
    ),
    ("docs/tides.md", "`HARBOUR_TIDE_LOW` is read, made from its prefix.\n"),
    ("docs/versionhistory.md", "- Added `Ship.title`\n"),
    ("README.md", "Run `make deploy` in the `docs` submodule.\n"),
    ("docs/mail.rst", "Send a `message <me@harbour.org>`_, or see `it <ship.anchor_>`_.\n"),
    ("docs/anchors.md", "[there](#the_bow)\n\n### Bow {: #the_bow }\n"),
    ("docs/paths.md", "Name it by number (e.g. `docs/123.fixed.rst`).\n"),
    ("docs/media.md", "Let us say that we want a default pier of `9`.\n"),
    ("docs/ships.rst", ".. class:: harbour.core.Tug(name, power=800|900, **kwargs)\n"),
    ("docs/run.md", "```sh\npip install -r requirements/mine.txt -o docs/out.txt\n```\n"),
    ("docs/anchors.rst", "`there <#the-bow>`_\n\nShip\n~~~~\n\nThe bow\n~~~~~~~\n"),
    ("docs/ships.rst", ".. class:: harbour.core.Pier(name)\n\n   .. method:: __exit__(kind, value, trace)\n"),
    ("docs/runs.md", "The `crane.load` setting is a number.\n"),
    ("README.md", "Run `make build; cd src; make all`.\n"),
    ("README.md", "Get it from the `docs/harbour` repository.\n"),
    ("docs/install.md", "This option requires Python 3.9+ or a boat.\n"),
    ("docs/tutorials/first.md", "Open `src/harbour/views.py` and follow along.\n"),
    ("docs/settings.md", "With `DEEP_WATER=False` it floats, and by setting `DEEP_WATER = False` too.\n"),
    ("docs/settings.md", "The `bow` key in `DEEP_WATER` is set to `None`.\n"),
    ("docs/hooks.md", "`Ship.on_wave` is called if a class has it.\n"),
    ("docs/tokens.md", "`Flag.Red` is a kind of flag.\n"),
    ("docs/keys.md", "Set `harbour.reload_piers` in the file.\n"),
    ("docs/sizes.md", "It is at most `DEEPEST` (32 MiB).\n"),
    ("docs/cron.rst", "=================== =====\n``crontab(day=0)`` daily\n``crontab(hour=1)`` early\n=================== =====\n"),
    ("docs/cells.md", "| `DEEPEST` = `1` | `SHALLOW` = `2` |\n|---|---|\n| `DEEPEST` = `1` | so |\n"),
    ("README.md", "On 2026-04-29, support for Python 3.9 ended for Harbour.\n"),
    ("README.md", "Harbour 1.x supports Python 3.5+.\n"),
    ("src/harbour/more.py", 'def f(a) -> bool:\n    """Look.\n\n    Returns:\n        True if it will do.\n    """\n    fits = True\n    if a:\n        fits = False\n    return fits\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Return a list of ways, that is."""\n    return "sea,land"\n'),
    ("src/harbour/more.py", 'class PluginBase:\n    def f(self):\n        """Find it.\n\n        Returns:\n            dict or None for no values\n        """\n        return None\n'),
    (
        "src/harbour/more.py",
        ('class Port:\n    def __getattr__(self, name):\n        """Get a ship by name.\n\n        Raises :class:`InvalidName` if an invalid ship name is used.\n        """\n'
        '        if name.startswith("_"):\n            raise AttributeError(f"no attribute {name!r}, use the name of a ship")\n        return self[name]\n'),
    ),
    (
        "src/harbour/more.py",
        'def f(name):\n    """Load it.\n\n    :raises FileNotFoundError: if there is none.\n    """\n    if not name:\n        raise ValueError(name)\n    return open(name)\n',
    ),
    # Links of MyST to a name.
    ("docs/links.md", "See [the ship](harbour.core.Ship) and [the crane](harbour.cranes.crane).\n"),
    # A version for some of it only.
    ("docs/versions.md", "- Lighter barges (Python 3.13+)\n"),
    ("docs/versions.md", "To delete a barge on Python 3.14+:\n"),
    ("docs/versions.md", "Requirements: Python 3.12+ for the crane, and `git`.\n"),
    ("docs/versions.md", "Python 3.13+ is required to run this example\n"),
    ("docs/checks.md", "Requires Python 3.8 and a calm sea.\n"),
    ("README.md", "Harbour versions 0.16 to 0.18 require Python 3.5 or newer.\n"),
    ("README.md", "Harbour 2 does not support Python 2.7+.\n"),
    # A block that goes on in another folder.
    ("README.md", "```bash\nharbour /tmp/x && cd /tmp/x\n```\n\nThen:\n\n```bash\nnpm start\n```\n"),
    # Headings with the parameters of a type.
    ("docs/types.md", "[all](#cargocargot-more)\n\n## cargo.Cargo<[T][Type], More>\n"),
    # Values in other words.
    ("src/harbour/more.py", 'def f(sep="\\n"):\n    r"""Split.\n\n    :param sep: Defaults to `\'\\n\'`.\n    """\n'),
    ("src/harbour/more.py", 'def f(end="\\n\\n"):\n    r"""Do.\n\n    :param end: Defaults to \'\\n\\n\' here.\n    """\n'),
    ("docs/workers.md", "`WORKER` is `harbour.Worker`.\n"),
    (
        "src/harbour/more.py",
        'def f(name, label=""):\n    """Name it.\n\n    :param label: Defaults to `name`.\n    """\n    return label or name\n',
    ),
    ("src/harbour/more.py", 'def f(a) -> tuple[str, None]:\n    """Returns `None` as the comment."""\n    return a, None\n'),
    (
        "src/harbour/more.py",
        'def f(*parts):\n    """Do.\n\n    :param weight: of each.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(name, wait):\n    """Do.\n\n    @param string name  Of the ship\n    @param boolean wait\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(a, b):\n    """Do.\n\n    :raises KeyError: if it is not there.\n    """\n    if not b:\n        raise TypeError(b)\n    return a[b]\n',
    ),
    (
        "src/harbour/more.py",
        'def f(title=""):\n    """Do.\n\n    :param title: Defaults to `"Sea of ships"`.\n    """\n    return title or "Sea of ships"\n',
    ),
    (
        "src/harbour/more.py",
        '_LOUD = False\n\n\ndef set_loud(value):\n    global _LOUD\n    _LOUD = value\n\n\ndef f():\n    """Returns `True` if loud."""\n    return _LOUD\n',
    ),
    ("src/harbour/more.py", 'def f(size=2**15):\n    """Do.\n\n    :param size: It defaults to 32\u00a0KiB.\n    """\n'),
    ("src/harbour/more.py", 'class A:\n    def __init__(self, f):\n        """Make. It returns a boolean."""\n        self.f = f\n'),
    ("src/harbour/more.py", 'def f(a) -> tuple[str | None, int]:\n    """Returns: the name, or None."""\n    return a\n'),
    ("src/harbour/more.py", 'def f(mode=0o777):\n    """Do.\n\n    :param mode: The default is 0777 (octal).\n    """\n'),
    ("src/harbour/more.py", 'def f(wait=UNSET):\n    """Do.\n\n    :param wait: Defaults to 60.\n    """\n\n\nUNSET = 0\n'),
    ("src/harbour/more.py", 'def is_moved(a):\n    """Returns `True` if it was moved."""\n    return False\n'),
    ("src/harbour/more.py", 'def f(check):\n    """Look. If it is well, check returns True, else it returns False."""\n    return None\n'),
    ("src/harbour/more.py", '"""`tide_table` is 5 by default."""\n'),
    ("src/harbour/more.py", "# The default pier is 7 for this one.\nX = 1\n"),
    (
        "src/harbour/more.py",
        'def f(deep=True):\n    return deep\n\n\ndef g(deep=False):\n    """As `f`, where `deep` defaults to False."""\n    return f(deep)\n',
    ),
    ("docs/ships.md", "A `Ship` is moored by:\n\n- `name`: its name\n- `rope`: which\n- `tonnage`: 3 by default\n"),
    (
        "src/harbour/more.py",
        'def f(a):\n    """Do.\n\n    :raises ValueError: if it is wrong.\n    """\n    a.parse()\n    raise TypeError(a)\n',
    ),
    ("src/harbour/more.js", "/**\n * Moor.\n * @param {object} The ship to moor\n */\nfunction moor(ship) {}\n"),
    # An exception that is raised in another case than the one told of, or that may be a kind of it.
    (
        "src/harbour/more.py",
        'def f(pier, berth):\n    """Do.\n\n    :raises ValueError: if the pier has no number.\n    """\n    if berth is None:\n        raise TypeError("which berth?")\n    return pier.parse(berth)\n',
    ),
    (
        "src/harbour/more.py",
        'from elsewhere import NoPier\n\n\ndef f(pier):\n    """Do.\n\n    :raises KeyError: if the pier is not in the harbour.\n    """\n    if pier not in HARBOUR:\n        raise NoPier("this pier is not in the harbour")\n    return load(pier)\n',
    ),
    (
        "src/harbour/more.py",
        'def f(pier):\n    """Raises `KeyError` if it isn\'t."""\n    if pier.is_open:\n        return load(pier)\n    raise ValueError("it isn\'t there yet")\n',
    ),
    # What some classes return, and others do not.
    (
        "src/harbour/more.py",
        'class Boat:\n    def is_afloat(self):\n        """Returns `True`."""\n        return False\n\n\nclass Yacht(Boat):\n    def is_afloat(self):\n        return True\n',
    ),
    ("src/harbour/more.py", 'def f(a):\n    """Returns `True` if it floats."""\n    return True, a\n'),
    ("src/harbour/more.py", 'def f(a) -> dict[str, int]:\n    """Return list of boats."""\n    return g(a)\n'),
    (
        "src/harbour/more.py",
        'def f(weight="weight"):\n    """Do.\n\n    :param weight: The key. Any weight that is not present defaults to 1.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'class Rope:\n    """A rope.\n\n    Attributes:\n        length (int): in metres. Defaults to 9.\n        knots: how many.\n    """\n\n    def __init__(self, knots=3):\n        self.knots = knots\n',
    ),
    # A module that takes all names of another, or makes some.
    ("docs/stars.md", "`harbour.stars.Ship` and `harbour.stars.Polaris` are there, `harbour.made.Vega` too.\n"),
    # The package's name, used for something else.
    ("docs/apps.md", "With `harbour = Ship()`, call `harbour.moor()` and look at `harbour.berth`.\n"),
    ("docs/options.md", "Any pier will do (the default, mostly), and a default of two is fine.\n"),
    # A member with more of its path, a time before now, the default of something else, one text for two.
    (
        "src/harbour/more.py",
        'class Flag(str, Enum):\n    BLUE = "blue"\n    RED = "red"\n\n\ndef f(flag=Flag.BLUE):\n    """Do.\n\n    :param flag: Defaults to `harbour.more.Flag.BLUE`.\n    """\n',
    ),
    ("src/harbour/more.py", 'def f(since="-30y"):\n    """Do.\n\n    :param since: Defaults to 30 years ago.\n    """\n'),
    (
        "src/harbour/more.py",
        'def f(wait=-1):\n    """Do.\n\n    :param wait: -1 means the default of `Ship` (default 30 seconds).\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(gap=64, block=256):\n    """Do.\n\n    Parameters\n    ----------\n    gap, block : int\n        How far apart. Default is 64. How long at most. Default is 256.\n    """\n',
    ),
    # Results in both cases, an integer, sentences where a type is expected.
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :returns:\n        True if it floats, otherwise False\n    """\n    if a:\n        return True\n    return False\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :returns: True if it floats, False otherwise\n    """\n    if a:\n        return True\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :returns: 1 if it floats, or else 0\n    """\n    return 1 if a else 0\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    Returns\n    -------\n    Returns True if it floats, False if not.\n    """\n    return bool(a)\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n    :param a: which.\n    :raises: `harbour.core.NoPier`\n    """\n    return a.moor()\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :rtype: True or False\n    """\n    return False\n'),
    ("docs/queues.md", "They wait in the `harbour.arriving` queue.\n"),
    # What is set on an object by a name from elsewhere, or left to the classes below; an interface without `self`.
    ("docs/berths.md", "`Berth.depth` and `Berth.width` are in metres.\n"),
    (
        "src/harbour/more.py",
        'class Hull:\n    def is_tight(self):\n        """Look.\n\n        Returns\n        -------\n        bool\n            Whether it is.\n        """\n        return None\n\n\nclass SteelHull(Hull):\n    def is_tight(self):\n        return True\n',
    ),
    ("src/harbour/more.py", 'class IPier(Interface):\n    def moor(ship):\n        """Moor it.\n\n        :param ship: which.\n        """\n'),
    ("docs/parts.md", "`harbour.parts.KEEL`, `harbour.parts.RUDDER` and `harbour.parts.Mast` are there.\n"),
    # Instructions, features, and flags of other programs.
    ("docs/adding.md", "Implement it in `src/harbour/pluginname.py`, as the others.\n"),
    ("docs/versions.md", "Harbour supports waiting for ships in Python 3.5 and above.\n"),
    ("docs/cli.md", "The versions that `harbour` is tested with need `nox` and its `--no-error` option.\n"),
    ("README.md", "Install harbour with the `--user` option.\n"),
    ("docs/block.md", "It says:\n\n    harbour is a tool - and a place\n    harbour --pier 3\n"),
    ("docs/versions.md", "Harbour needs Python >=3.9,<3.13 there.\n"),
    ("docs/cli.rst", ".. program:: ferry\n\n.. option:: --no-crews\n\n   Goes alone.\n"),
    ("src/harbour/more.py", 'def f(size=5):\n    """Do.\n\n    :param size: The default is 6 since 3.0.\n    """\n'),
    ("src/harbour/more.py", 'def f(a):\n    """It returned True before 2.0."""\n    return "yes"\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Returns True until version 3.0."""\n    return "yes"\n'),
    ("docs/tugs.rst", ".. class:: harbour.core.Tug(name[, power=800])\n"),
    ("src/harbour/more.py", 'def f(wait=5, rope=7):\n    """Do.\n\n    `wait` is how long it waits. `rope` is how much. Defaults to 7.\n    """\n'),
    ("docs/cli.md", "```bash\nharbour -h localhost\nharbour --no-pier\n```\n"),
    ("docs/tugs.md", "A tug has a `power` (`strength`, default `9`).\n"),
    (
        "src/harbour/more.py",
        'from harbour.errors import NoAnchor as HarbourNoAnchor\n\n\ndef f(a):\n    """Do.\n\n    :raises harbour.errors.NoAnchor: if lost.\n    """\n    raise HarbourNoAnchor(a)\n',
    ),
    ("src/harbour/more.py", 'from harbour import errors\n\n\ndef f(a):\n    """Do.\n\n    :raises harbour.errors.NoAnchor: if lost.\n    """\n    raise errors.NoAnchor.Builder(a).made()\n'),
    ("src/harbour/more.py", 'def f(join=""):\n    """Do.\n\n    Joins with the given `join` (default `join=""`).\n    """\n'),
    ("src/harbour/more.py", 'def f(rope=3):\n    """Do.\n\n    :param rope: how much (default `rope=3`).\n    """\n'),
    ("docs/api.rst", ".. module:: harbour.core\n\n.. autoclass:: Ship\n\n   .. attribute:: berth\n\n.. attribute:: tide_table\n"),
    ("docs/so.md", "It is `harbour.whatever` that you like.\n"),
    ("docs/heading.md", "[so](#android)\n\n## Android {: android}\n"),
    ("docs/others.md", "It is like Ferry's `--no-crews` flag, with harbour.\n"),
    ("docs/adding.md", "Remove `src/harbour/pier_XYZ.py` then.\n"),
    (
        "src/harbour/more.py",
        'def f(sort, target, **kwargs):\n    """Do.\n\n    :param source: from where.\n    :param target: where to.\n    """\n',
    ),
    # A message that begins with a flag is not one that declares it; one of another program is none of ours.
    ("docs/cli.md", "The `--no-crew` option tells harbour to go alone, as `--alone` does for other tools such as git.\n"),
    ("docs/paths.md", "For example, write it to `docs/gone_by.py`.\n"),
    # Some of it needs a newer version than the whole does.
    ("docs/install.md", "Pattern matching features require Python 3.13+.\n"),
    ("docs/install.md", "It is on, which requires Harbour to read the text on Python 3.13+.\n"),
    ("docs/options.md", "`--pier` tells which. Under Windows, it defaults to 5.\n"),
    ("docs/shells.md", "```bash\nharbour --print-completion bash --fast --slow\n```\n"),
    # Lines that end as on Windows, and an option that is broken at the end of its line.
    ("docs/windows.md", "[all](#the-ships)\r\n\r\nThe ships\r\n---------\r\n\r\nMany.\r\n"),
    ("docs/man.rst", "--fast      hurry; the same as --pi-\n            er=2, says harbour\n"),
    ("docs/translating.md", "Then open `harbour.po` and translate.\n"),
    (
        "src/harbour/more.py",
        'def f(kind, **more):\n    """Do.\n\n    :raises TypeError: if there is more than it takes.\n    """\n    if not kind:\n        raise ValueError("no kind")\n    factory = kinds[kind]\n    return factory(**more)\n',
    ),
]  # fmt: skip

MISTAKES = [
    (
        "src/harbour/more.py",
        'def f(source_text, target, **kwargs):\n    """Do.\n\n    :param source: from where.\n    :param target: where to.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(most=1, deep=True):\n    """Do, with `most` at most, and with the optional `deep` argument (default= `False`), all of it."""\n',
    ),
    ("src/harbour/more.py", 'def f(rope=3):\n    """Do.\n\n    :param rope: how much (default `rope=4`).\n    """\n'),
    ("src/harbour/more.py", 'def f(end=")"):\n    """Do.\n\n    :param end: how it closes (default `"]"`).\n    """\n'),
    ("src/harbour/more.py", 'def f(username="anchor"):\n    """Do.\n\n    :param username: Defaults to "mast".\n    """\n'),
    ("docs/tugs.rst", ".. class:: harbour.core.Tug(name[, power=900])\n"),
    ("src/harbour/more.py", 'def f(wait=5, rope=2):\n    """Do.\n\n    `rope` is how much. `wait` is how long it waits. Defaults to 7.\n    """\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Returns True if it was moved, False otherwise."""\n    if a:\n        return "yes"\n    return False\n'),
    (
        "src/harbour/more.py",
        'class NoRope(Exception):\n    pass\n\n\ndef f(a):\n    """Tie it. Raises `NoRope` if the rope has been cut."""\n    if a.is_cut:\n        raise ValueError("the rope is cut")\n',
    ),
    ("docs/cli.rst", ".. program:: harbour\n\n.. option:: --no-crews\n\n   Goes alone.\n"),
    ("docs/tugs.rst", ".. class:: harbour.core.Tug(name, power=900, **kwargs):\n"),
    ("src/harbour/more.py", 'def f(size=5):\n    """Do.\n\n    :param size: The default is 6, which will do for most.\n    """\n'),
    ("docs/versions.md", "Harbour requires Python 3.9 or newer, and can be installed at once.\n"),
    ("docs/block.md", "So it goes alone:\n\n    harbour ~/sea --no-crews now\n"),
    ("docs/variables.md", "Set this:\n\n    HARBOUR_PIERS=3\n"),
    ("src/harbour/more.py", 'def f(a) -> bool:\n    """Do.\n\n    :returns:\n        True if it floats, otherwise False\n    """\n    if a:\n        return "yes"\n    return False\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :returns: True if it floats, False otherwise\n    """\n    if a:\n        return True\n    return "no"\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Returns True if it floats, and None otherwise."""\n    if a:\n        return True\n    return "no"\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    :returns: 1 if it floats, or else 0\n    """\n    if a:\n        return None\n    return 0\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    Returns\n    -------\n    Returns True if it floats, False if not.\n    """\n    if a:\n        return "yes"\n    return False\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do it\n    with a rope.\n    :param b: which.\n    """\n    return a\n'),
    ("src/harbour/more.py", 'class NoQuay(Exception):\n    pass\n\n\ndef f(a):\n    """Do.\n\n    :raises: :class:`harbour.more.NoQuay`\n    """\n    if not a:\n        raise ValueError(a)\n    return a\n'),
    ("src/harbour/more.py", 'def f(a):\n    """Do.\n\n    Raises:\n        (TypeError): if it is no ship.\n    """\n    if not a:\n        raise ValueError("no ship")\n    return a\n'),
    ("src/harbour/more.py", 'def f(deep=False):\n    """Do.\n\n    :param deep: how far it goes.\n        default True\n    """\n'),
    ("docs/cli.md", "```console\nusage: harbour [-h] [-p PIER]\n\n  -p PIER, --piers PIER\n                        which one\n```\n"),
    ("docs/guide.md", "The `--no-crews` option tells harbour to go alone.\n"),
    ("docs/paths.md", "It is for reading and writing. See `docs/gone_by.py` for an example.\n"),
    ("docs/paths.md", "```bash\ncat docs/gone_by.py | harbour -\n```\n"),
    (
        "src/harbour/more.py",
        'class Flag(str, Enum):\n    BLUE = "blue"\n    RED = "red"\n\n\ndef f(flag=Flag.BLUE):\n    """Do.\n\n    :param flag: Defaults to `harbour.more.Flag.RED`.\n    """\n',
    ),
    ("docs/ships.md", "`Ship.moorage` lists them.\n"),
    ("docs/api.md", "```{eval-rst}\n.. module:: harbour.core\n\n.. autofunction:: depart\n```\n"),
    ("docs/signals.md", "`harbour.signals.arrivals` is there too.\n"),
    ("docs/cargo.md", "`Cargo.height` is in metres.\n"),
    ("docs/versions.md", "Harbour requires Python 3.9 or newer.\n"),
    ("docs/install.md", "- Python 3.9+\n"),
    ("README.md", "```bash\nnpm start\n```\n"),
    ("docs/types.md", "[all](#ships)\n\n## cargo.Cargo<T>\n"),
    ("docs/workers.md", "`WORKER` is `harbour.core.Docker`.\n"),
    ("docs/ships.md", "A `Ship` takes:\n\n- `name`: its name\n- `tonnage`: how much (default `700`)\n"),
    (
        "docs/ships.md",
        "```python\nShip(name='x')\n```\n\n- `name`: its name\n- **`tonnage`** (int, default 700)\n",
    ),
    ("docs/ships.rst", ".. class:: harbour.core.Tug(name, power=900, **kwargs)\n"),
    (
        "src/harbour/more.py",
        'def f(keep=False):\n    """Do.\n\n    Keyword Arguments:\n        keep {bool} -- Keep it (default: {True})\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(a):\n    """Do.\n\n    :raises: ValueError if it is wrong.\n    """\n    raise TypeError(a)\n',
    ),
    (
        "src/harbour/more.py",
        'def f(weights, *parts):\n    """Do.\n\n    :param weight: of each.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(a, b):\n    """Do.\n\n    :raises KeyError: if it is not there.\n    """\n    if b not in a:\n        raise TypeError(b)\n',
    ),
    ("README.md", "```sh\npython src/harbour/start.py --now\n```\n"),
    ("README.md", "```sh\npython -m unittest tests/test_tides.py\n```\n"),
    ("docs/pictures.rst", ".. image:: bow.png\n   :alt: The bow\n"),
    ("src/harbour/more.py", 'def f(a):\n    """Returns `True`."""\n    return False\n'),
    (
        "src/harbour/more.py",
        'def f(mode=0o777):\n    """Do.\n\n    :param mode: The default is 0755 (octal).\n    """\n',
    ),
    ("docs/settings.md", "`DEEP_WATER` is `False`.\n"),
    ("docs/split.md", "`harbour.core.sink()` returns `True`, and raises nothing when it is calm.\n"),
    (
        "src/harbour/more.py",
        'def f(kind="utf-8"):\n    """Do it, whichever `kind` (which defaults to \'latin-1\') it is."""\n',
    ),
    (
        "src/harbour/more.py",
        'def f(check=True):\n    """Do.\n\n    :param check: Whether it is looked at if it fits. defaults to `False`.\n    """\n',
    ),
    ("README.md", "`HARBOUR_PIERS` names them.\n"),
    # Only a test knows them.
    ("README.md", "`HARBOUR_PIER_NO` names them.\n"),
    ("README.md", "```sh\nharbour --cranes 3\n```\n"),
    ("README.md", "- Support for Python 3.9+\n"),
    ("docs/api.rst", ".. module:: harbour.signals\n\n.. function:: wave()\n"),
    ("docs/options.md", "`--tide` is `low` by default.\n"),
    (
        "docs/man.rst",
        "--pier\n    Where.\n\n--fast\n    Fast.\n\n--slow\n    Slow.\n\n--depth\n    Deep.\n",
    ),
    ("docs/options.md", "- `-p` or `--pier <number of the pier>`: defaults to 5.\n"),
    (
        "docs/help.md",
        "```\n  --pier INTEGER  Pier.  [default: 5]\n  --fast          Fast.\n  --slow          Slow.\n```\n",
    ),
    (
        "src/harbour/more.py",
        'def f(a):\n    """Do.\n\n    :raises ValueError: if it is wrong.\n    """\n    a.strike()\n    raise TypeError(a)\n',
    ),
    # Another exception in the very case that is told of, whatever else is called.
    (
        "src/harbour/more.py",
        'def f(pier, berth):\n    """Do.\n\n    :raises ValueError: if the berth is not at the pier.\n    """\n    found = pier.parse(berth)\n    if berth not in found:\n        raise TypeError(f"{berth} is not at this pier")\n    return int(found)\n',
    ),
    (
        "src/harbour/more.py",
        'def f(queue):\n    """Takes one.\n\n    Raises:\n        IndexError: When the queue is empty.\n    """\n    try:\n        return load(queue)\n    except Empty:\n        raise RuntimeError("take from an empty queue") from None\n',
    ),
    (
        "src/harbour/more.py",
        'class Boat:\n    def is_afloat(self):\n        """Returns `True` if it floats."""\n        return "yes"\n\n\nclass Yacht(Boat):\n    def is_afloat(self):\n        return True\n',
    ),
    ("src/harbour/more.py", 'def f(a) -> dict[str, int]:\n    """Return a list of boats."""\n    return g(a)\n'),
    (
        "src/harbour/more.py",
        'def f(text, kind="utf-8"):\n    """A `text` in the `kind` (which defaults to \'latin-1\')."""\n',
    ),
    (
        "src/harbour/more.py",
        'def f(blank=False):\n    """Do.\n\n    :param blank: Show blanks if it is set (default=``True``)\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(over=True):\n    """Do.\n\n    Args:\n        over: put it on top if False (default) else below\n    """\n',
    ),
    ("src/harbour/more.py", 'def f(quote=True):\n    """Do. If quote is False (default), it is left."""\n'),
    (
        "src/harbour/more.py",
        'def f(deep=False):\n    """Do.\n\n    Example::\n\n        @harbour.route("/")\n        @cached\n        def g(): ...\n\n    :param deep: Default True. If set, look.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'from dataclasses import dataclass\n\n\n@dataclass\nclass Rope:\n    """A rope.\n\n    Attributes:\n        length (int): in metres. Defaults to 9.\n    """\n\n    length: int = 8\n',
    ),
    (
        "src/harbour/more.py",
        ('def f(mode):\n    """Read it.\n\n    Raises ``ValueError`` for anything else, so that it fails loudly.\n    """\n'
        "    try:\n        return Mode(mode)\n    except (KeyError, ValueError) as error:\n        modes = list(Mode)\n        raise RuntimeError(modes) from error\n"),
    ),
    (
        "src/harbour/more.py",
        'def f(kind):\n    """Check it. Raise :exc:`TypeError` otherwise."""\n    if not isinstance(kind, str):\n        raise ValueError("it must be a text")\n    validate(kind)\n    return True\n',
    ),
    ("docs/stars.md", "`harbour.stars.Sirius` is not among them.\n"),
    ("docs/api.md", "```{currentmodule} harbour.core\n```\n\n```{eval-rst}\n.. autofunction:: depart\n```\n"),
    ("docs/api.md", "```{autofunction} harbour.signals.depart\n```\n"),
    ("docs/ships.md", "The `tonnage` of `Ship` defaults to `700`.\n"),
    ("docs/ships.md", "The `power` argument of `harbour.core.Tug` defaults to 900.\n"),
    # A function of the package, whose name is given to nothing else.
    ("docs/functions.md", "Call `harbour.unload()` at the end.\n"),
    ("docs/options.md", "The `--pier` option says which (the default `5`, by the gate).\n"),
    (
        "src/harbour/more.py",
        'def f(deep=True):\n    """Do.\n\n    :param deep: when at its default of False, it is shallow.\n    """\n',
    ),
    (
        "src/harbour/more.py",
        'def f(berth):\n    """Do.\n\n    :raises ValueError: if the berth is not at the pier.\n    """\n    found = load(berth)\n    if not found:\n        msg = (\n            "the berth is at no pier"\n        )\n        raise TypeError(msg)\n    return int(found)\n',
    ),
    (
        "src/harbour/more.py",
        'def f(rope):\n    """Cut it.\n\n    >>> f(1)\n    Traceback (most recent call last):\n        ...\n    ValueError: the rope is too short\n\n    :raises TypeError: if the rope is too short\n    """\n    rope.strike()\n    if rope.length < 2:\n        raise ValueError("the rope is too short")\n    return parse(rope)\n',
    ),
    (
        "src/harbour/more.py",
        'class Knot:\n    """A knot.\n\n    Raises:\n        TypeError: The rope is too short for a knot.\n    """\n\n    def __init__(self, rope):\n        if rope.length < 2:\n            raise ValueError("this rope is too short for any knot")\n        self.rope = parse(rope)\n',
    ),
    ("docs/options.md", "Pass `--fasts`, which can be used to hurry harbour along.\n"),
    ("docs/options.md", "With `--fasts`, harbour will print nothing.\n"),
    ("docs/usage_line.md", "```\nusage: harbour [-h] [--tide TIDE] [--fast | --slowly]\n               [--pier PIER] HARBOUR\n```\n"),
    (
        "src/harbour/more.py",
        'def f(deep=True):\n    """Do.\n\n    :param deep: Whether it goes deep. ``False`` by default.\n    """\n',
    ),
    ("docs/prompts.rst", ".. prompt:: bash $\n\n   harbour --fasts --slow\n"),
]  # fmt: skip


def _numbered(number: int, path: str) -> str:
    """A path of its own for each case."""
    stem, _, suffix = path.rpartition(".")
    return f"{stem}_{number}.{suffix}"


CASES = {_numbered(number, path): text for number, (path, text) in enumerate(NO_MISTAKES + MISTAKES)}


@pytest.fixture(scope="module")
def refuted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is refuted of each document, with all of them in one project."""
    return refuted_in(tmp_path_factory.mktemp("harbour"), PROJECT, CASES)


@pytest.mark.parametrize("path", list(CASES)[: len(NO_MISTAKES)])
def test_what_is_no_mistake(refuted: dict[str, list[str]], path: str) -> None:
    assert refuted[path] == [], CASES[path]


@pytest.mark.parametrize("path", list(CASES)[len(NO_MISTAKES) :])
def test_what_is_one(refuted: dict[str, list[str]], path: str) -> None:
    assert len(refuted[path]) == 1, CASES[path]


def test_a_project_of_one_module(tmp_path: Path) -> None:
    project = {"setup.py": "", "mast.py": "def hoist():\n    pass\n", "tests/__init__.py": ""}
    document = {"README.md": "Call `mast.hoist()` or `mast.lower()`.\n"}
    assert refuted_in(tmp_path, project, document) == {"README.md": ["mast has no `lower` (mast.py)."]}


def test_a_module_of_the_same_name_as_its_package(tmp_path: Path) -> None:
    project = {
        "mast/__init__.py": "from mast.mast import hoist\n",
        "mast/mast.py": "def hoist():\n    pass\n",
    }
    document = {
        "docs/api.rst": ".. currentmodule:: mast\n\n.. autofunction:: mast.hoist\n\n.. autofunction:: mast.lower\n"
    }
    assert refuted_in(tmp_path, project, document) == {
        "docs/api.rst": ["mast has no `lower` (mast/__init__.py)."]
    }


def test_the_only_variable_of_a_package_without_a_command(tmp_path: Path) -> None:
    project = {
        "mast/__init__.py": 'import os\n\nHOISTED = os.environ.get("MAST_HOISTED_NOW")\n\n\ndef hoist():\n    pass\n'
    }
    document = {"README.md": "Set `MAST_HOISTED` to hoist it.\n"}
    (reason,) = refuted_in(tmp_path, project, document)["README.md"]
    assert reason.startswith("Nothing reads MAST_HOISTED; MAST_HOISTED_NOW is")


def test_one_program_whose_options_are_known_beside_one_whose_are_not(tmp_path: Path) -> None:
    options = "".join(
        f"parser.add_argument('--{name}')\n" for name in ("deep", "fast", "slow", "tall", "wide")
    )
    project = {
        "pyproject.toml": '[project]\nname = "mast"\n[project.scripts]\nmast = "mast.cli:main"\nmast-diff = "other:main"\n',
        "mast/__init__.py": "",
        "mast/cli.py": f"import argparse\n\nparser = argparse.ArgumentParser()\n{options}",
    }
    known = "mast --deep --fast --slow --tall --wider"
    document = {"README.md": f"```bash\n{known}\nmast-diff --red --green --blue --grey\n```\n"}
    assert refuted_in(tmp_path, project, document) == {
        "README.md": ["`mast` has no option --wider; --wide is the closest (mast/cli.py:8)."]
    }


def test_the_metadata_of_a_package_is_no_code(tmp_path: Path) -> None:
    project = {
        "pyproject.toml": '[project]\nname = "mast"\n[project.scripts]\nmast = "mast.cli:main"\n',
        "PKG-INFO": "Pass `--wider` to `mast`.\n",
        "mast/__init__.py": "",
        "mast/cli.py": "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--wide')\n",
    }
    assert len(refuted_in(tmp_path, project, {"README.md": "```bash\nmast --wider\n```\n"})["README.md"]) == 1


def test_the_initialiser_of_another_class_raises_nothing_here(tmp_path: Path) -> None:
    project = {
        "mast/__init__.py": "",
        "mast/errors.py": "class Broken(Exception):\n    pass\n",
        "mast/rope.py": (
            "from mast.errors import Broken\n\n\nclass Rope:\n    def __init__(self):\n        raise Broken\n\n\nclass Base:\n"
            '    def __init__(self):\n        self.a = 1\n\n\nclass Sail(Base):\n    def __init__(self):\n        """Make it.\n\n'
            '        :raises Broken: when torn.\n        """\n        super().__init__()\n        raise ValueError("torn")\n'
        ),
    }
    (reason,) = refuted_in(tmp_path, project, {"mast/rope.py": project["mast/rope.py"]})["mast/rope.py"]
    assert "raises `ValueError`" in reason


def test_a_flag_that_only_messages_speak_of(tmp_path: Path) -> None:
    project = {
        "setup.py": 'setup(name="mast", entry_points="""\n    [console_scripts]\n    mast = mast.cli:main\n""")\n',
        "mast/__init__.py": "",
        "mast/cli.py": (
            "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('-w', '--wide')\n"
            "parser.error('--wider and --tall are mutually exclusive')\nparser.error('-w/--wider was given twice')\n"
            "parser.error('unless the \"--wider\" option is used')\nSETTINGS = {'wider': 3}\n\n\n@cached\ndef sail(wider):\n    return wider\n"
        ),
    }
    assert refuted_in(tmp_path, project, {"README.md": "```bash\nmast --wider\n```\n"}) == {
        "README.md": ["`mast` has no option --wider; --wide is the closest (mast/cli.py:4)."]
    }


def test_flags_of_the_program_that_a_document_is_called_after(tmp_path: Path) -> None:
    options = "".join(f"parser.add_argument('--{name}')\n" for name in ("deep", "fast", "slow", "wide-one"))
    project = {
        "pyproject.toml": '[project]\nname = "mast"\n[project.scripts]\nhoist = "mast.cli:main"\nlower = "mast.cli:main"\n',
        "mast/__init__.py": "",
        "mast/cli.py": f"import argparse\n\nparser = argparse.ArgumentParser()\n{options}",
    }
    listed = "".join(f"--{name}\n    So it is.\n\n" for name in ("deep", "fast", "slow", "wide"))
    assert refuted_in(tmp_path, project, {"docs/man/hoist.rst": listed}) == {
        "docs/man/hoist.rst": ["`hoist` has no option --wide; --wide-one is the closest (mast/cli.py:7)."]
    }


def test_an_option_that_argparse_takes_by_its_beginning(tmp_path: Path) -> None:
    project = {
        "pyproject.toml": '[project]\nname = "mast"\n[project.scripts]\nmast = "mast.cli:main"\n',
        "mast/__init__.py": "",
        "mast/cli.py": "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--ropes')\n",
    }
    typed, told = "```bash\nmast --rope 3\n```\n", "The `--rope` option tells mast how many.\n"
    found = refuted_in(tmp_path, project, {"README.md": typed, "docs/told.md": told})
    assert found == {
        "README.md": [],
        "docs/told.md": ["`mast` has no option --rope; --ropes is the closest (mast/cli.py:4)."],
    }


SAIL = {
    "pyproject.toml": '[project]\nname = "sail"\n[project.scripts]\nsail = "sail.cli:main"\n',
    "sail/__init__.py": "",
    "sail/cli.py": (
        "import argparse\nimport os\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--canvas')\n"
        "parser.add_argument('--boom')\nparser.add_argument('--jib')\nparser.add_argument('rest', nargs=argparse.REMAINDER)\n"
        "LOG = os.getenv('SAIL_LOG_FILE')\n"
    ),
}
"""A small program."""


def test_a_manifest_among_the_documents_makes_no_project_of_them(tmp_path: Path) -> None:
    project = {**SAIL, "docs/package.json": '{"name": "pages", "scripts": {"build": "vite"}}'}
    found = refuted_in(tmp_path, project, {"docs/guide.md": "Set `SAIL_LOGFILE`.\n"})
    assert found == {"docs/guide.md": ["Nothing reads SAIL_LOGFILE; SAIL_LOG_FILE is (sail/cli.py:9)."]}


def test_variables_of_the_terminal_and_of_others(tmp_path: Path) -> None:
    document = (
        '```bash\nexport SAIL_LOGFILE="a log; or two"\n```\n\n`$SHIP_NAME` and `$SHIP_KIND` are anyone\'s.\n'
    )
    found = refuted_in(tmp_path, SAIL, {"README.md": document})
    assert found == {"README.md": ["Nothing reads SAIL_LOGFILE; SAIL_LOG_FILE is (sail/cli.py:9)."]}


def test_variables_that_a_project_reads_in_ways_of_its_own(tmp_path: Path) -> None:
    read = (
        "from sail.reading import Option, env_flag\n\nDEPTH_ENV = 'SAIL_DEPTH_NOW'\nDEEP = env_flag('SAIL_IS_DEEP')\n"
        "HIGH = Option('--high', env_var='SAIL_IS_HIGH')\nWIDE = Option('--wide', env_vars=['SAIL_IS_WIDE', 'SAIL_WIDE'])\n\n\n"
        "def start(env):\n    return env.get('SAIL_START_AT', 'noon'), env['SAIL_END_AT']\n"
    )
    names = "DEPTH_NOW IS_DEEP IS_HIGH IS_WIDE WIDE START_AT END_AT LOG_FILE".split()
    there = "".join(f"`SAIL_{name}` is read.\n\n" for name in names)
    gone = "`SAIL_IS_DEEPER` is read. `SAIL_START_AT` defaults to `night`.\n"
    documents = {"README.md": there, "docs/gone.md": gone}
    assert refuted_in(tmp_path, {**SAIL, "sail/start.py": read}, documents) == {
        "README.md": [],
        "docs/gone.md": [
            "Nothing reads SAIL_IS_DEEPER; SAIL_IS_DEEP is (sail/start.py:4).",
            "`SAIL_START_AT` defaults to 'noon' (sail/start.py:10), not night.",
        ],
    }


def test_a_variable_that_only_texts_speak_of(tmp_path: Path) -> None:
    told = '"""Set SAIL_LOGFILE."""\n\n# SAIL_LOGFILE is for logs.\nHELP = "Where to, as in SAIL_LOGFILE"\n'
    project = {**SAIL, "sail/told.py": told, "changelog.yaml": "- `SAIL_LOGFILE` is new\n"}
    assert len(refuted_in(tmp_path, project, {"README.md": "Set `SAIL_LOGFILE`.\n"})["README.md"]) == 1


def test_a_variable_that_code_names_somehow(tmp_path: Path) -> None:
    for number, code in enumerate(
        (
            "KEYS = 'SAIL_LOGS SAIL_LOGFILE'.split()\n",
            "class SAIL_LOGFILE:\n    pass\n",
            "f(SAIL_LOGFILE=1)\n",
        )
    ):
        project = {**SAIL, "sail/named.py": code}
        found = refuted_in(tmp_path / str(number), project, {"README.md": "Set `SAIL_LOGFILE`.\n"})
        assert found == {"README.md": []}, code


def test_flags_that_a_terminal_shows_to_be_the_documents_own(tmp_path: Path) -> None:
    shown = (
        "```bash\nsail --canvas white --boom 3 --jib 2\n```\n\nWithout the `--jibs` option there is none.\n"
    )
    found = refuted_in(tmp_path, SAIL, {"README.md": shown})
    assert found == {"README.md": ["`sail` has no option --jibs; --jib is the closest (sail/cli.py:7)."]}


def test_a_flag_that_may_be_anothers(tmp_path: Path) -> None:
    shown = "```bash\nsail --canvas white --boom 3 --jib 2\n```\n\n"
    documents = {
        "docs/one.md": f"{shown}Install it with *pip*. Combine that with `--booms` to renew it.\n",
        "docs/two.md": f"{shown}```bash\nrigging up\n```\n\nCombine that with `--booms` to renew it.\n",
        # Nothing like it, and few that are known.
        "docs/three.md": "Pass `--canvas`, or see what `--keelhaul` does.\n",
    }
    assert refuted_in(tmp_path, SAIL, documents) == {path: [] for path in documents}


def test_a_flag_like_an_option_where_few_are_told(tmp_path: Path) -> None:
    documents = {"docs/one.md": "Pass `--canvas`, or see what `--new-boom` does.\n"}
    (reason,) = refuted_in(tmp_path, SAIL, documents)["docs/one.md"]
    assert reason.startswith("`sail` has no option --new-boom; --boom is the closest")


def test_a_listed_option_is_not_passed_on_to_others(tmp_path: Path) -> None:
    listed = "```\nusage: sail [options]\n\n  --canvas COLOUR  which\n  --boom LENGTH    how long\n  --keelhaul       punish\n```\n"
    found = refuted_in(tmp_path, SAIL, {"docs/three.md": listed})
    assert found == {"docs/three.md": ["`sail` has no option --keelhaul (sail/cli.py:5)."]}


def test_neither_pages_nor_tests_declare_options(tmp_path: Path) -> None:
    project = {
        **SAIL,
        "sail/static/page.js": "send({'kind': 'keelhaul'});\n",
        "tests.py": "run(['--keelhaul'])\n",
    }
    document = {"README.md": "```bash\nsail --canvas --boom --jib --keelhaul\n```\n"}
    (reason,) = refuted_in(
        tmp_path, {**project, "sail/cli.py": SAIL["sail/cli.py"].replace("REMAINDER", "ONE")}, document
    )["README.md"]
    assert "no option --keelhaul" in reason


def test_defaults_under_a_heading_that_is_the_option(tmp_path: Path) -> None:
    cli = (
        SAIL["sail/cli.py"]
        .replace("'--boom'", "'--boom', default=3")
        .replace("'SAIL_LOG_FILE'", "'SAIL_LOG_FILE', 'a.log'")
    )
    documents = {
        "docs/one.md": "## `--boom`\n\nHow long it is. Defaults to 4.\n",
        "docs/two.md": "## `SAIL_LOG_FILE`\n\nWhere to. Defaults to `b.log`.\n",
        "docs/three.md": "## `--boom`\n\nAs for `--jib`, that is short. Defaults to 4.\n",
        "docs/four.md": "## `--boom`\n\nHow long it is. Defaults to 3.\n",
    }
    assert refuted_in(tmp_path, {**SAIL, "sail/cli.py": cli}, documents) == {
        "docs/one.md": ["`--boom` defaults to 3 (sail/cli.py:6), not 4."],
        "docs/two.md": ["`SAIL_LOG_FILE` defaults to 'a.log' (sail/cli.py:9), not b.log."],
        "docs/three.md": [],
        "docs/four.md": [],
    }


def test_variables_that_do_not_bear_the_projects_name(tmp_path: Path) -> None:
    project = {
        **SAIL,
        "sail/rope.py": "import os\n\nURL = os.getenv('ROPE_URL')\nKEY = os.getenv('AWS_KEY_A', os.getenv('AWS_KEY_B'))\n",
    }
    documents = {
        "docs/one.md": "Set the `ROPE_NEW_URL` environment variable.\n",
        # A library may read it, or it is no variable at all.
        "docs/two.md": "Set the environment variable `AWS_KEY_C`, or `$AWS_KEY_D`.\n",
        "docs/three.md": "There is a `ROPE_NEW_URL` in each of them.\n",
    }
    assert refuted_in(tmp_path, project, documents) == {
        "docs/one.md": ["Nothing reads ROPE_NEW_URL; ROPE_URL is (sail/rope.py:3)."],
        "docs/two.md": [],
        "docs/three.md": [],
    }


def test_options_that_are_made_of_lists(tmp_path: Path) -> None:
    listed = (
        "import click\n\nFILTERS = [click.Option(['--since', '-s']), click.Option(['--until'], default=5)]\n"
    )
    shown = "```bash\nsail --canvas --boom --since 3 --until 4\n```\n\n`--until` defaults to 6.\n"
    found = refuted_in(tmp_path, {**SAIL, "sail/filters.py": listed}, {"README.md": shown})
    assert found == {"README.md": ["`--until` defaults to 5 (sail/filters.py:3), not 6."]}


def test_a_flag_with_a_value_to_be_put_in(tmp_path: Path) -> None:
    found = refuted_in(tmp_path, SAIL, {"README.md": "Give sail `--jibs your-jib`.\n"})
    assert found == {"README.md": ["`sail` has no option --jibs; --jib is the closest (sail/cli.py:7)."]}


def test_a_picture_in_a_folder_of_examples(tmp_path: Path) -> None:
    project = {**SAIL, "example/sail.png": ""}
    found = refuted_in(tmp_path, project, {"README.md": "![a](example/sail.png) ![b](example/mast.png)\n"})
    assert found == {"README.md": ["There is no example/mast.png."]}


def test_keys_of_a_file_that_configparser_reads(tmp_path: Path) -> None:
    read = (
        "def read(parser):\n"
        "    return parser.getint('rope', 'backups', fallback=10), parser.get('rope', 'knot', fallback='reef')\n"
    )
    documents = {
        "docs/one.rst": "``backups``\n-----------\n\nHow many are kept.\n\n*Default*: 12\n",
        "docs/two.md": "| Setting | Default |\n|---|---|\n| `knot` | `bowline` |\n| `backups` | 10 |\n",
        "docs/three.md": "## `backups`\n\nHow many are kept.\n\n**Default:** `10`\n",
    }
    assert refuted_in(tmp_path, {**SAIL, "sail/rope.py": read}, documents) == {
        "docs/one.rst": ["`backups` defaults to 10 (sail/rope.py:2), not 12."],
        "docs/two.md": ["`knot` defaults to 'reef' (sail/rope.py:2), not bowline."],
        "docs/three.md": [],
    }


def test_what_a_property_says_of_the_default_of_its_class(tmp_path: Path) -> None:
    text = '''class Flag:
    def __init__(self, colour="red", size=3):
        self._colour, self._size = colour, size

    @property
    def colour(self):
        """What it looks like. Defaults to `"blue"`."""
        return self._colour

    @property
    def size(self):
        """How large it is. Defaults to 3."""
        return self._size

    def wave(self):
        """Waves it. Defaults to 7."""
'''
    assert refuted_in(tmp_path, SAIL, {"sail/flag.py": text}) == {
        "sail/flag.py": ['`colour` of `Flag` defaults to "red" (sail/flag.py:2), not blue.']
    }


def test_a_project_that_is_said_to_be_made_for_a_version(tmp_path: Path) -> None:
    project = {**SAIL, "pyproject.toml": '[project]\nname = "sail"\nrequires-python = ">=3.11"\n'}
    documents = {
        "README.md": "Sail is a **Python 3.9+** toolkit for boats.\n",
        "docs/index.md": "Sail is a fast Python 3.11+ toolkit for boats.\n",
        "docs/install.md": "There is a Python 3.9+ wheel of Rope, which is a Python 3.9+ library.\n",
    }
    assert refuted_in(tmp_path, project, documents) == {
        "README.md": ["`python` is required as >=3.11 (pyproject.toml:3), not 3.9."],
        "docs/index.md": [],
        "docs/install.md": [],
    }


def test_what_happened_in_a_case_is_not_what_happened_to_the_name(tmp_path: Path) -> None:
    documents = {
        "docs/one.md": "It is made anew if the rope no longer fits (see `SAIL_LOG_FILES`).\n",
        "docs/two.md": "When the file could not be read, `SAIL_LOG_FILES` counts.\n",
        "docs/three.md": "`SAIL_LOG_FILES` is no longer read.\n",
        "docs/four.md": "If `SAIL_LOG_FILES` was removed, nothing is written.\n",
        "docs/five.md": "It replaces the previous `SAIL_LOG_FILES`.\n",
        "docs/mast-plan.md": "`SAIL_LOG_FILES` says where to.\n",
    }
    missing = ["Nothing reads SAIL_LOG_FILES; SAIL_LOG_FILE is (sail/cli.py:9)."]
    assert refuted_in(tmp_path, SAIL, documents) == {
        "docs/one.md": missing,
        "docs/two.md": missing,
        "docs/three.md": [],
        "docs/four.md": [],
        "docs/five.md": [],
        "docs/mast-plan.md": [],
    }


def test_a_function_of_a_class_that_is_made_static_behind_it(tmp_path: Path) -> None:
    hooks = (
        "class Hook:\n    def on_tack(boat, wind):\n        pass\n    default = staticmethod(on_tack)\n\n"
        "    def on_jibe(self, wind):\n        pass\n"
    )
    documents = {
        "docs/one.md": "- `on_tack(boat, wind)` - called when it tacks\n",
        "docs/two.md": "- `on_jibe(boat, wind)` - called when it jibes\n",
    }
    found = refuted_in(tmp_path, {**SAIL, "sail/hooks.py": hooks}, documents)
    assert found == {
        "docs/one.md": [],
        "docs/two.md": ["`on_jibe` has no parameter `boat` (sail/hooks.py:6)."],
    }


def test_links_to_the_projects_own_files_on_a_host_of_code(tmp_path: Path) -> None:
    project = {
        **SAIL,
        "pyproject.toml": '[project]\nname = "sail-boat"\nversion = "1.0"\n',
        "docs/knots.md": "# Knots\n",
        "docs/guide/ropes.md": "# Ropes\n",
    }
    host = "https://github.com/harbour/sail-boat"
    documents = {
        "docs/one.md": f"[knots]({host}/blob/main/docs/knots.md#reef)\n",
        "docs/two.md": f"[knots]({host}/blob/main/docs/knot.md)\n",
        "docs/three.md": f"[ropes]({host}/blob/master/docs/ropes.md)\n",
        "docs/four.md": "![ropes](https://raw.githubusercontent.com/harbour/sail_boat/main/docs/rope.png)\n",
        # Another version, another project, and what a package may have been made without.
        "docs/five.md": f"[a]({host}/blob/v1.0/docs/knot.md) [b](https://github.com/harbour/oar/blob/main/docs/knot.md) "
        f"[c]({host}/blob/main/CONTRIBUTING.md) [d]({host}/tree/main/.github/hooks)\n",
    }
    assert refuted_in(tmp_path, project, documents) == {
        "docs/one.md": [],
        "docs/two.md": ["There is no docs/knot.md."],
        "docs/three.md": ["There is no docs/ropes.md; docs/guide/ropes.md is."],
        "docs/four.md": ["There is no docs/rope.png."],
        "docs/five.md": [],
    }


_CLICK = """import click


@click.group()
def main():
    pass


@main.command()
def add():
    pass


@main.command()
def show():
    pass
"""
_TILL = '[project]\nname = "till"\nversion = "1.0"\n[project.scripts]\ntill = "till.cli:main"\n'


@pytest.mark.parametrize(
    ("cli", "number", "reasons"),
    [
        (_CLICK, 2, []),
        (_CLICK, 3, ["Commands: 2 (till/cli.py:10), not 3."]),
        (
            "for name in ('add', 'show'):\n    subparsers.add_parser(name)\nsubparsers.add_parser('list')\n",
            3,
            [],
        ),
    ],
    ids=["the program is none of its commands", "one too many", "named at run time"],
)
def test_how_many_commands_a_program_has(tmp_path: Path, cli: str, number: int, reasons: list[str]) -> None:
    project = {"pyproject.toml": _TILL, "till/__init__.py": "", "till/cli.py": cli}
    found = refuted_in(tmp_path, project, {"README.md": f"# Till\n\n`till` has {number} commands.\n"})
    assert found == {"README.md": reasons}


_QUAY = {
    "pyproject.toml": '[project]\nname = "quay"\nversion = "1.0"\nrequires-python = ">=3.11"\n'
    '[project.scripts]\nquay = "quay.cli:main"\n',
    "quay/__init__.py": "",
    "quay/cli.py": """import argparse
import enum


class Level(enum.Enum):
    LOW = 1
    MID = 2


class Crane:
    def __init__(self, name, reach=30):
        self.name = name


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--format", choices=["json", "yaml"])
""",
}
_HARBOUR_MASTER = "`--format` has no `xml`: it has json, yaml (quay/cli.py:18)."


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Use `Level.MEDIUM` for it.", ["`Level` has no `MEDIUM` (quay/cli.py:5)."]),
        ("Use `Level.MID` for it; `Level.name` and `Level.from_text` work, too.", []),
        ("Supported Python versions: 3.9+", ["`python` is required as >=3.11 (pyproject.toml:4), not 3.9."]),
        (
            "Python 3.9 to 3.13 are supported.",
            ["`python` is required as >=3.11 (pyproject.toml:4), not 3.9."],
        ),
        ("Python 3.11+ is supported. Python 3.9 was supported by the 0.x branch.", []),
        ("```sh\nquay --format xml\n```", [_HARBOUR_MASTER]),
        ("```sh\nquay --format=xml\n```", [_HARBOUR_MASTER]),
        ("```sh\nquay --format json\nquay --format FORMAT\nquay --format <format>\n```", []),
        ("- `--format` is `json` or `xml`.", [_HARBOUR_MASTER]),
        (
            "`--workers N` sets how many, 8 by default.",
            ["`--workers` defaults to 4 (quay/cli.py:17), not 8."],
        ),
        ("`--workers N` sets how many, 4 by default.", []),
        (
            "`Crane` has a `reach` of 60 by default.",
            ["`reach` of `Crane` defaults to 30 (quay/cli.py:11), not 60."],
        ),
    ],
)
def test_what_a_newcomer_would_change_first(tmp_path: Path, text: str, reasons: list[str]) -> None:
    assert refuted_in(tmp_path, _QUAY, {"README.md": f"# Quay\n\n{text}\n"}) == {"README.md": reasons}
