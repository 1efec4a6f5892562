"""The vault on the disk: written one way, in our own folder, only what bears our mark.

Refuses to read a page for anything but this mark and equality, to follow a link, and to write `.obsidian/`.
"""
