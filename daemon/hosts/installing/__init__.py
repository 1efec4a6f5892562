"""Puts navlog into the settings of the hosts, at the user's level, and takes it out again.

Only adds to what is there, and keeps formatting and comments; what it added is taken away byte for byte.
Refuses files it cannot read, and never touches a project.
"""
