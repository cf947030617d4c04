"""The rules once more, on a dictionary of squares: the slow twin that the tests compare with."""

from __future__ import annotations

import string

Squares = dict[str, str]


def read(text: str, width: int) -> tuple[Squares, str]:
    """The discs of `Board.text` by their squares, and the side to move."""
    cells, side = text.split()
    names = [f"{string.ascii_lowercase[place % width]}{place // width + 1}" for place in range(len(cells))]
    return dict(zip(names, cells)), side


def flips(squares: Squares, side: str, square: str) -> list[str]:
    """The discs that a disc of `side` on `square` turns."""
    if squares[square] != "-":
        return []
    turned = []
    for columns in (-1, 0, 1):
        for rows in (-1, 0, 1):
            line = []
            column, row = ord(square[0]) + columns, int(square[1:]) + rows
            while squares.get(f"{chr(column)}{row}") == other(side) and (columns or rows):
                line.append(f"{chr(column)}{row}")
                column, row = column + columns, row + rows
            if line and squares.get(f"{chr(column)}{row}") == side:
                turned += line
    return turned


def other(side: str) -> str:
    return "O" if side == "X" else "X"


def legal(squares: Squares, side: str) -> list[str]:
    """Squares where the side may put a disc, row by row."""
    return [square for square in squares if flips(squares, side, square)]


def after(squares: Squares, side: str, square: str) -> Squares:
    turned = flips(squares, side, square)
    return {**squares, **dict.fromkeys([square, *turned], side)}


def final_score(squares: Squares, side: str, goal: str, scoring: str) -> int:
    discs = list(squares.values())
    difference = discs.count(side) - discs.count(other(side))
    if scoring == "winner":
        difference += discs.count("-") * ((difference > 0) - (difference < 0))
    return -difference if goal == "reversed" else difference


def value(squares: Squares, side: str, goal: str, scoring: str) -> int:
    """Minimax without any cut."""
    moves = legal(squares, side)
    if moves:
        return max(-value(after(squares, side, move), other(side), goal, scoring) for move in moves)
    if legal(squares, other(side)):
        return -value(squares, other(side), goal, scoring)
    return final_score(squares, side, goal, scoring)
