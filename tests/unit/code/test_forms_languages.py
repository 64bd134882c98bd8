"""Ways in which public projects in Go, Java, JavaScript and Rust write: what is found, and what is no mistake."""

import pytest
from tests.written_projects import refuted_in

LONG = " +\n        ".join(
    f'"the berth of ship number {number} in the outer harbour"' for number in range(60)
)

PROJECT = {
    "package.json": '{"name": "harbour", "version": "2.1.0", "engines": {"node": ">=18.0.0"}, "scripts": {"lint": "x"}}',
    "go.mod": "module example.org/harbour\n\ngo 1.22\n",
    "Cargo.toml": '[package]\nname = "quay"\nversion = "2.1.0"\n\n[[bin]]\nname = "quay"\npath = "src/cli.rs"\n',
    "src/cli.rs": """
use clap::{Arg, ArgAction, Command};

fn arguments() -> Command {
    Command::new("quay")
        .arg(
            Arg::new("tide")
                .long("tide")
                .short('t')
                .value_parser(|text| read(text))
                // how high it may be
                .default_value("high")
                .help("How high the water is"),
        )
        .arg(Arg::new("batch").long("batch").short('B').action(ArgAction::SetTrue))
}
""",
    "lib/moor.js": """
/** Moors. */
function moorAt(ship, options) {
  return ship.moor(options);
}
function send(...ships) {}
""",
    "cmd/crane/main.go": """
package main

func main() {
	flag.Int("height", 40, "How high it lifts")
	flag.Int("load", 8, "How much it lifts")
	flag.Bool("night", false, "With light")
	os.Getenv("CRANE_HEIGHT")
	os.Getenv("CRANE_SPEED")
}
""",
    "cmd/main.go": """
package main

func init() {
	flags.BoolVarP(cmdFlags, &options.Keep, "keep", "k", false, "Keep what is left")
	flag.String("depth", "5m", "How deep it is")
	cmdFlags.Custom("no-cleanup", parse)
	register("s3", "file_versions", "L")
}
""",
    "contrib/completion/_quay": "_arguments '--shell=[for which]' '--batch'\n",
    "lib/tree.js": "export const x = 1;\n",
    "lib/berth.js": "export const y = 1;\n",
}

