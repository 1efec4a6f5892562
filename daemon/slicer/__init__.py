"""The reactor: when the graph has applied a change, its record is formed and appended.

`slicer` follows the log and decides what is due, `forming` gathers what one record needs, `texts` reads the
texts before and after. It refuses to answer anybody, and to run on a replay: then the records are in the log.
"""

from navlog.daemon.slicer.slicer import Slicer

__all__ = ["Slicer"]
