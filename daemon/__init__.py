"""The edges: files, sockets, processes, clocks, git, and the command a person types."""
