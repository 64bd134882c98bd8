"""What a module is called, by its path."""


def module_name(path: str) -> str:
    """`src/app/core/__init__.py` is `app.core`."""
    parts = path.rsplit(".", 1)[0].split("/")
    if "src" in parts:
        parts = parts[len(parts) - parts[::-1].index("src") :]
    if parts and parts[-1] == "__init__":
        parts = parts[:-1]
    return ".".join(parts)


GO_MODULE = "go module"
"""The value of a command that is named by a `go.mod`."""
GO_PROGRAM = "go program"
"""The value of a command that is named by the folder of its `main`."""
