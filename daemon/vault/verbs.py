"""What can be asked of the vault: a whole look, by itself or at the end of a replay."""

from time import monotonic

from navlog.daemon.vault.keeper import Keeper
from navlog.daemon.verbs import Report, Verb, Verbs
from navlog.schemas.control import Nothing, Replayed, VaultReply

NAME = "vault"  # beside the projections, in `status` and `replay`


def verbs(keeper: Keeper) -> Verbs:
    """`vault-write`: every page compared with what lies there."""

    def write(_args: Nothing, _trace: str, _report: Report) -> VaultReply:
        began = monotonic()
        done = keeper.write()
        return VaultReply(
            path=str(keeper.folder.root) if keeper.folder else "",
            pages=done.pages,
            written=done.written,
            removed=done.removed,
            theirs=list(done.theirs),
            position=keeper.position,
            elapsed_s=round(monotonic() - began, 3),
        )

    return {"vault-write": Verb(write, looks=False, timeout_s=None)}


def replayed(keeper: Keeper) -> Replayed:
    """The vault again, after the projections it is made of."""
    done = keeper.write()
    return Replayed(
        name=NAME,
        events=keeper.position,
        overlays=keeper.overlays,
        digest=keeper.digest(),
        changed=bool(done.written or done.removed),
    )
