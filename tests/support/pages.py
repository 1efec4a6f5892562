"""A small project as a view, for what looks for pointers in it."""

from navlog.projections.views import FileView, ProjectView
from navlog.schemas.events import Symbol


def view_of(files: dict[str, list[str]]) -> ProjectView:
    """``files``: path -> names of its functions."""
    view = ProjectView()
    for path, names in files.items():
        symbols = [Symbol(name, "function", line, line) for line, name in enumerate(names, 1)]
        words = {"1": " ".join([*names, *path.replace("/", " ").replace(".", " ").split()]).lower()}
        view.put(FileView(path, path, "python", 1, 1, 1.0, symbols=symbols), words)
    return view
