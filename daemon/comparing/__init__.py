"""Routing compared on a person's own cases: what each way of looking finds, and what it costs to read."""
