"""Pages for people: a model of the projects in, the texts of an Obsidian vault out.

Pure, and without a clock: the times on a page are those of events. Refuses to let a repository's words do
anything: `inert` is the only way a text gets onto a page, `names` the only way it gets into a file name.
"""

from navlog.projections.pages.memo import Memo
from navlog.projections.pages.sheet import Page
from navlog.projections.pages.vault import Vault, pages

__all__ = ["Memo", "Page", "Vault", "pages"]
