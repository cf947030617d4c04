"""Files of exact values."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from . import _native
from ._arrays import pairs
from ._errors import TableError, UnknownPositionError
from ._native import Board
from ._oracle import bitboards

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

T = TypeVar("T")


class Entry(NamedTuple):
    """What a table holds of a position, for the side to move."""

    score: int
    #: The stored best move, `"pa"` for a forced pass; `None` when the game is over, or where only the score is stored.
    best: str | None


class Probed(NamedTuple):
    """What a table holds of many positions."""

    #: Scores; -128, which is no score, where the position is not stored.
    score: NDArray[np.int8]
    #: Squares of the stored moves, `8 * row + column`; 64 for a pass, -1 where there is none.
    best: NDArray[np.int8]
    #: Whether the position is stored.
    stored: NDArray[np.bool_]


class Table:
    """A table of exact values: a file that is mapped into memory, or a table of the package.

    What is not stored is never guessed: `probe` raises `UnknownPositionError`, a `KeyError`. Turned and mirrored
    positions have one entry. A table may be used by several threads, and in a child after a fork.

    >>> from reversi_oracle import Board, Table
    >>> with Table.find("6x6") as table:
    ...     table.probe(Board("6x6"))
    Entry(score=-4, best='c2')
    """

    def __init__(self, native: _native.Table) -> None:
        self._native = native

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Table:
        """Opens a file. Its header is checked now, each block when it is read first, all of them by `check`."""
        return Table(_native.Table._open(path))

    @staticmethod
    def find(
        size: str,
        *,
        goal: str = "normal",
        scoring: str | None = None,
        start: str = "diagonal",
        data: str | os.PathLike[str] | None = None,
    ) -> Table:
        """The table of a board: from `data`, from `$REVERSI_DATA` or of the package. `FileNotFoundError` if none is there."""
        found = _native.Table._find(size, goal, scoring, start, data)
        if found is None:
            raise FileNotFoundError(f"there is no table of {size}, {goal} goal, {start} start")
        return Table(found)

    def probe(self, board: Board) -> Entry:
        """What is stored of a position; `UnknownPositionError` if nothing is."""
        found = self._native._probe(board)
        if found is None:
            raise UnknownPositionError(f"the table does not hold {board.text}")
        return Entry(*found)

    @overload
    def get(self, board: Board) -> Entry | None: ...

    @overload
    def get(self, board: Board, default: T) -> Entry | T: ...

    def get(self, board: Board, default: Any = None) -> Any:
        """The same, with `default` where nothing is stored."""
        found = self._native._probe(board)
        return default if found is None else Entry(*found)

    def __getitem__(self, board: Board) -> Entry:
        return self.probe(board)

    def __contains__(self, board: object) -> bool:
        return isinstance(board, Board) and self._is_of(board) and self._native._probe(board) is not None

    def _is_of(self, board: Board) -> bool:
        return (board.size, board.goal, board.scoring) == (self.size, self.goal, self.scoring)

    def __len__(self) -> int:
        return len(self._native)

    def __iter__(self) -> Iterator[tuple[Board, Entry]]:
        """All entries, most empty squares first; each position as it stands for its images, Black to move."""
        return ((board, Entry(*found)) for board, found in self._native._iterate())

    @overload
    def probe_many(
        self, player: Sequence[Board], opponent: None = None, *, threads: int | None = None
    ) -> Probed: ...

    @overload
    def probe_many(
        self, player: ArrayLike, opponent: ArrayLike, *, threads: int | None = None
    ) -> Probed: ...

    def probe_many(
        self, player: Any, opponent: ArrayLike | None = None, *, threads: int | None = None
    ) -> Probed:
        """Looks up many positions without the GIL, on several threads: boards, or bitboards of both sides."""
        if opponent is None:
            boards = list(player)
            for place, board in enumerate(boards):
                if not self._is_of(board):
                    raise ValueError(f"board {place} is of another game than the table")
            player, opponent = bitboards(boards)
        own, other = pairs(player, opponent)
        found = self._native._probe_many(own.ravel(), other.ravel(), threads=threads)
        score, best, stored = found
        return Probed(score.reshape(own.shape), best.reshape(own.shape), stored.reshape(own.shape))

    def check(self) -> int:
        """Reads the whole table and checks every checksum; the number of blocks. `TableError` where it is damaged."""
        return self._native.check()

    @property
    def path(self) -> str:
        """The whole path of the file, or words for a table of the package."""
        return self._native.path

    @property
    def size(self) -> str:
        """The size of the board, such as `"6x6"`."""
        return self._native.size

    @property
    def goal(self) -> str:
        """`"normal"` or `"reversed"`."""
        return self._native.goal

    @property
    def scoring(self) -> str:
        """`"raw"` or `"winner"`."""
        return self._native.scoring

    @property
    def roots(self) -> list[Board]:
        """The positions from which the table was made."""
        return self._native.roots

    @property
    def closed(self) -> bool:
        """Whether the table is closed."""
        return self._native.closed

    def close(self) -> None:
        """Closes the table; it answers no more."""
        self._native.close()

    def __enter__(self) -> Table:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        if not self._native._is_built_in:
            return Table.open, (self.path,)
        starts = (start for start in ("diagonal", "parallel") if self.roots[0] == self._start(start))
        return _find, (self.size, self.goal, self.scoring, next(starts))

    def _start(self, start: str) -> Board:
        return Board(self.size, goal=self.goal, scoring=self.scoring, start=start)

    def __repr__(self) -> str:
        if self.closed:
            return "<Table, closed>"
        try:
            return f"<Table {self.size} {self.goal} {self.scoring}, {len(self)} positions, {self.path}>"
        except (OSError, TableError) as error:
            # After a fork it is opened again when it is used, and its file may be gone.
            return f"<Table, {error}>"


def _find(size: str, goal: str, scoring: str, start: str) -> Table:
    return Table.find(size, goal=goal, scoring=scoring, start=start)
