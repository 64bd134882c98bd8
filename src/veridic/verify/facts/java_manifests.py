"""Reads Java manifests: pom.xml, and the literal parts of build.gradle."""

import re

from lxml import etree

from veridic.verify.facts.declared import ManifestCollector
from veridic.verify.facts.model import FactKind

_COMPUTED = "This is computed when the project is built."
_PROPERTY = re.compile(r"\$\{([\w.-]{1,100})\}")
_COMPILER = (
    "maven.compiler.release",
    "maven.compiler.target",
    "maven.compiler.source",
    "java.version",
    "jdk.version",
)
_COMPILER_SETTINGS = ("release", "target", "source")
_GRADLE_JAVA = re.compile(
    r"(?:source|target)Compatibility\s*(?:=|\.set\()?\s*(?:JavaVersion\.VERSION_|[\"'])?(\d[\d._]{0,5})"
    r"|JavaLanguageVersion\.of\(\s*(\d{1,2})\s*\)|\bjvmToolchain\(\s*(\d{1,2})\s*\)|options\.release\s*(?:=|\.set\()\s*(\d{1,2})"
)
_GRADLE_DEPENDENCY = re.compile(
    r"^[ \t]*(\w{0,40}(?:[iI]mplementation|[aA]pi|[cC]ompileOnly|[rR]untimeOnly|annotationProcessor))[ \t(]+[\"']"
    r"([\w.-]{1,100}:[\w.-]{1,100})(?::([\w.$@{}+-]{1,60}))?[\"']",
    re.MULTILINE,
)
_GRADLE_UNREAD = re.compile(
    r"^[ \t]*(?:\w{0,40}[iI]mplementation|api|compileOnly|runtimeOnly)[ \t(]+(?![\"' \t(])\S", re.MULTILINE
)
_GRADLE_TASK = re.compile(
    r"^[ \t]*(?:(?:val\s+\w+\s+by\s+)?tasks\.(?:register|create)(?:<\w{1,60}>)?\(\s*[\"']([\w-]{1,100})|task\s+([\w-]{1,100}))",
    re.MULTILINE,
)
_GRADLE_VERSION = re.compile(r"^version\s*=?\s*[\"']([\w.+-]{1,60})[\"']", re.MULTILINE)


def read_pom(out: ManifestCollector) -> None:
    # The file is untrusted: resolve no entities and load nothing.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False
    )
    try:
        root = etree.fromstring(out.text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError):
        for kind in (FactKind.PACKAGE, FactKind.RUNTIME, FactKind.DEPENDENCY):
            out.gap(kind, "The file can't be parsed.")
        return
    _Pom(out, root).read()


class _Pom:
    def __init__(self, out: ManifestCollector, root: "etree._Element") -> None:
        self._out = out
        self._root = root
        self._properties = {_tag(one): (one.text or "").strip() for one in self._all(root, "properties/*")}

    def read(self) -> None:
        group = self._text(self._root, "groupId") or self._text(self._root, "parent/groupId")
        name = self._text(self._root, "artifactId")
        if name:
            version = self._text(self._root, "version") or self._text(self._root, "parent/version")
            line = self._line(self._root, "artifactId")
            full = f"{group}:{name}" if group else name
            self._out.add(FactKind.PACKAGE, full, value=version, line=line, aliases=(name,))
            if version is None:
                self._out.gap(FactKind.PACKAGE, _COMPUTED, "version")
        self._runtime()
        for path, owner in (
            ("dependencies/dependency", ""),
            ("dependencyManagement/dependencies/dependency", "managed"),
        ):
            for one in self._all(self._root, path):
                self._dependency(one, owner)

    def _runtime(self) -> None:
        for name in _COMPILER:
            if value := self._properties.get(name):
                value = self._resolved(value) or ""
                if value:
                    self._out.add(
                        FactKind.RUNTIME,
                        "java",
                        value=value,
                        line=self._line(self._root, f"properties/{name}"),
                    )
                    return
        managed = self._all(self._root, "build/pluginManagement/plugins/plugin")
        for plugin in (*self._all(self._root, "build/plugins/plugin"), *managed):
            if self._text(plugin, "artifactId") != "maven-compiler-plugin":
                continue
            for name in _COMPILER_SETTINGS:
                if value := self._text(plugin, f"configuration/{name}"):
                    line = self._line(plugin, f"configuration/{name}")
                    self._out.add(FactKind.RUNTIME, "java", value=value, line=line)
                    return
        if self._all(self._root, "parent"):
            self._out.gap(FactKind.RUNTIME, "The parent of this project may say it.", "<parent>")

    def _dependency(self, one: "etree._Element", owner: str) -> None:
        group, name = self._text(one, "groupId"), self._text(one, "artifactId")
        if group and name:
            self._out.add(
                FactKind.DEPENDENCY,
                f"{group}:{name}",
                value=self._text(one, "version"),
                owner=owner or self._text(one, "scope") or "",
                line=self._line(one, "artifactId"),
                aliases=(name,),
            )

    def _all(self, element: "etree._Element", path: str) -> "list[etree._Element]":
        found = [element]
        for part in path.split("/"):
            found = [
                child
                for one in found
                for child in one
                if isinstance(child.tag, str) and (part in ("*", _tag(child)))
            ]
        return found

    def _text(self, element: "etree._Element", path: str) -> str | None:
        found = self._all(element, path)
        return self._resolved((found[0].text or "").strip()) if found else None

    def _line(self, element: "etree._Element", path: str) -> int:
        found = self._all(element, path)
        return min(int(found[0].sourceline or 1), self._out.text.count("\n") + 1) if found else 1

    def _resolved(self, text: str) -> str | None:
        """Substitute the properties of this file; None if one is not defined in it."""
        for _ in range(5):
            match = _PROPERTY.search(text)
            if match is None:
                return text or None
            value = self._properties.get(match[1])
            if value is None:
                return None
            text = text[: match.start()] + value + text[match.end() :]
        return None


def _tag(element: "etree._Element") -> str:
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def read_gradle(out: ManifestCollector) -> None:
    for match in _GRADLE_JAVA.finditer(out.text):
        value = next(group for group in match.groups() if group).replace("_", ".").strip(".")
        out.add(FactKind.RUNTIME, "java", value=value, line=out.line_at(match.start()))
    for match in _GRADLE_DEPENDENCY.finditer(out.text):
        bound = match[3] if match[3] and "$" not in match[3] else None
        owner = "test" if match[1].startswith("test") else ""
        line = out.line_at(match.start(2))
        out.add(
            FactKind.DEPENDENCY,
            match[2],
            value=bound,
            owner=owner,
            line=line,
            aliases=(match[2].partition(":")[2],),
        )
    if unread := _GRADLE_UNREAD.search(out.text):
        out.gap(FactKind.DEPENDENCY, _COMPUTED, unread[0].strip())
    for match in _GRADLE_TASK.finditer(out.text):
        out.add(
            FactKind.SCRIPT,
            match[1] or match[2],
            owner="gradle",
            line=out.line_at(match.start()),
        )
    out.gap(FactKind.SCRIPT, "Plugins add tasks of their own.")
    if not _GRADLE_VERSION.search(out.text):
        out.gap(FactKind.PACKAGE, _COMPUTED)
