"""R29: known secret formats never reach disk, whatever dress they wear."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from navlog.daemon.redact import Redactor
from navlog.schemas.settings import Security

ROOT = Path(__file__).parents[2]


def _corpus() -> ModuleType:
    spec = importlib.util.spec_from_file_location("secret_corpus", Path(__file__).with_name("secret_corpus.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
