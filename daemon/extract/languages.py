"""Which language a file is in, and what reading that language takes: data, no behaviour.

Decided by the file's name, then by its first line. Adding a language: a row here, a ``.scm`` file in
``queries/``, a fixture with its table in the tests.
"""

import re
from typing import NamedTuple


class Wheel(NamedTuple):
    """Where a grammar comes from: a distribution that installs a module of the same name."""

    distribution: str
    function: str = "language"

    @property
    def module(self) -> str:
        return self.distribution.replace("-", "_")


class Bundled(NamedTuple):
    """A grammar in the breadth bundle, which has wheels up to CPython 3.12 only; elsewhere lines must do."""

    name: str

    @property
    def distribution(self) -> str:
        return "tree-sitter-languages"


class Language(NamedTuple):
    """What reading a language takes.

    ``grammar`` is None where lines must do; ``queries`` are the files whose patterns are joined;
    ``comment`` is how a line of comment begins: a key of `comments.LINE_MARKS`.
    """

    name: str
    suffixes: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    grammar: Wheel | Bundled | None = None
    queries: tuple[str, ...] = ()
    comment: str = "//"


LANGUAGES: tuple[Language, ...] = (
    Language(
        "python", (".py", ".pyi", ".pyw", ".wsgi"), ("SConstruct", "SConscript"),
        Wheel("tree-sitter-python"), ("python",), "#",
    ),
    Language(
        "javascript", (".js", ".mjs", ".cjs", ".jsx"), (),
        Wheel("tree-sitter-javascript"), ("ecmascript", "javascript", "jsx"),
    ),
    Language(
        "typescript", (".ts", ".mts", ".cts"), (),
        Wheel("tree-sitter-typescript", "language_typescript"), ("ecmascript", "typescript"),
    ),
    Language(
        "tsx", (".tsx",), (),
        Wheel("tree-sitter-typescript", "language_tsx"), ("ecmascript", "typescript", "jsx"),
    ),
    Language("go", (".go",), (), Wheel("tree-sitter-go"), ("go",)),
    Language("rust", (".rs",), (), Wheel("tree-sitter-rust"), ("rust",)),
    Language("java", (".java",), (), Wheel("tree-sitter-java"), ("java",)),
    Language("c", (".c", ".h"), (), Wheel("tree-sitter-c"), ("c",)),
    Language(
        "cpp",
        (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".ipp", ".inl", ".cu", ".cuh", ".ino"), (),
        Wheel("tree-sitter-cpp"), ("cpp", "c"),
    ),
    Language(
        "ruby", (".rb", ".rake", ".gemspec", ".ru"), ("Rakefile", "Gemfile", "Guardfile", "Vagrantfile"),
        Wheel("tree-sitter-ruby"), ("ruby",), "#",
    ),
    Language("csharp", (".cs", ".csx"), (), Wheel("tree-sitter-c-sharp"), ("csharp",)),
    Language("php", (".php", ".phtml", ".inc"), (), Wheel("tree-sitter-php", "language_php"), ("php",)),
    Language(
        "bash", (".sh", ".bash", ".zsh", ".ksh", ".bats"), (".bashrc", ".zshrc", ".profile", "PKGBUILD"),
        Wheel("tree-sitter-bash"), ("bash",), "#",
    ),
    Language("kotlin", (".kt", ".kts"), (), Wheel("tree-sitter-kotlin"), ("kotlin",)),
    Language("swift", (".swift",), (), Wheel("tree-sitter-swift"), ("swift",)),
    Language("scala", (".scala", ".sc", ".sbt"), (), Wheel("tree-sitter-scala"), ("scala",)),
    Language("lua", (".lua",), (), Wheel("tree-sitter-lua"), ("lua",), "--"),
    Language("sql", (".sql", ".ddl"), (), Wheel("tree-sitter-sql"), ("sql",), "--"),
    Language("html", (".html", ".htm", ".xhtml"), (), Wheel("tree-sitter-html"), ("html",)),
    Language("vue", (".vue",), (), Wheel("tree-sitter-html"), ("html", "component")),
    Language("svelte", (".svelte", ".astro"), (), Wheel("tree-sitter-html"), ("html", "component")),
    Language("css", (".css",), (), Wheel("tree-sitter-css"), ("css",)),
    Language(
        "json",
        (".json", ".jsonc", ".webmanifest", ".geojson", ".ipynb"), (".babelrc", ".eslintrc", "composer.lock"),
        Wheel("tree-sitter-json"), ("json",),
    ),
    Language(
        "yaml", (".yaml", ".yml"), (".clang-format", ".clang-tidy"),
        Wheel("tree-sitter-yaml"), ("yaml",), "#",
    ),
    Language(
        "toml", (".toml",), ("Pipfile", "Cargo.lock", "poetry.lock", "uv.lock"),
        Wheel("tree-sitter-toml"), ("toml",), "#",
    ),
    Language(
        "dockerfile", (".dockerfile", ".containerfile"), ("Dockerfile", "Containerfile"),
        Wheel("tree-sitter-containerfile"), ("dockerfile",), "#",
    ),
    Language(
        "make", (".mk", ".mak"), ("Makefile", "makefile", "GNUmakefile"),
        Wheel("tree-sitter-make"), ("make",), "#",
    ),
    Language(
        "markdown", (".md", ".markdown", ".mdx", ".mdc"), (),
        Wheel("tree-sitter-markdown"), ("markdown",),
    ),
    Language("elixir", (".ex", ".exs"), (), Bundled("elixir"), ("elixir",), "#"),
    Language("erlang", (".erl", ".hrl"), (), Bundled("erlang"), ("erlang",), "%"),
    Language("haskell", (".hs",), (), Bundled("haskell"), ("haskell",), "--"),
    Language("ocaml", (".ml",), (), Bundled("ocaml"), ("ocaml",)),
    Language("perl", (".pl", ".pm"), (), Bundled("perl"), ("perl",), "#"),
    Language("r", (".r",), (), Bundled("r"), ("r",), "#"),
    Language("julia", (".jl",), (), Bundled("julia"), ("julia",), "#"),
    Language("objc", (".m", ".mm"), (), Bundled("objc"), ("objc",)),
    Language("elm", (".elm",), (), Bundled("elm"), ("elm",), "--"),
    Language("elisp", (".el",), (), Bundled("elisp"), ("elisp",), ";"),
    Language("rst", (".rst",)),
    Language(
        "text", (".txt", ".text"),
        ("README", "LICENSE", "AUTHORS", "CHANGES", "NEWS", "TODO", "INSTALL"),
    ),
    Language("gettext", (".po", ".pot"), comment="#"),
    Language("gomod", (), ("go.mod", "go.work")),
    Language(
        "ini", (".ini", ".cfg", ".properties", ".env"), (".editorconfig", ".flake8", ".pylintrc"),
        comment="#",
    ),
)  # fmt: skip
BY_NAME = {language.name: language for language in LANGUAGES}
UNKNOWN = Language("")

BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
BY_FILE_NAME = {name: language for language in LANGUAGES for name in language.names}
SHEBANG = re.compile(rb"#!\s*\S*?/(?:env\s+(?:-\S+\s+)*)?([a-z]+)[\d.]*\s")
INTERPRETERS = {
    "python": "python", "pypy": "python", "node": "javascript", "nodejs": "javascript", "deno": "typescript",
    "bun": "typescript", "sh": "bash", "bash": "bash", "zsh": "bash", "dash": "bash", "ksh": "bash",
    "ruby": "ruby", "php": "php", "lua": "lua", "make": "make", "swift": "swift", "scala": "scala",
    "kotlin": "kotlin", "perl": "perl", "elixir": "elixir", "escript": "erlang", "runhaskell": "haskell",
}  # fmt: skip
# Of names whose suffix says nothing.
BEGINNINGS = (("Dockerfile.", "dockerfile"), ("Containerfile.", "dockerfile"), (".env", "ini"))
# A header belongs to C until it says something that C cannot.
CPP_HEADER = re.compile(
    rb"^\s*(?:class\s+\w|namespace\s|template\s*<|using\s|public:|private:|protected:)", re.MULTILINE
)

_PRECEDENCE = {language.name: place for place, language in enumerate(LANGUAGES)}


def precedence(language: str) -> int:
    """Which of two languages the same bytes are read in: the lower; the order of LANGUAGES, code first."""
    return -1 if language == "binary" else _PRECEDENCE.get(language, len(LANGUAGES))


def language_of(path: str, data: bytes = b"") -> Language:
    """The language by ``path``'s name, else by the interpreter its first line names; UNKNOWN otherwise."""
    name = path.rpartition("/")[2]  # no pathlib: asked for every file of a checkout
    stem, dot, suffix = name.rpartition(".")
    found = BY_FILE_NAME.get(name) or BY_SUFFIX.get(f"{dot}{suffix}".lower() if stem else "")
    if found is BY_NAME["c"] and name.endswith((".h", ".H")) and CPP_HEADER.search(data):
        return BY_NAME["cpp"]
    found = found or next((BY_NAME[known] for begin, known in BEGINNINGS if name.startswith(begin)), None)
    if found:
        return found
    shebang = SHEBANG.match(data[:128])
    return BY_NAME.get(INTERPRETERS.get(shebang[1].decode(), "") if shebang else "", UNKNOWN)
