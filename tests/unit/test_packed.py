"""A packed list is the list."""

from hypothesis import given
from hypothesis import strategies as st

from navlog.projections.packed import packed
from navlog.schemas.events import Chunk, Symbol

TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
LINES = st.integers(1, 10**6)


@given(st.lists(st.builds(Symbol, TEXT, TEXT, LINES, LINES, st.integers(-1, 50), TEXT, TEXT, st.booleans())))
def test_packed_symbols_read_as_they_were(symbols: list[Symbol]) -> None:
    held = packed(Symbol, symbols)
    assert list(held) == symbols
    assert len(held) == len(symbols)
    assert [held[at] for at in range(len(symbols))] == symbols
    assert packed(Symbol, held) == held


@given(st.lists(st.builds(Chunk, LINES, LINES, LINES), min_size=1))
def test_packed_chunks_equal_the_list_and_nothing_else(chunks: list[Chunk]) -> None:
    held = packed(Chunk, chunks)
    assert held == chunks
    assert held != [*chunks, Chunk(1, 1, 0)]
