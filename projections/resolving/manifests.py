"""What a project's manifests say about where names lead, and the keys that follow for an import.

A file that asks by way of manifests also asks for a ``via:`` key. No file answers to one: it names what may
change the keys themselves, so those who asked are looked at again when such a manifest changes. The nearest
manifest decides where several claim a name. Refuses what takes a tool to know: scripts that compute paths,
installed packages, a bundler's own configuration.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from navlog.projections.resolving.places import above, inside
from navlog.projections.resolving.tails import shared
from navlog.schemas.events import Import, OutlineRecorded

_KINDS = {
    "go.mod": "go", "go.work": "go", "package.json": "npm", "Cargo.toml": "crate", "composer.json": "php",
    "pyproject.toml": "py", "setup.cfg": "py",
}  # fmt: skip
_TSCONFIG = re.compile(r"[tj]sconfig[\w.-]*\.json")
_USED = {
    "go": {"package", "alias"}, "npm": {"package", "entry", "alias"}, "crate": {"package", "entry", "alias"},
    "php": {"alias"}, "py": {"alias", "base"}, "ts": {"alias", "base", "extends"},
}  # fmt: skip
_CHAIN = 5  # of manifests that extend each other


class Rule(NamedTuple):
    """Names that begin like ``prefix`` lie at ``place``, a folder or a file without its suffix."""

    prefix: str
    place: str


def kind_of_manifest(path: str) -> str:
    """go, npm, crate, php, py or ts; "" for what is no manifest."""
    name = path.rpartition("/")[2]
    return _KINDS.get(name) or ("ts" if _TSCONFIG.fullmatch(name) else "")


def is_manifest(path: str) -> bool:
    """Whether the file's facts decide what imports of others mean."""
    return bool(kind_of_manifest(path))


class Manifests:
    """One project's manifests; kept up by `put` as they come, change and go."""

    def __init__(self) -> None:
        self._facts: dict[str, dict[str, tuple[Import, ...]]] = {kind: {} for kind in _USED}
        self._rules: dict[str, list[Rule]] = {}
        self._named: dict[str, dict[str, list[str]]] = {}

    def put(self, path: str, outline: OutlineRecorded | None) -> set[str]:
        """What the manifest at ``path`` says now, None: it is gone; returns the ``via:`` keys it changes."""
        kind = kind_of_manifest(path)
        before = self._facts[kind].pop(path, ())
        now = tuple(one for one in outline.imports if one.form in _USED[kind]) if outline else ()
        if now:
            self._facts[kind][path] = now
        if _said(before) == _said(now):
            return set()
        self._rules.pop(kind, None)
        self._named.pop(kind, None)
        return {via for one in (*before, *now) for via in _touched(kind, path, one)}

    def go(self, path: str, module: str) -> tuple[str, ...]:
        """The folder of a package: the longest module path that it begins with decides."""
        return ("via:go", *(f"dir:{place}" for place in self._below(path, "go", module, "/")))

    def php(self, path: str, name: str) -> tuple[str, ...]:
        """The file of a class by the autoloader's prefixes."""
        places = self._below(path, "php", name.replace("\\", "/"), "/")
        return ("via:php", *(f"={place}.php" for place in places))

    def python(self, path: str, module: str) -> tuple[str, ...]:
        """The modules ``a/b`` may be by folders that a manifest names."""
        if not self._facts["py"]:  # as in most projects
            return ("via:py",)
        return ("via:py", *(f"mod:{place}" for place in self._below(path, "py", module, "/")))

    def script(self, path: str, module: str) -> tuple[tuple[str, ...], list[str]]:
        """The ``via:`` keys of a bare module, and the places it may mean, perhaps without a suffix."""
        found = dict.fromkeys((*self._by_config(path, module), *self._by_package(path, module)))
        return (f"via:npm:{_package(module)}", "via:ts"), list(found)

    def folder(self, place: str) -> tuple[str, list[str]]:
        """The ``via:`` key of a folder that is imported, and the entries of the package in it."""
        manifest = f"{place}/package.json".lstrip("/")
        return f"via:npm:/{place}", list(_parts(manifest, self._facts["npm"].get(manifest, ()), "."))

    def crates(self, path: str, name: str) -> Iterator[tuple[str, str]]:
        """(folder of the root module, root module or "" where it is the usual one), the nearest first."""
        own = _nearest_first(path, [one for one in self._facts["crate"] if path.startswith(_folder(one))])
        for manifest in own[:1]:
            for one in self._facts["crate"][manifest]:
                if one.form == "alias" and _crate(one.alias) == name and (at := inside(manifest, one.module)):
                    yield f"{at}/src", ""
        for manifest in self._named_by("crate", path, name):
            entry = next((one.module for one in self._facts["crate"][manifest] if one.form == "entry"), "")
            root = inside(manifest, entry or "src/lib.rs") or ""
            yield root.rpartition("/")[0], root if entry else ""

    def _below(self, path: str, kind: str, name: str, separator: str) -> Iterator[str]:
        """The places of ``name`` by every rule it begins with, the longest first."""
        rules = self._prefixes(kind)
        fitting = [rule for rule in rules if f"{name}{separator}".startswith(rule.prefix)]
        for rule in sorted(fitting, key=lambda rule: (-len(rule.prefix), -shared(path, rule.place + "/"))):
            yield "/".join(filter(None, (rule.place, name[len(rule.prefix) :])))

    def _prefixes(self, kind: str) -> list[Rule]:
        if kind not in self._rules:
            facts = sorted(self._facts[kind].items())
            self._rules[kind] = [rule for path, said in facts for one in said for rule in _rule(path, one)]
        return self._rules[kind]

    def _by_config(self, path: str, module: str) -> Iterator[str]:
        configs = self._facts["ts"]
        for folder in above(path) if configs else ():
            near = sorted((one for one in configs if _folder(one) == folder), key=lambda one: (len(one), one))
            for config in near:
                yield from self._mapped(config, module, _CHAIN)

    def _mapped(self, config: str, module: str, chain: int) -> Iterator[str]:
        """The most specific pattern first, then the base, then what the config extends."""
        said = self._facts["ts"].get(config, ())
        base = next((inside(config, one.module) for one in said if one.form == "base"), None)
        patterns = sorted((one for one in said if one.form == "alias"), key=lambda one: -len(one.alias))
        for one in patterns:
            if (rest := _rest(one.alias, module)) is not None:
                target = one.module.replace("*", rest, 1)
                place = inside(config if base is None else f"{base}/x", target)
                yield from (place,) if place else ()
        if base is not None:
            yield f"{base}/{module}".lstrip("/")
        for one in said if chain else ():
            if one.form == "extends" and one.module.startswith(".") and (other := inside(config, one.module)):
                other = other if other in self._facts["ts"] else f"{other}.json"
                yield from self._mapped(other, module, chain - 1)

    def _by_package(self, path: str, module: str) -> Iterator[str]:
        name = _package(module)
        manifests = (
            _nearest_first(path, [one for one in self._facts["npm"] if path.startswith(_folder(one))])[:1]
            if name == "#"
            else self._named_by("npm", path, name)
        )
        for manifest in manifests:
            part = module if name == "#" else f".{module.removeprefix(name)}"
            yield from _parts(manifest, self._facts["npm"][manifest], part)

    def _named_by(self, kind: str, path: str, name: str) -> list[str]:
        """The manifests that call themselves ``name``, the nearest first."""
        if kind not in self._named:
            named: dict[str, list[str]] = {}
            for manifest, said in sorted(self._facts[kind].items()):
                for one in said:
                    if one.form == "package":
                        named.setdefault(_crate(one.module) if kind == "crate" else one.module, []).append(
                            manifest
                        )
            self._named[kind] = named
        return _nearest_first(path, self._named[kind].get(name, ()))


