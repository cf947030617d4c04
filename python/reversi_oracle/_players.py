"""Players: those of the program by their names, and other programs that speak GTP."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from . import _native
from ._native import Board

player_names = _native.player_names


@dataclass(frozen=True)
class Choice:
    """A move, and what a player thinks of it."""

    move: str
    #: The value for the side that makes the move: an `int` if it is proved, a `float` if it is estimated; `None` where
    #: the player has no estimate.
    value: int | float | None
    #: `"exact"` (proved), `"estimate"` (discs), `"points"` (of a player of old, not comparable) or `"none"`.
    kind: str
    #: Plies searched, and positions visited.
    depth: int
    nodes: int
    #: What the player expects, this move first.
    line: list[str]

    @property
    def exact(self) -> bool:
        """Whether the value is proved."""
        return self.kind == "exact"


def _choice(found: tuple[str, float | None, str, int, int, list[str]]) -> Choice:
    move, value, kind, depth, nodes, line = found
    return Choice(move, int(value) if value is not None and kind == "exact" else value, kind, depth, nodes, line)


class Player(_native.Player):
    """A player of the program by its name, such as `"alphabeta:4"` or `"engine:level=5"`; see `player_names()`.

    `threads` and `memory` (bytes) are limits of its searches, and `data` is where it looks for tables and weights
    first. A player keeps what it has seen from move to move; `new_game` forgets it. Several threads of Python may use
    one player, one at a time.
    """

    _arguments: tuple[Any, ...]

    def __new__(
        cls,
        name: str,
        *,
        threads: int | None = 1,
        memory: int | None = None,
        data: str | os.PathLike[str] | None = None,
    ) -> Player:
        player = super().__new__(cls, name, threads=threads, memory=memory, data=data)
        player._arguments = (name, threads, memory, data)
        return player

    def __reduce__(self) -> tuple[Any, ...]:
        return _named, self._arguments

    def play(self, board: Board, *, time: float | None = None) -> str:
        """The move of the player, within `time` seconds if given."""
        return self.choose(board, time=time).move

    def choose(self, board: Board, *, time: float | None = None) -> Choice:
        """The same with what it thinks of the move."""
        return _choice(self._choose(board, time=time))

    def hint(self, board: Board, *, time: float | None = None, depth: int | None = None) -> list[Choice]:
        """All legal moves with their values, best first, as deep as time, depth or the player allow.

        A player without a bound of its own thinks for 5 seconds. Empty where it has no estimate.
        """
        return [_choice(found) for found in self._hints(board, time=time, depth=depth)]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class Engine(Player):
    """The engine, on boards up to 8x8: at a `level` from 0 to 20 (10 by default), with `time` seconds for each move, or
    `depth` plies deep."""

    _time: float | None

    def __new__(
        cls,
        level: int | None = None,
        *,
        time: float | None = None,
        depth: int | None = None,
        threads: int | None = 1,
        memory: int | None = None,
        data: str | os.PathLike[str] | None = None,
    ) -> Engine:
        if level is None and time is None and depth is None:
            level = 10
        bounds = []
        if level is not None:
            bounds.append(f"level={level}")
        if depth is not None:
            bounds.append(f"depth={depth}")
        if time is not None:
            if not 0.001 <= time <= 1e6:
                raise ValueError(f"time is {time}; it lies between a millisecond and 1e6 seconds")
            bounds.append(f"time={round(1000 * time)}ms")
        name = "engine:" + ",".join(bounds)
        engine = super().__new__(cls, name, threads=threads, memory=memory, data=data)
        assert isinstance(engine, Engine)
        engine._arguments = (level, time, depth, threads, memory, data)
        engine._time = time
        return engine

    def __reduce__(self) -> tuple[Any, ...]:
        return _engine, self._arguments

    def hint(self, board: Board, *, time: float | None = None, depth: int | None = None) -> list[Choice]:
        """All legal moves with their values, best first: with the time, level or depth of the engine, if not with others."""
        return super().hint(board, time=self._time if time is None else time, depth=depth)


class GtpPlayer(Player):
    """Another program that speaks GTP, such as `"edax -gtp"` or `["python3", "engine.py"]`.

    It is started when it is used first, and ended with this object. GTP only knows games from the usual start of square
    boards, and has no word for the goal: start the program so that it plays for the goal you ask about. `patience` is
    how many seconds it may be silent where no clock runs.
    """

    def __new__(cls, command: str | Sequence[str], *, patience: float = 60.0) -> GtpPlayer:
        words = shlex.split(command) if isinstance(command, str) else list(command)
        player = _native.Player.__new__(cls, command=words, patience=patience)
        player._arguments = (words, patience)
        return player

    def __reduce__(self) -> tuple[Any, ...]:
        return _gtp, self._arguments


def _named(name: str, threads: int | None, memory: int | None, data: Any) -> Player:
    return Player(name, threads=threads, memory=memory, data=data)


def _engine(
    level: int | None, time: float | None, depth: int | None, threads: int | None, memory: int | None, data: Any
) -> Engine:
    return Engine(level, time=time, depth=depth, threads=threads, memory=memory, data=data)


def _gtp(command: list[str], patience: float) -> GtpPlayer:
    return GtpPlayer(command, patience=patience)
