"""The command a person types: asks the daemon, prints what a person can use.

Modules here import click and the client; everything heavier is imported by the command that needs it.
"""
