"""What files in JavaScript, TypeScript, Go, Rust and Java show."""

import textwrap

import pytest

from veridic.code.facts.read import read_facts
from veridic.domain.code import Fact, FactKind, FileFacts, Origin


def facts_of(language: str, source: str) -> FileFacts:
    return read_facts(f"src/core.{language}", language, textwrap.dedent(source), "digest")


def one(file: FileFacts, kind: FactKind, name: str) -> Fact:
    [fact] = [fact for fact in file.facts if fact.kind is kind and fact.name == name]
    return fact


def table(file: FileFacts, kind: FactKind) -> dict[str, str | None]:
    return {fact.name: fact.value for fact in file.facts if fact.kind is kind}


def helps(file: FileFacts) -> dict[str, str]:
    return {text.owner: text.text for text in file.texts if text.origin is Origin.HELP}


def test_typescript_definitions() -> None:
    file = facts_of(
        "typescript",
        """
        /** Fetches a page. */
        export async function fetchPage(url: string, retries = 3, ...rest: string[]): Promise<string> {
          const inner = [1].map((n) => { return n * 2; });
          if (!url) throw new TypeError("empty");
          return get(url);
        }
        export const LIMIT = 20;
        export const MODES = ["fast", "slow"] as const;
        export enum Color { Red = "red", Blue }
        export type Mode = "a" | "b";
        export class Client extends Base implements Closable {
          static max = 3;
          constructor(private url: string, timeout = 30) { super(); }
          run = (x: number) => x + 1;
          close(): void {}
        }
        """,
    )
    fetch = one(file, FactKind.FUNCTION, "fetchPage")
    assert [(p.name, p.default, p.annotation) for p in fetch.parameters] == [
        ("url", None, "string"),
        ("retries", "3", None),
        ("...rest", None, "string[]"),
    ]
    assert (fetch.annotation, fetch.returns, fetch.raises, fetch.is_async) == (
        "Promise<string>",
        ("get(url)",),
        ("TypeError",),
        True,
    )
    assert fetch.qualified == "core.fetchPage" and fetch.line == 3
    assert table(file, FactKind.CONSTANT)["LIMIT"] == "20"
    assert one(file, FactKind.CONSTANT, "MODES").members == ("fast", "slow")
    assert one(file, FactKind.CONSTANT, "Mode").members == ("a", "b")
    assert one(file, FactKind.ENUM, "Color").members == ("Red", "Blue")
    client = one(file, FactKind.CLASS, "Client")
    assert client.bases == ("Base", "Closable") and client.members == ("max", "constructor", "run", "close")
    assert [(p.name, p.default) for p in client.parameters] == [("url", None), ("timeout", "30")]
    assert one(file, FactKind.FUNCTION, "run").returns == ("x + 1",)
    assert [(text.origin.value, text.text, text.owner) for text in file.texts] == [
        ("docstring", "Fetches a page.", "core.fetchPage")
    ]


def test_javascript_options_routes_and_environment() -> None:
    file = facts_of(
        "javascript",
        """
        const port = process.env.PORT || 3000;
        const host = process.env["HOST"] ?? "localhost";
        // process.env.COMMENTED
        process.env.WRITTEN = "x";
        program.command("serve <dir>", "Serve a folder.")
          .option("-p, --port <number>", "Port to use.", parseInt, 8080)
          .option("--no-color", "No colours.");
        yargs.option("level", { alias: "l", default: "info", describe: "How much.", choices: ["info", "debug"] });
        app.get("/users/:id", (req, res) => res.send());
        axios.get("/not-a-route", {});
        exports.load = function (path, mode = "r") { return path; };
        """,
    )
    assert table(file, FactKind.ENVIRONMENT) == {"PORT": "3000", "HOST": '"localhost"'}
    options = {fact.name: fact for fact in file.facts if fact.kind is FactKind.OPTION}
    assert options["--port"].value == "8080" and options["--port"].aliases == ("-p", "--port")
    assert options["--color"].value == "true"
    assert options["--level"].value == '"info"' and options["--level"].members == ("info", "debug")
    assert helps(file)["--port"] == "Port to use." and helps(file)["serve"] == "Serve a folder."
    assert [fact.name for fact in file.facts if fact.kind is FactKind.ROUTE] == ["GET /users/{id}"]
    assert [p.default for p in one(file, FactKind.FUNCTION, "load").parameters] == [None, '"r"']


def test_go() -> None:
    file = facts_of(
        "go",
        """
        package main

        // Fetch gets a page.
        func Fetch(url string, n, m int) (string, error) {
          run(func() int { return 7 })
          if url == "" {
            return "", ErrEmpty
          }
          return get(url), nil
        }

        func (c *Client) Do(opts ...Option) error { panic("no") }

        const (
          MaxRetries = 3
          First      = iota
        )

        type Client struct {
          Name string
        }

        func main() {
          flag.Int("port", 8080, "port to use")
          cmd.Flags().StringVarP(&host, "host", "H", "localhost", "host to bind")
          os.Getenv("APP_TOKEN")
          getEnv("APP_MODE", "fast")
          http.HandleFunc("POST /login", h)
          r.GET("/users/:id", h)
          c.Get("/not-decided")
        }

        var serve = &cobra.Command{Use: "serve [dir]"}
        """,
    )
    fetch = one(file, FactKind.FUNCTION, "Fetch")
    assert [(p.name, p.annotation) for p in fetch.parameters] == [
        ("url", "string"),
        ("n", "int"),
        ("m", "int"),
    ]
    assert fetch.returns == ('"", ErrEmpty', "get(url), nil") and fetch.raises == ("ErrEmpty",)
    assert one(file, FactKind.FUNCTION, "Do").qualified == "core.Client.Do"
    assert one(file, FactKind.CLASS, "Client").members == ("Name", "Do")
    assert (
        table(file, FactKind.CONSTANT)["MaxRetries"] == "3"
        and table(file, FactKind.CONSTANT)["First"] is None
    )
    assert table(file, FactKind.OPTION) == {"--port": "8080", "--host": '"localhost"'}
    assert one(file, FactKind.OPTION, "--host").aliases == ("--host", "-H")
    assert table(file, FactKind.ENVIRONMENT) == {"APP_TOKEN": None, "APP_MODE": '"fast"'}
    assert [fact.name for fact in file.facts if fact.kind is FactKind.ROUTE] == [
        "POST /login",
        "GET /users/{id}",
    ]
    assert set(table(file, FactKind.COMMAND)) == {"serve"}
    assert file.texts[0].text == "Fetch gets a page." and file.texts[0].owner == "core.Fetch"