NO_MISTAKES = [
    # Go: results with a name, and what a bare `return` gives.
    ("a.go", "package a\n\n// Moor ties it. It returns true if any rope was used.\nfunc Moor(s Ship) (used bool) {\n\tused = true\n\treturn\n}\n"),
    ("a.go", "package a\n\n// Cause digs. It returns true if it is of use.\nfunc Cause(e error) (useful bool, err error) {\n\treturn true, nil\n}\n"),
    ("a.go", "package a\n\n// Names returns a list of them.\nfunc Names() []string {\n\treturn nil\n}\n"),
    ("a.go", f"package a\n\n// Describe returns `x` at last.\nfunc Describe() string {{\n\tif deep {{\n\t\treturn \"y\"\n\t}}\n\treturn {LONG}\n}}\n"),
    ("a.go", "package a\n\n// HasRoom returns true unless it is full.\nfunc (c *Chunk) HasRoom() bool {\n\treturn true\n}\n"),
    ("lib/a.js", "/**\n * The harbour. Returns a string.\n */\n\nfunction first() {\n  return 5;\n}\n"),
    ("a.go", "package a\n\n// IsWindows returns true on Windows.\nfunc IsWindows() bool {\n\treturn false\n}\n"),
    ("a.go", 'package a\n\nfunc init() {\n\tfs.Int("most", -1, "How many (defaults to 50%)")\n}\n'),
    # Comments in JavaScript that are about nothing below them; parameters without a name.
    ("lib/a.js", "/**\n * @callback Moored\n * @param {Error=} err\n */\n\nclass Pier {\n  constructor(name) {}\n}\n"),
    ("lib/a.js", "const one = cached(\n  /**\n   * @param {Function} callback\n   */\n  callback => {\n    const inner = () => 1;\n  });\n"),
    ("lib/a.js", "/**\n * @param {string} type\n */\nreq.accepts = function () {\n  return accept(this, arguments);\n};\n"),
    ("lib/a.js", "/**\n * @param String name The name.\n */\nfunction call(name) {}\n"),
    ("lib/a.js", "/** This is version 5.0.2 */\nfunction none() {}\n"),
    ("lib/a.js", "/**\n * @param {Object} Target levels to use\n */\nfunction level(levels) {}\n"),
    ("lib/a.js", "/**\n * @param {Array} [order=[first]] The order.\n */\nfunction sort(order) {}\n"),
    ("lib/a.js", "/**\n * @param {string} uri\n * @param {string} path\n */\nfunction url(uri) {\n  var path = arguments.length > 1 ? arguments[1] : '';\n}\n"),
    ("lib/a.js", "exports.name = 'Pug';\n\n/**\n * Makes it. `name` the name of the function (defaults to \"template\")\n */\nexports.make = function (options) {\n};\n"),
    ("readme.md", "CLI: requires Node v20 or newer.\n"),
    ("readme.md", "It is called by an npm script (such as `npm start`).\n"),
    # An empty default stands for one that is worked out later.
    ("a.go", 'package a\n\nfunc init() {\n\tfs.String("pier", "", "Which pier (defaults to \'north\')")\n}\n'),
    # Java: the name of a parameter stands first, whatever it is called.
    ("A.java", "class A {\n    /**\n     * Trims.\n     * @param string content to trim\n     * @param str String to look for\n     */\n    static void trim(String string, String str) { }\n}\n"),
    ("A.java", "class A {\n    /** Returns an array with the same values. */\n    static boolean[] copy(boolean[] values) { return values; }\n}\n"),
    ("A.java", "class A {\n    /** If there is none, returns null. */\n    List<Ship> find(String name) { return ships.get(name); }\n}\n"),
    ("A.java", "class A {\n    /**\n     * Tries.\n     * @return True, if it was moored; false if not.\n     */\n    boolean moor(Ship ship) {\n        if (ship == null) { return false; }\n        return ship.moor();\n    }\n}\n"),
    ("A.java", "class A {\n    /**\n     * Tries.\n     * @return True, if it was moored; false to say that it was not.\n     */\n    boolean moor(Ship ship) {\n        return false;\n    }\n}\n"),
    # JavaScript: the rest of the arguments, one of several types, texts too long to keep.
    ("lib/a.js", "/**\n * Adds.\n * @param {number} first - the first\n * @param {...number} rest - the others\n */\nfunction add(first, ...rest) {}\n"),
    ("lib/a.js", "class A {\n  /**\n   * @returns {string | undefined} why not\n   */\n  reason() {\n    return undefined;\n  }\n}\n"),
    ("lib/a.js", f"/**\n * @returns {{string}} the text\n */\nfunction text(deep) {{\n  if (deep) return null;\n  return {LONG};\n}}\n"),
    # Nobody passes arguments of JavaScript by name.
    ("docs/moor.md", "`moorAt(ship, moorOptions)` moors the ship.\n"),
    ("docs/send.md", "`send(first, ships)` sends them.\n"),
    ("typings/index.test-d.ts", "program.option('-s, --string [value]', 'default string', 'value');\n"),
    # Headings in HTML.
    ("docs/html.md", '[Install](#install)\n\n<h2 align="center">Install</h2>\n\n[Core](#core-team)\n\n<h3>Core <i>Team</i></h3>\n'),
    # What only some of it needs, and what was.
    ("readme.md", "Brotli (`br`) support requires Node.js 20.7.0 or later.\n"),
    ("docs/install.md", "This only works with Go 1.23+.\n"),
    ("docs/develop.md", "Harbour uses the modules that are built into Go 1.11 to build.\n"),
    ("docs/news/0.9-relnotes/index.md", "Support for Go 1.2\n"),
    # What a command prints, and not how the project is laid out.
    ("docs/tree.md", "```bash\n❯ quay list | as-tree\n.\n└── lib\n    ├── tree.js\n    ├── berth.js\n    ├── moor.js\n    └── gone.js\n```\n"),
    ("docs/quay.md", "Make a package for a new command: for a new command `quay boom`, create a folder.\n"),
    ("docs/quay.md", "```sh\nquay --keep -k --depth 4m --no-cleanup --s3-file-versions -L\n```\n"),
    ("docs/quay.md", "```sh\nquay -B --batch -t low --tide low\n```\n"),
]  # fmt: skip

