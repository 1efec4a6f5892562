"""The coding agents that navlog listens to: what each says at its hooks, and how it is answered.

A module a host translates its payloads; `hooking` is the verb behind them all; `hook.py` is the client that
an agent runs, and imports nothing from here.
"""
