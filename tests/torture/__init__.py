"""The torture suite: the promises of docs/reliability.md against the real kernel. Run by `make torture`."""
