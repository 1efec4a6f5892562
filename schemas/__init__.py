"""The ground floor: the shapes of what is written down and of what is said over the socket.

Imports the standard library and msgspec only, and touches no file, socket, clock or source of randomness.
"""
