"""navlog for MCP clients: a shim for standard input and output, and streamable HTTP as an extra.

Both only carry: what the tools do is the daemon's verb `tool` (`navlog.daemon.mcp.tooling`); what they are
called and take stands in tools.json, which both read.
"""
