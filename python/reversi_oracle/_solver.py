"""Exact search without tables."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native
from ._native import Board


@dataclass(frozen=True)
class Solution:
    """What a search has proved."""

    #: Bounds of the score for the side to move, in discs.
    lower: int
    upper: int
    #: A best move, `"pa"` for a forced pass; `None` when the game is over, or where none was found in time.
    best: str | None
    #: Positions visited.
    nodes: int
    #: Best play from the position on; empty where the score is not known.
    line: list[str]
    #: Time of the search, without the line.
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the score is known."""
        return self.lower == self.upper

    @property
    def score(self) -> int | None:
        """The exact score; `None` where time was over, or where only the winner was asked for."""
        return self.lower if self.exact else None

    @property
    def outcome(self) -> str | None:
        """`"win"`, `"draw"` or `"loss"` for the side to move; `None` where time was over before that was known."""
        least, most = _outcome(self.lower), _outcome(self.upper)
        return least if least == most else None


def _outcome(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def solve(
    board: Board,
    *,
    threads: int | None = None,
    time: float | None = None,
    wld: bool = False,
    memory: int | None = None,
) -> Solution:
    """Searches a position to the end of the game, without any table, as `reversi solve` does.

    `threads` is all cores by default, `memory` (bytes) 1 GiB or half of what is free. With `wld` only who wins is
    found, which is faster. When `time` (seconds) is over, what is proved by then is returned. Ctrl-C ends the search.
    """
    found = _native.solve(board, threads=threads, time=time, wld=wld, memory=memory)
    return Solution(*found)
