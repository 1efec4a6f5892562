"""What the rooms together are to the service: verbs to answer with, a state to show, a way to end.

`navlog.daemon.service` builds one; tests build small ones.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from prometheus_client.registry import Collector

from navlog.daemon.home import Home
from navlog.daemon.journal import Held
from navlog.daemon.verbs import Verbs
from navlog.schemas.control import HouseState
from navlog.schemas.settings import Settings


@dataclass(frozen=True)
class House:
    """``state`` is asked at every status, health and scrape: it must not block.

    ``fatal`` says why the process has to end and start anew ("" while it need not): a disk that failed a
    write may have lied about others, and only a new descriptor tells. ``collectors`` count what the rooms do,
    for `/metrics`.
    """

    verbs: Verbs = field(default_factory=dict)
    state: Callable[[], HouseState] = HouseState
    fatal: Callable[[], str] = str
    collectors: Sequence[Collector] = ()


# Opens the rooms under the held lock of the log; what must be closed is pushed on the stack, which ends it in
# the opposite order.
Compose = Callable[[Home, Settings, Held, ExitStack], House]