def test_rust() -> None:
    file = facts_of(
        "rust",
        """
        use clap::Parser;

        /// Fetches a page.
        #[inline]
        pub async fn fetch(url: &str, mut n: u32) -> Result<String, Error> {
            let f = |x| { return x; };
            if url.is_empty() { return Err(Error::Empty); }
            Ok(get(url))
        }

        pub const MAX: usize = 20;
        pub enum Color { Red, Blue(u8) }

        #[derive(Parser)]
        struct Cli {
            /// Port to use.
            #[arg(short, long, default_value_t = 8080, env = "APP_PORT")]
            port: u16,
            #[arg(long = "dry-run")]
            dry: bool,
        }

        #[derive(Subcommand)]
        enum Commands { RunAll { #[arg(long, default_value = "x")] name: String } }

        impl Client { pub fn run(&self, a: i32) -> bool { true } }

        #[get("/hello/{name}")]
        async fn hello() { env::var("APP_MODE").unwrap_or_else(|_| "fast".into()); }
        fn app() { Router::new().route("/users/:id", get(show).delete(remove)); }
        """,
    )
    fetch = one(file, FactKind.FUNCTION, "fetch")
    assert set(fetch.returns) == {"Err(Error::Empty)", "Ok(get(url))"} and fetch.is_async
    assert [(p.name, p.annotation) for p in fetch.parameters] == [("url", "&str"), ("n", "u32")]
    assert table(file, FactKind.CONSTANT) == {"MAX": "20"}
    assert one(file, FactKind.ENUM, "Color").members == ("Red", "Blue")
    options = {fact.name: fact for fact in file.facts if fact.kind is FactKind.OPTION}
    assert options["--port"].value == "8080" and options["--port"].aliases == ("--port", "-p")
    assert options["--dry-run"].value == "false" and options["--name"].owner == "run-all"
    assert helps(file)["--port"] == "Port to use."
    assert table(file, FactKind.ENVIRONMENT) == {"APP_PORT": "8080", "APP_MODE": '"fast"'}
    assert [fact.name for fact in file.facts if fact.kind is FactKind.ROUTE] == [
        "GET /hello/{name}",
        "GET /users/{id}",
        "DELETE /users/{id}",
    ]
    assert one(file, FactKind.FUNCTION, "run").qualified == "core.Client.run"
    assert [text.owner for text in file.texts if text.text == "Fetches a page."] == ["core.fetch"]


def test_java() -> None:
    file = facts_of(
        "java",
        """
        import picocli.CommandLine.Option;
        /** Serves users. */
        @RequestMapping("/api")
        public class Users extends Base implements Closable {
            public static final int MAX = 20;
            @Value("${app.mode:fast}") private String mode;
            @Option(names = {"-p", "--port"}, defaultValue = "8080", description = "Port to use.") int port;
            public Users(String name) {}
            @GetMapping("/users/{id}")
            public String show(int id) throws IOException {
                items.map(x -> { return x; });
                if (id < 0) throw new IllegalStateException("x");
                System.getenv("APP_TOKEN");
                return find(id);
            }
        }
        enum Color { RED, BLUE }
        """,
    )
    users = one(file, FactKind.CLASS, "Users")
    assert users.bases == ("Base", "Closable") and [p.name for p in users.parameters] == ["name"]
    assert users.line == 5
    show = one(file, FactKind.FUNCTION, "show")
    assert show.returns == ("find(id)",) and set(show.raises) == {"IOException", "IllegalStateException"}
    assert table(file, FactKind.CONSTANT) == {"MAX": "20"}
    assert table(file, FactKind.SETTING) == {"app.mode": "fast"}
    assert table(file, FactKind.OPTION) == {"--port": '"8080"'}
    assert table(file, FactKind.ENVIRONMENT) == {"APP_TOKEN": None}
    assert [fact.name for fact in file.facts if fact.kind is FactKind.ROUTE] == ["GET /api/users/{id}"]
    assert one(file, FactKind.ENUM, "Color").members == ("RED", "BLUE")
    assert file.texts[0].owner == "core.Users"


@pytest.mark.parametrize("language", ["javascript", "typescript", "tsx", "go", "rust", "java"])
@pytest.mark.parametrize(
    "source",
    [
        "",
        "(\n" * 5_000,
        "class A {\n" * 2_000,
        "x => " * 200,
        "\ufeff\x00\u202e",
        "/*" * 999,
        "a" * 100_000,
    ],
)
def test_no_source_is_too_strange(language: str, source: str) -> None:
    assert read_facts("a", language, source, "d").digest == "d"
