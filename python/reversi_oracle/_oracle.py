"""Exact values by tables and by search."""

from __future__ import annotations

import os
from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from . import _native
from ._arrays import pairs
from ._native import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray


class MoveValue(NamedTuple):
    """A legal move and its exact value for the side that makes it."""

    move: str
    value: int


class Answer(NamedTuple):
    """Everything about a position; sources are `"table"` or `"search"`."""

    value: int
    source: str
    #: All best moves, in the order of the board; `["pa"]` for a forced pass.
    best: list[str]
    #: All legal moves, best first.
    moves: list[MoveValue]
    #: Best play from the position on, passes included.
    line: list[str]
    #: Whether the line reaches the end of the game.
    line_complete: bool


class Oracle(_native.Oracle):
    """Exact values of any position: from tables where they hold it, else by search to the end of the game.

    Tables and weights are looked for in `data`, in the directory that `$REVERSI_DATA` names, and in the package.
    `threads` (all cores by default) and `memory` (bytes; 1 GiB, or half of what is free) are limits of a search.

    An oracle may be used by several threads of Python, and in a child after a fork. Ctrl-C ends a search. Where `time`
    is given and over, a question ends with `OutOfTimeError`.
    """

    _arguments: tuple[Any, int | None, int | None]

    def __new__(
        cls,
        data: str | os.PathLike[str] | None = None,
        *,
        threads: int | None = None,
        memory: int | None = None,
    ) -> Oracle:
        oracle = super().__new__(cls, data, threads=threads, memory=memory)
        oracle._arguments = (data, threads, memory)
        return oracle

    def __reduce__(self) -> tuple[Any, ...]:
        return _oracle, (type(self), *self._arguments)

    def moves(self, board: Board, *, time: float | None = None) -> list[MoveValue]:
        """All legal moves with their exact values, best first, equal ones in the order of the board."""
        return self.answer(board, time=time).moves

    def best_moves(self, board: Board, *, time: float | None = None) -> list[str]:
        """All best moves, in the order of the board; empty when the game is over."""
        return self.answer(board, time=time).best

    def answer(self, board: Board, *, full_line: bool = False, time: float | None = None) -> Answer:
        """Value, moves and a line of best play, which ends where the table ends unless `full_line` is set."""
        value, source, scored, line, complete = self._answer(board, full_line=full_line, time=time)
        moves = [MoveValue(move, score) for move, score, _ in scored]
        return Answer(value, source, [move for move, score in moves if score == value], moves, line, complete)

    @overload
    def value_many(
        self,
        player: Sequence[Board],
        opponent: None = None,
        like: None = None,
        *,
        threads: int | None = None,
        time: float | None = None,
    ) -> NDArray[np.int8]: ...

    @overload
    def value_many(
        self,
        player: ArrayLike,
        opponent: ArrayLike,
        like: Board,
        *,
        threads: int | None = None,
        time: float | None = None,
    ) -> NDArray[np.int8]: ...

    def value_many(
        self,
        player: Any,
        opponent: ArrayLike | None = None,
        like: Board | None = None,
        *,
        threads: int | None = None,
        time: float | None = None,
    ) -> NDArray[np.int8]:
        """The exact values of many positions, without the GIL, on several threads.

        Either a sequence of boards of one size and rules, or two arrays of bitboards, of the side to move and of the
        other side (bit `8 * row + column` is a square), and a board whose size and rules count.
        """
        if opponent is None and like is None:
            return self._value_boards(list(player), threads=threads, time=time)
        if opponent is None or like is None:
            raise TypeError("value_many takes boards, or bitboards of both sides and a board like them")
        own, other = pairs(player, opponent)
        values = self._value_many(own.ravel(), other.ravel(), like, threads=threads, time=time)
        return values.reshape(own.shape)


def _oracle(cls: type[Oracle], data: Any, threads: int | None, memory: int | None) -> Oracle:
    return cls(data, threads=threads, memory=memory)


def bitboards(boards: Sequence[Board]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The discs of the side to move and of the other side of each board, as arrays of 64-bit masks."""
    import numpy as np

    player = np.array([board.player for board in boards], dtype=np.uint64)
    return player, np.array([board.opponent for board in boards], dtype=np.uint64)


def sample_positions(
    board: Board | None = None, empties: int | tuple[int, int] = 14, n: int = 100, seed: int = 1
) -> list[Board]:
    """Positions of random games that begin on `board` (the start of 6x6 by default), each with its moves.

    `empties` is their number of empty squares, or the least and the largest. In each the side to move has a move, and no
    two are alike, turned and mirrored ones included; fewer than `n` where there are not so many. The same seed gives
    the same positions, those of the program's `reversi sample`.
    """
    pair = empties if isinstance(empties, tuple) else (empties, empties)
    if len(pair) != 2:
        raise ValueError("empties: write a number, or the least and the largest")
    least, most = (index(number) for number in pair)
    if least < 1 or n < 0:
        raise ValueError("empties are at least 1, and n is not negative")
    return _native.sample(Board("6x6") if board is None else board, least, most, n, seed)
