"""Which language a file is written in, by its name."""

from pathlib import PurePosixPath

_BY_SUFFIX = {
    ".py": "python",
    ".pyi": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdx": "markdown",
    ".rst": "rst",
    ".toml": "toml",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".ini": "ini",
    ".cfg": "ini",
    ".mk": "makefile",
    ".dockerfile": "dockerfile",
    ".sh": "shell",
    ".bash": "shell",
    ".zsh": "shell",
    ".txt": "text",
    ".gradle": "text",
    ".mod": "text",
    ".xml": "text",
}
_BY_NAME = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "readme": "text",
    "license": "text",
    "changelog": "text",
    "changes": "text",
    "authors": "text",
    "contributing": "text",
    "news": "text",
    ".env.example": "ini",
}
_BINARY_SUFFIXES = frozenset(
    ".png .jpg .jpeg .gif .bmp .ico .webp .svgz .tif .tiff .psd .mp3 .mp4 .mov .avi .mkv .wav .ogg .flac .webm .pdf "
    ".doc .docx .xls .xlsx .ppt .pptx .odt .zip .gz .bz2 .xz .zst .tar .tgz .7z .rar .jar .war .class .whl .egg .so "
    ".dylib .dll .exe .a .o .obj .lib .pyc .pyo .pyd .wasm .ttf .otf .woff .woff2 .eot .db .sqlite .sqlite3 .onnx "
    ".npy .npz .pt .pkl .parquet .bin .dat .iso .img .dmg .gpg .mo".split()
)


def language_of(path: str) -> str | None:
    """The language of a file by its name; None where the name doesn't tell."""
    name = PurePosixPath(path).name.lower()
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name.startswith("dockerfile."):
        return "dockerfile"
    return _BY_SUFFIX.get(PurePosixPath(name).suffix)


def is_binary_name(name: str) -> bool:
    """Whether a file of that name never holds text."""
    return PurePosixPath(name).suffix.lower() in _BINARY_SUFFIXES
