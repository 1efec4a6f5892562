"""Import statements as written, by family: a statement's text and line in, `Import` out.

Comments are dropped and the text is flattened to one line first. What cannot be read gives nothing.
"""

import re
from collections.abc import Callable, Iterator

from navlog.schemas.events import Import

Names = list[tuple[str, str]]
Reader = Callable[[str, int], Iterator[Import]]

HASH_COMMENT = re.compile(r"#[^\n]*")
JOINTS = re.compile(r"[()\\\s]+")  # of a statement over several lines
SLASH_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
QUOTED = re.compile(r"""["'`]([^"'`\n]+)["'`]""")

PYTHON_FROM = re.compile(r"from\s*(\.*)\s*([\w.]*)\s*import\s*(.*)")
SCRIPT_FROM = re.compile(
    r"""(import|export)\b(?:\s+(?:type|typeof)\b(?!\s*(?:,|from)))?\s*(.*?)\s*(?:\bfrom\s*)?["'`]([^"'`]+)["'`]"""
)
SCRIPT_REQUIRE = re.compile(r"""import\s+(?:type\s+)?([\w$]+)\s*=\s*require\(\s*["'`]([^"'`]+)["'`]""")
GO = re.compile(r"""(?:([\w.]+)\s+)?["`]([^"`]+)["`]""")
PACKAGE = re.compile(r"(?:package|namespace)\s+([\w.\\:]+)")
RUST = re.compile(r"(pub\s*(?:\([^)]*\))?\s*)?(use|mod|extern crate)\s+(.*?)\s*;?\s*$")
JAVA = re.compile(r"import\s+(static\s+)?([\w.]+?)(\.\*)?\s*;")
INCLUDE = re.compile(r"""#\s*(?:include|import|include_next)\s*(?:"([^"]+)"|(<[^>]+>))""")
USING = re.compile(r"using\s+(namespace\s+|enum\s+)?([\w:]+)\s*;")
CSHARP = re.compile(r"(?:global\s+)?using\s+(static\s+)?(?:(\w+)\s*=\s*)?([\w.:<>, ]+?)\s*;")
PHP = re.compile(r"use\s+(?:function\s+|const\s+)?(.*?)\s*;?\s*$")
CSS = re.compile(r"""@import\s+(?:url\(\s*)?["']?([^"')\s;]+)""")
KOTLIN = re.compile(r"import\s+([\w.`]+?)(\.\*)?(?:\s+as\s+(\w+))?\s*$")
SCALA = re.compile(r"import\s+(.*)$")
SWIFT = re.compile(r"(?:@\w+\s+)*import\s+(\w+\s+)?([\w.]+)\s*$")
FROM_IMAGE = re.compile(r"FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
MAKE = re.compile(r"-?s?include\s+(.*)$")


def python(text: str, line: int) -> Iterator[Import]:
    """``import a.b as c, d`` and ``from ..a import (b as c, d)``."""
    plain = JOINTS.sub(" ", HASH_COMMENT.sub("", text)).strip()
    if found := PYTHON_FROM.match(plain):
        dots, module, names = found.groups()
        yield Import(module, "from", line, level=len(dots), names=list(as_pairs(names)))
        return
    for module, alias in as_pairs(plain.removeprefix("import")):
        yield Import(module, "import", line, alias=alias)


def as_pairs(names: str) -> Iterator[tuple[str, str]]:
    """``a as b, c`` as pairs (name, alias)."""
    for part in names.split(","):
        name, _, alias = (" ".join(part.split())).partition(" as ")
        if name.strip():
            yield name.strip(), alias.strip()


def javascript(text: str, line: int) -> Iterator[Import]:
    """``import d, {a as b} from "m"``, ``import * as n from "m"``, ``import "m"``, ``export … from "m"``."""
    plain = flat(text)
    if found := SCRIPT_REQUIRE.match(plain):
        yield Import(found[2], "require", line, alias=found[1])
    elif found := SCRIPT_FROM.match(plain):
        form, clause, module = found.groups()
        yield Import(module, form, line, names=list(script_names(clause, form)))


def script_names(clause: str, form: str) -> Iterator[tuple[str, str]]:
    """Default, namespace and braces of an import or export clause."""
    outside = re.sub(r"\{.*?\}", "", clause)
    for part in outside.split(","):
        name, _, alias = part.strip().partition(" as ")
        if name.startswith("*"):
            yield "*", alias.strip()
        elif name and form == "import":
            yield "default", name
    for group in re.findall(r"\{.*?\}", clause):
        yield from braces(group)


def braces(text: str) -> Names:
    """``{a as b, type C}`` as pairs; defaults (``a = 1``) and spreads are no names of the module."""
    inner = re.sub(r"=[^,}]*|\.\.\.\s*[\w$]+", "", text.strip(" {}"))
    return [(name.removeprefix("type "), alias) for name, alias in as_pairs(inner)]


def go(text: str, line: int) -> Iterator[Import]:
    """One line of an import block: ``alias "path"``; a dot imports every name."""
    if found := GO.search(text):
        alias, path = found[1] or "", found[2]
        yield Import(path, "import", line, names=[("*", "")] if alias == "." else [], alias=alias.strip("."))


def package(text: str, line: int) -> Iterator[Import]:
    """The package or namespace that a file says it is in."""
    if found := PACKAGE.match(flat(text)):
        yield Import(found[1], "package", line)


def rust(text: str, line: int) -> Iterator[Import]:
    """``use a::{b as c, d::*}``, ``pub use`` (an export), ``mod name;`` and ``extern crate name as n``."""
    found = RUST.match(flat(text))
    if not found:
        return
    public, keyword, tree = found.groups()
    if keyword != "use":
        name, _, alias = tree.partition(" as ")
        yield Import(name, "mod" if keyword == "mod" else "use", line, alias=alias)
        return
    form = "export" if public else "use"
    modules: dict[str, Names] = {}
    for path, alias in rust_paths("", tree):
        module, _, name = path.rpartition("::")
        modules.setdefault(module, []).append((name, alias))
    for module, names in modules.items():
        yield Import(module, form, line, names=names) if module else Import(*names[0][:1], form, line)


def rust_paths(prefix: str, tree: str) -> Iterator[tuple[str, str]]:
    """The paths of a use tree with their aliases; ``self`` is the path itself."""
    for branch in split_outside_braces(tree):
        head, brace, inner = branch.partition("{")
        if brace:
            yield from rust_paths(prefix + head.strip(), inner.rpartition("}")[0])
            continue
        path, _, alias = branch.strip().partition(" as ")
        yield (prefix + path).removesuffix("::self").strip(), alias.strip()


def split_outside_braces(text: str) -> Iterator[str]:
    """The parts between commas that no brace encloses."""
    depth = start = 0
    for at, sign in enumerate(text):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth == 0:
            yield text[start:at]
            start = at + 1
    if text[start:].strip():
        yield text[start:]


def java(text: str, line: int) -> Iterator[Import]:
    """A class is the module; ``.*`` and static members are names in it."""
    if found := JAVA.match(flat(text)):
        static, path, star = found.groups()
        module, _, member = path.rpartition(".") if static and not star else (path, "", "")
        names = [("*", "")] if star else [(member, "")] if member else []
        yield Import(module, "import", line, names=names)


def include(text: str, line: int) -> Iterator[Import]:
    """``#include``; a system header keeps its angle brackets."""
    if found := INCLUDE.match(text):
        yield Import(found[1] or found[2], "include", line)


def cpp(text: str, line: int) -> Iterator[Import]:
    """``using a::b;`` and ``using namespace a;``."""
    if found := USING.match(flat(text)):
        whole, path = found[1], found[2]
        yield Import(path, "use", line, names=[("*", "")] if whole else [])


def csharp(text: str, line: int) -> Iterator[Import]:
    """``using A = B.C;``, ``using static B;``, ``using B;``."""
    if found := CSHARP.match(flat(text)):
        static, alias, module = found.groups()
        yield Import(module, "use", line, names=[("*", "")] if static else [], alias=alias or "")


def php(text: str, line: int) -> Iterator[Import]:
    """``use A\\B as C, D;`` and ``use A\\{B, C as D};``."""
    found = PHP.match(flat(text))
    if not found:
        return
    module, brace, inner = found[1].partition("{")
    if brace:
        yield Import(module.strip("\\ "), "use", line, names=list(as_pairs(inner.strip("} "))))
        return
    for name, alias in as_pairs(found[1]):
        yield Import(name.lstrip("\\"), "use", line, alias=alias)


def php_file(text: str, line: int) -> Iterator[Import]:
    """``require 'x.php'``; with ``__DIR__`` the path begins at the file's own folder."""
    if found := QUOTED.search(text):
        own = "__DIR__" in text or "dirname(" in text
        yield Import("./" + found[1].lstrip("/") if own else found[1], "include", line)


def css(text: str, line: int) -> Iterator[Import]:
    """``@import "x"`` and ``@import url(x)``."""
    if found := CSS.match(flat(text)):
        yield Import(found[1], "import", line)


def kotlin(text: str, line: int) -> Iterator[Import]:
    """``import a.b.C as D`` and ``import a.b.*``."""
    if found := KOTLIN.match(flat(text)):
        yield Import(found[1], "import", line, names=[("*", "")] if found[2] else [], alias=found[3] or "")


def scala(text: str, line: int) -> Iterator[Import]:
    """``import a.b.{C => D, E}``, ``import a.b._``, ``import a.b.C, d.E``."""
    found = SCALA.match(flat(text))
    for path in split_outside_braces(found[1]) if found else ():
        module, brace, inner = path.strip().partition("{")
        if brace:
            pairs = as_pairs(inner.strip("} ").replace("=>", " as "))
            yield Import(
                module.strip("."), "import", line, names=[("*" if n == "_" else n, a) for n, a in pairs]
            )
        elif module.endswith(("._", ".*")):
            yield Import(module[:-2], "import", line, names=[("*", "")])
        else:
            yield Import(module, "import", line)


def swift(text: str, line: int) -> Iterator[Import]:
    """``import Module`` and ``import struct Module.Name``."""
    if found := SWIFT.match(flat(text)):
        module, _, name = found[2].rpartition(".") if found[1] else (found[2], "", "")
        yield Import(module, "import", line, names=[(name, "")] if name else [])


def docker(text: str, line: int) -> Iterator[Import]:
    """``FROM image AS stage``."""
    if found := FROM_IMAGE.match(flat(text)):
        yield Import(found[1], "from", line, alias=found[2] or "")


def make(text: str, line: int) -> Iterator[Import]:
    """``include a.mk b.mk``."""
    found = MAKE.match(flat(text))
    for path in found[1].split() if found else ():
        yield Import(path, "include", line)


def flat(text: str) -> str:
    """Without comments, on one line."""
    return " ".join(SLASH_COMMENT.sub("", text).split())


READERS: dict[str, Reader] = {
    "python": python, "javascript": javascript, "go": go, "package": package, "rust": rust, "java": java,
    "include": include, "cpp": cpp, "csharp": csharp, "php": php, "phpfile": php_file, "css": css,
    "kotlin": kotlin, "scala": scala, "swift": swift, "docker": docker, "make": make,
}  # fmt: skip