MISTAKES = [
    # Go's comments begin with the name of what they are about; others leave a line before it.
    ("a.go", "package a\n\n// IsFull returns true if it holds no more.\nfunc (c *Chunk) IsFull() []string {\n\treturn c.all\n}\n"),
    ("lib/a.js", "/**\n * Adds.\n *\n * @param {number} second\n * @api public\n */\n\napp.add = function add(first) {\n};\n"),
    ("lib/a.js", "/**\n * @param {string} type\n */\n\nmodule.exports = function make(kind) {\n};\n"),
    ("docs/crane.md", "```sh\ncrane --heights 30\n```\n"),
    ("docs/crane.md", "With `--load` and `--night` and `--height` it works, and `CRANE_LOAD` is read.\n"),
    ("docs/build.md", "- Go 1.18 or above\n"),
    ("docs/quay.md", "```sh\nquay --shell zsh\n```\n"),
    ("a.go", "package a\n\n// Moor ties it. It returns false if there is no rope.\nfunc Moor(s Ship) float64 {\n\treturn 0.5\n}\n"),
    ("a.go", 'package a\n\nfunc init() {\n\tfs.Int("berths", 8, "How many berths (defaults to 4)")\n}\n'),
    ("A.java", "class A {\n    /**\n     * Trims.\n     * @param text to trim\n     */\n    static void trim(String string) { }\n}\n"),
    ("A.java", "class A {\n    /** Returns true if none was seen. */\n    void mark() { ready = true; }\n}\n"),
    ("A.java", "class A {\n    /** Returns a string. */\n    int[] copy(int[] values) { return values; }\n}\n"),
    ("lib/a.js", "/**\n * Adds.\n * @param {number} second - the second\n */\nfunction add(first) {}\n"),
    ("lib/a.js", "/**\n * @returns {string | undefined} why not\n */\nfunction reason() {\n  return 5;\n}\n"),
    ("docs/moor.md", "`moorAt(ship, options, wait)` moors the ship.\n"),
    ("docs/html.md", "[Install](#instal)\n\n<h2>Install</h2>\n"),
    ("docs/install.md", "Harbour requires Go 1.18 or later.\n"),
    ("docs/install.md", "Requires Node.js 20 or later.\n"),
    ("docs/install.md", "Harbour is written in Go and you need at least Go version 1.15.\n"),
    ("docs/quay.md", "```sh\nquay --keeps\n```\n"),
    ("docs/quay.md", "```sh\nquay --tides low\n```\n"),
    ("docs/quay.md", "The `--tide` option of `quay` defaults to `low`.\n"),
]  # fmt: skip


def _numbered(number: int, path: str) -> str:
    """A path of its own for each case."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{number}/{name}" if folder else f"case{number}/{name}"


CASES = {_numbered(number, path): text for number, (path, text) in enumerate(NO_MISTAKES + MISTAKES)}


@pytest.fixture(scope="module")
def refuted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What is refuted of each file, with all of them in one project."""
    return refuted_in(tmp_path_factory.mktemp("harbour"), PROJECT, CASES)


@pytest.mark.parametrize("path", list(CASES)[: len(NO_MISTAKES)])
def test_what_is_no_mistake(refuted: dict[str, list[str]], path: str) -> None:
    assert refuted[path] == [], CASES[path]


@pytest.mark.parametrize("path", list(CASES)[len(NO_MISTAKES) :])
def test_what_is_one(refuted: dict[str, list[str]], path: str) -> None:
    assert len(refuted[path]) == 1, CASES[path]
