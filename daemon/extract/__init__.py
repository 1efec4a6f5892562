"""Text -> outline: decoding, grammars, definitions, uses, imports, chunks, words; in processes that can be
killed.

Knows nothing of the log, of projects or of DuckDB, and reads no file of a project: bytes come in, payloads
go out.
"""

from navlog.daemon.extract.decoding import Decoded, decode
from navlog.daemon.extract.outlining import EXTRACTOR, outline
from navlog.daemon.extract.pool import Extractor, decode_outline
from navlog.daemon.extract.searching import search_of

__all__ = ["EXTRACTOR", "Decoded", "Extractor", "decode", "decode_outline", "outline", "search_of"]
