"""Games between players of all kinds, and their records."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union

from . import _native
from ._errors import TextError
from ._native import Board
from ._oracle import sample_positions
from ._players import GtpPlayer, Player

#: Who can play: a `Player`, the name of one, or a function that takes a board and returns a move.
Contestant = Union[str, Player, Callable[[Board], str]]


@dataclass(frozen=True)
class Game:
    """A game that was played or read."""

    #: The last board, with all moves of the game.
    board: Board
    black: str = ""
    white: str = ""
    #: The side that lost by a fault, such as an illegal move, and the fault.
    fault: tuple[str, str] | None = None
    #: Seconds that Black and White have used.
    seconds: tuple[float, float] = (0.0, 0.0)
    date: str = ""
    place: str = ""
    #: How many discs more Black has by what a file says of a game that did not end on the board.
    told: float | None = None

    @property
    def moves(self) -> list[str]:
        """The moves, passes included."""
        return self.board.moves

    @property
    def transcript(self) -> str:
        """The moves, run together."""
        return self.board.transcript

    @property
    def score(self) -> int | None:
        """The result for Black in discs; `None` where the game was not played to its end."""
        return self.board.score("black") if self.board.is_over else None

    @property
    def winner(self) -> str | None:
        """`"black"` or `"white"`; `None` for a draw, and for a game without an end of which no file says who won."""
        if self.fault is not None:
            return "white" if self.fault[0] == "black" else "black"
        if self.told:
            return "black" if (self.told > 0) == (self.board.goal == "normal") else "white"
        return None if not self.score else "black" if self.score > 0 else "white"

    def ggf(self) -> str:
        """The game in GGF, which holds every board and both goals."""
        return self._written("ggf")

    def pgn(self) -> str:
        """The game in PGN."""
        return self._written("pgn")

    def sgf(self) -> str:
        """The game in SGF; `ValueError` where SGF has no words for it, as for the reversed goal."""
        return self._written("sgf")

    def _written(self, format: str) -> str:
        place = self.place or "reversi-oracle"
        return _native.write_game(
            self.board,
            self.black,
            self.white,
            format,
            place=place,
            date=self.date,
            fault=self.fault,
            result=self.told,
        )

    def __str__(self) -> str:
        if self.fault is not None:
            result = f"{self.fault[0]} lost: {self.fault[1]}"
        elif self.told is not None:
            result = f"{self.told:+g} told"
        else:
            result = "unfinished" if self.score is None else f"{self.score:+}"
        return f"{self.black or '?'} - {self.white or '?'}: {result}  {self.transcript}"


@dataclass(frozen=True)
class Match:
    """Games between two players, each opening twice with sides changed; the first player has Black in games 0, 2, 4..."""

    games: list[Game]

    @property
    def results(self) -> list[int]:
        """1, 0 or -1 for each game that the first player has won, drawn or lost."""
        signs = {None: 0, "black": 1, "white": -1}
        return [signs[game.winner] * (1 if number % 2 == 0 else -1) for number, game in enumerate(self.games)]

    @property
    def wins(self) -> int:
        """Games that the first player has won."""
        return self.results.count(1)

    @property
    def draws(self) -> int:
        """Drawn games."""
        return self.results.count(0)

    @property
    def losses(self) -> int:
        """Games that the first player has lost."""
        return self.results.count(-1)

    def ggf(self) -> str:
        """All games in GGF, a line each."""
        return "".join(game.ggf() + "\n" for game in self.games)

    def __str__(self) -> str:
        names = f"{self.games[0].black} - {self.games[0].white}: " if self.games else ""
        return f"{names}{self.wins} wins, {self.draws} draws, {self.losses} losses in {len(self.games)} games"


def play(
    black: Contestant,
    white: Contestant,
    board: Board | None = None,
    *,
    time: float | None = None,
    clock: float | None = None,
    seed: int = 1,
) -> Game:
    """Plays a game on from `board` (the start of 8x8 by default); forced passes are made without asking.

    A player is a function that takes a board and returns a move, the name of a player such as `"engine:level=5"`, an
    `Engine`, a `Player` or a `GtpPlayer`. `time` is seconds for each move, `clock` for all moves of a side. Who makes an
    illegal move, answers with what is no move, or is late loses the game; an exception of a function ends it and is
    raised here.
    """
    names = (_name(black), _name(white))
    seats = (_seat(black), _seat(white))
    board = Board("8x8") if board is None else board
    last, fault, seconds = _native.play_game(board, *seats, names, time=time, clock=clock, seed=seed)
    return Game(last, *names, fault, seconds)


def play_match(
    first: Contestant,
    second: Contestant,
    board: Board | None = None,
    *,
    games: int = 10,
    plies: int = 6,
    time: float | None = None,
    clock: float | None = None,
    seed: int = 1,
) -> Match:
    """Plays several games from different positions that are `plies` random discs from `board`, each position twice with
    sides changed."""
    board = Board("8x8") if board is None else board
    if not 0 <= plies < board.empties:
        raise ValueError(f"plies is {plies}; the board has {board.empties} empty squares")
    openings = sample_positions(board, board.empties - plies, (games + 1) // 2, seed) if plies else [board]
    if not openings:
        raise ValueError(f"no game is {plies} plies long")
    players = (_kept(first), _kept(second))
    played = []
    for number in range(games):
        opening = openings[number // 2 % len(openings)]
        black, white = players if number % 2 == 0 else players[::-1]
        played.append(play(black, white, opening, time=time, clock=clock, seed=seed + number))
    return Match(played)


def read_games(
    source: str | bytes | os.PathLike[str],
    size: str | None = None,
    *,
    goal: str | None = None,
    scoring: str | None = None,
    start: str = "diagonal",
    skip_bad: bool = False,
) -> list[Game]:
    """Reads all games of a text, of the bytes of a file, or of a file that a `Path` names, in any form that the program
    reads: GGF, SGF, PGN, WTHOR, Othello Quest, problem files, boards and moves.

    Moves without a board begin at the usual start of `size`, 8x8 if it is not given. A game that cannot be read is a
    `TextError`; with `skip_bad` it is left out, with a warning that names its number and its fault.
    """
    if isinstance(source, str):
        if len(source) < 256 and "\n" not in source and os.path.isfile(source):
            raise TextError(f"{source!r} is the name of a file: to read it, give pathlib.Path({source!r})")
        content = source.encode()
    else:
        content = source if isinstance(source, bytes) else Path(source).read_bytes()
    found, faults = _native.read_games(
        content, size, goal=goal, scoring=scoring, start=start, skip_bad=skip_bad
    )
    for fault in faults:
        warnings.warn(f"left out: {fault}", stacklevel=2)
    return [
        Game(board, black, white, fault, date=date, place=place, told=told)
        for board, black, white, date, place, fault, told in found
    ]


def _name(player: Contestant) -> str:
    if isinstance(player, str):
        return player
    if isinstance(player, Player):
        return player.name
    return str(getattr(player, "__name__", type(player).__name__))


def _seat(player: Contestant) -> Any:
    return Player(player) if isinstance(player, str) else player


def _kept(player: Contestant) -> Contestant:
    """A player that is made once for many games."""
    return Player(player) if isinstance(player, str) else player


__all__ = ["Contestant", "Game", "GtpPlayer", "Match", "play", "play_match", "read_games"]
