"""What the use of a tool means for the project: read, modified, tested, searched, ran, and which paths.

By the tool's name and its input, whatever host it is of; for a shell by the command itself. A tool of a name
nobody knows is "other" and names no path.
"""

import re
from typing import Any, NamedTuple

from navlog.daemon.hosts.heard import Place
from navlog.daemon.hosts.payload import Payload
from navlog.daemon.hosts.places import inside
from navlog.daemon.hosts.shell import acts
from navlog.schemas.sessions import ToolKind


class Use(NamedTuple):
    """One meaning; ``said`` is the command, the pattern or the query."""

    kind: ToolKind
    paths: list[str]
    said: str = ""


_NAMES: dict[ToolKind, str] = {
    "read": "read view view_image notebookread read_file read_many_files cat open",
    "modified": "edit write multiedit notebookedit apply_patch patch str_replace write_file edit_file"
    " create_file replace str_replace_editor str_replace_based_edit_tool",
    "searched": "grep glob ls list find search codesearch websearch webfetch lsp toolsearch grep_search"
    " file_search list_dir list_directory search_file_content",
    "ran": "bash shell local_shell exec_command unified_exec run_shell_command terminal powershell",
}
_KIND: dict[str, ToolKind] = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_PATHS = ("file_path", "filePath", "path", "notebook_path", "filename", "file", "absolute_path")
_SAID = ("pattern", "query", "q", "url", "command", "description")
_PATCHED = re.compile(r"^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$", re.MULTILINE)
_PATCH = "*** Begin Patch"


def uses(tool: str, given: Any, place: Place) -> list[Use]:
    """The meanings of one call, what matters most last; never none."""
    fields = Payload(given if isinstance(given, dict) else {})
    text = command(given)
    if _PATCH in text:
        return [Use("modified", inside(place, _PATCHED.findall(text)))]
    kind = _KIND.get(tool.lower(), "other")
    if kind == "ran":
        return _of_shell(text, place, fields.text("workdir", "cwd"))
    if kind == "other":
        return [Use(kind, [])]
    return [Use(kind, inside(place, _named(fields)), fields.text(*_SAID))]


def command(given: Any) -> str:
    """The text of a command or of a patch, from a text, a list of words, or a field of either."""
    if isinstance(given, str):
        return given
    if isinstance(given, list):
        words = [word for word in given if isinstance(word, str)]
        return words[-1] if len(words) > 2 and words[1] in ("-c", "-lc") else " ".join(words)
    if isinstance(given, dict):
        found = (given.get(name) for name in ("command", "cmd", "input", "patch", "patchText", "script"))
        return command(next((one for one in found if isinstance(one, str | list)), ""))
    return ""


def _of_shell(text: str, place: Place, within: str) -> list[Use]:
    found = [Use(act.kind, inside(place, act.paths, within)) for act in acts(text)]
    last = found[-1] if found else Use("ran", [])
    return [*found[:-1], last._replace(said=text)]


def _named(fields: Payload) -> list[str]:
    many = fields.any("paths")
    named = [one for one in many if isinstance(one, str)] if isinstance(many, list) else []
    return [path for path in (*(fields.text(name) for name in _PATHS), *named) if path]
