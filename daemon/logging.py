"""The daemon's own log: one JSON object a line, stable short events, the request's trace in every line.

Three targets: the file ``daemon.log`` (rotated by size), standard error as JSON lines (the journal keeps
them under systemd), or a terminal for a person. Never logs a request's texts: they may hold secrets.
"""

import logging
import secrets
import sys
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Literal

import structlog
from structlog.typing import EventDict, Processor

Target = Literal["file", "stderr", "terminal"]
FILE_BYTES = 4 * 1024 * 1024
FILES_KEPT = 2


def set_up(target: Target, path: Path) -> None:
    """Sends structlog's lines and those of libraries to ``target``; ``path`` is the file's.

    A line that no request led to bears a trace of this start's own.
    """
    own = f"daemon-{secrets.token_hex(4)}"
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        partial(_traced, own),
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="at"),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    handler = _handler(target, path)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering(target)],
        )
    )
    root = logging.getLogger()
    for previous in root.handlers[:]:
        root.removeHandler(previous)
        previous.close()
    root.addHandler(handler)
    root.setLevel(logging.INFO)


def _traced(own: str, _logger: object, _method: str, event: EventDict) -> EventDict:
    event.setdefault("trace", own)
    return event


def _handler(target: Target, path: Path) -> logging.Handler:
    if target == "file":
        return RotatingFileHandler(path, maxBytes=FILE_BYTES, backupCount=FILES_KEPT, encoding="utf-8")
    return logging.StreamHandler(sys.stderr)


def _rendering(target: Target) -> list[Processor]:
    if target == "terminal":
        return [structlog.dev.ConsoleRenderer()]
    return [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(ensure_ascii=False)]