def _said(facts: Sequence[Import]) -> list[tuple[str, str, str, list[tuple[str, str]]]]:
    """The facts without their lines: a manifest that only grew changes nothing."""
    return [(one.form, one.module, one.alias, one.names) for one in facts]


def _touched(kind: str, path: str, one: Import) -> Iterator[str]:
    if kind not in ("npm", "crate"):
        yield f"via:{kind}"
    elif one.form == "package":
        if kind == "npm":
            yield f"via:npm:/{_folder(path).rstrip('/')}"
        yield f"via:{kind}:{_crate(one.module) if kind == 'crate' else one.module}"
    elif one.form == "alias":
        yield "via:npm:#" if kind == "npm" else f"via:crate:{_crate(one.alias)}"


def _rule(path: str, one: Import) -> Iterator[Rule]:
    """Prefixes end at a separator, which the name gets too; a base is a rule for every name."""
    place = "" if one.form == "package" else inside(path, one.module)
    if one.form == "package":
        yield Rule(one.module + "/", _folder(path).rstrip("/"))
    elif place is not None:
        prefix = one.alias.replace("\\", "/").replace(
            ".", "/" if one.form == "alias" and "/" not in one.alias else "."
        )
        yield Rule(prefix.rstrip("/") + "/" if prefix else "", place)


def _parts(manifest: str, said: Sequence[Import], part: str) -> Iterator[str]:
    """Where a part of a package lies: what its entries say, else the part's own path, also below ``src``.

    An entry that is built (``dist/x.js``) is looked for in ``src`` too.
    """
    folder = _folder(manifest)
    for one in said:
        names = [one.alias] if one.form == "alias" else [name for name, _ in one.names]
        for rest in (_rest(name, part) for name in names):
            if rest is not None and (place := inside(manifest, one.module.replace("*", rest))):
                yield place
                built, slash, name = place[len(folder) :].partition("/")
                if slash and built in ("dist", "lib", "build", "out", "esm"):
                    yield f"{folder}src/{name}"
    own = part.removeprefix(".").strip("/")
    if not part.startswith("#"):
        yield from (f"{folder}{inner}{own}".rstrip("/") for inner in ("src/", ""))


def _rest(pattern: str, name: str) -> str | None:
    """What ``*`` of the pattern stands for in ``name``; "" where they are equal, None where they differ."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if pattern == name else None
    fits = len(name) > len(before) + len(after) and name.startswith(before) and name.endswith(after)
    return name[len(before) : len(name) - len(after)] if fits else None


def _package(module: str) -> str:
    """The part of a bare module that names its package: a, @a/b; # for a package's own names."""
    if module.startswith("#"):
        return "#"
    return "/".join(module.split("/")[: 2 if module.startswith("@") else 1])


def _crate(name: str) -> str:
    return name.replace("-", "_")


def _folder(path: str) -> str:
    """With its slash, "" for the root."""
    return path[: path.rfind("/") + 1]


def _nearest_first(path: str, manifests: Sequence[str]) -> list[str]:
    return sorted(manifests, key=lambda one: (-shared(path, one), one.count("/"), one))
