"""Perfect play on small Othello boards, and a judge of engines.

>>> from reversi_oracle import Board, Oracle
>>> oracle = Oracle()
>>> oracle.value(Board("6x6"))
-4
>>> oracle.best(Board("6x6"))
'c2'

A *value* is the difference in discs at the end with best play from both sides, for the side to move; under the reversed
goal its sign is turned, so that more is better there too. Values are exact: they come from a table or from a search to
the end of the game. Times are in seconds.
"""

from __future__ import annotations

import atexit as _atexit
import os as _os
import sys as _sys
from pathlib import Path as _Path

from ._errors import (
    GameNotOverError,
    IllegalMoveError,
    InternalError,
    OutOfTimeError,
    PlayerError,
    ReversiError,
    TableError,
    TextError,
    UnknownPositionError,
)
from ._loader import load as _load

#: The x86-64 level of the code in use: 1 (any processor), 3 (AVX2) or 4 (AVX-512); 0 on other machines.
CPU_LEVEL: int = _load()

from . import _native
from ._native import Board

_native.use_data(_Path(__file__).parent / "data")
_atexit.register(_native.end_calls)


def _end_imports() -> None:
    """Waits for another thread that imports numpy: a child of a fork would wait for it for ever."""
    if "numpy" in _sys.modules:
        import numpy as _


if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_end_imports)

from ._checking import CheckReport, Disagreement, RegretReport, RegretRow, check, regret
from ._games import Game, Match, play, play_match, read_games
from ._oracle import Answer, MoveValue, Oracle, bitboards, sample_positions
from ._players import Choice, Engine, GtpPlayer, Player, player_names
from ._solver import Solution, solve
from ._table import Entry, Probed, Table

__all__ = [
    "CPU_LEVEL",
    "Answer",
    "Board",
    "CheckReport",
    "Choice",
    "Disagreement",
    "Engine",
    "Entry",
    "Game",
    "GameNotOverError",
    "GtpPlayer",
    "IllegalMoveError",
    "InternalError",
    "Match",
    "MoveValue",
    "Oracle",
    "OutOfTimeError",
    "Player",
    "PlayerError",
    "Probed",
    "RegretReport",
    "RegretRow",
    "ReversiError",
    "Solution",
    "Table",
    "TableError",
    "TextError",
    "UnknownPositionError",
    "bitboards",
    "check",
    "play",
    "play_match",
    "player_names",
    "read_games",
    "regret",
    "sample_positions",
    "solve",
]
