"""Secrets become marks before anything is kept. Refuses the network, files and guesses without a key name.

Three doors: `Redactor.text` for a string, `Redactor.content` for a file's bytes, `Redactor.draft` for an
event about to be appended. `shred` takes back a secret that got in.
"""

from navlog.daemon.redact.redactor import Redacted, Redactor

__all__ = ["Redacted", "Redactor"]
