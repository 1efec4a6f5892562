"""Where the settings want the vault, and what it is made of."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import cast

from navlog.daemon.home import Home
from navlog.daemon.journal import Journal
from navlog.daemon.vault.folder import VaultFolder, obsidian_root
from navlog.daemon.vault.keeper import Keeper
from navlog.projections.concepts import ConceptsView
from navlog.projections.graph import GraphProjection
from navlog.projections.graph.state import Header
from navlog.projections.pages import Vault
from navlog.projections.projector import Projector
from navlog.projections.store import Store
from navlog.projections.vault.reading import Reader, Sources
from navlog.projections.views import ProjectView
from navlog.schemas import settings
from navlog.schemas.errors import UsageError


def open_vault(
    wanted: settings.Vault,
    home: Home,
    logs: tuple[Journal, Journal],
    projectors: Sequence[Projector],
    store: Store,
    views: Mapping[str, ProjectView],
    concepts: ConceptsView,
) -> Keeper:
    """The keeper, not started; the graph's is the first of ``projectors``. Raises `UsageError`."""
    path = vault_path(wanted, home)
    folder = VaultFolder(path) if path else None

    def headers() -> Mapping[str, Header]:
        # A replay puts another projection in the place of the one opened here: ask the projector.
        return cast("GraphProjection", projectors[0].projection).projects

    def roots() -> Iterable[Path]:
        return [Path(header.root) for header in headers().values()]

    reader = Reader(Sources(store, headers, views, concepts.concepts_of), wanted.files)
    return Keeper(folder, vault_of(wanted, path), reader, logs, projectors, roots)


def vault_path(wanted: settings.Vault, home: Home) -> Path | None:
    """The vault's folder, None where none is wanted; raises `UsageError` for one that can never be right."""
    if not wanted.path:
        return None
    path = Path(wanted.path).expanduser()
    if not path.is_absolute():
        raise UsageError(
            f"[vault] path = {wanted.path!r} is not absolute.", hint="Write it whole, or with ~/."
        )
    if path.is_relative_to(home.data) or home.data.is_relative_to(path):
        raise UsageError(
            f"[vault] path = {wanted.path!r} and the data home hold one another.", hint="Name another."
        )
    # Links above it are a person's own business; the folder itself must be none.
    return path.parent.resolve() / path.name


def vault_of(wanted: settings.Vault, path: Path | None) -> Vault:
    """How the pages are to be written. Links and tables count from the root that Obsidian opens."""
    if path is None:
        return Vault(wanted.language)
    inside = path.relative_to(obsidian_root(path))
    return Vault(wanted.language, f"{inside.as_posix()}/" if inside.parts else "")
