"""The exceptions of the package. Their words are those of the program."""

from __future__ import annotations

__all__ = [
    "GameNotOverError",
    "IllegalMoveError",
    "InternalError",
    "OutOfTimeError",
    "PlayerError",
    "ReversiError",
    "TableError",
    "TextError",
    "UnknownPositionError",
]


class ReversiError(Exception):
    """Every error that only this package raises."""


class TextError(ReversiError, ValueError):
    """A text that holds no position or game, or one that can be read in two ways."""


class IllegalMoveError(ReversiError, ValueError):
    """A move that cannot be made on this board."""


class GameNotOverError(ReversiError, ValueError):
    """The score of a game that goes on."""


class UnknownPositionError(ReversiError, KeyError):
    """A position that a table does not hold."""

    def __str__(self) -> str:
        # A KeyError shows the representation of its key instead of the message.
        return str(self.args[0]) if self.args else ""


class TableError(ReversiError):
    """A table, or weights, that are damaged or made for another game."""


class PlayerError(ReversiError):
    """A player that cannot play, or a program that has failed."""


class OutOfTimeError(ReversiError, TimeoutError):
    """The time was over before there was an answer."""


class InternalError(ReversiError, RuntimeError):
    """A fault of the package itself, worth a report."""
