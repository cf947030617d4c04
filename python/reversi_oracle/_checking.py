"""Checks of engines against the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _native
from ._games import Contestant, _name
from ._native import Board
from ._oracle import MoveValue, Oracle, sample_positions
from ._players import Player

#: What can be checked: a function from a position to its score or to a move, a player, or the name of one.
Checked = Union[str, Player, Callable[[Board], Any]]

#: Disagreements that are drawn where a report is shown.
_SHOWN = 5


@dataclass(frozen=True)
class Disagreement:
    """A position where an engine is wrong."""

    board: Board
    #: What the engine said: a score, a move, or the exception that it raised.
    said: Any
    #: The exact value for the side to move.
    value: int
    #: All best moves; known where the engine says moves.
    best: list[str]
    #: The exact value of the move that the engine played; `None` for an illegal one, and where it says scores.
    played: int | None = None

    @property
    def lost(self) -> int | None:
        """Discs that the move gives away."""
        return None if self.played is None else self.value - self.played

    def __str__(self) -> str:
        board = self.board
        head = f"{board.size}, {board.goal} goal, {board.scoring} scoring, {board.empties} empty squares"
        moves = f"after {board.transcript}\n" if board.moves else ""
        return f"{head}\n{board}\n{moves}{board.text}\n{self._fault()}"

    def _fault(self) -> str:
        best = f", by {' '.join(self.best)}" if self.best else ""
        exact = f"the exact value is {self.value:+}{best}"
        if isinstance(self.said, BaseException):
            return f"{exact}; it raised {type(self.said).__name__}: {self.said}"
        if not isinstance(self.said, str):
            said = f"{self.said:+}" if isinstance(self.said, (int, float)) else repr(self.said)
            return f"{exact}; it says {said}"
        if self.played is None:
            return f"{exact}; it plays {self.said}, which is not legal"
        return f"{exact}; it plays {self.said}, which is worth {self.played:+}: {self.lost} discs lost"


class CheckReport(list[Disagreement]):
    """All positions where an engine is wrong; empty, and false, where it is right everywhere."""

    def __init__(self, found: Iterable[Disagreement], name: str, checked: int) -> None:
        super().__init__(found)
        self.name = name
        #: Positions that were looked at.
        self.checked = checked

    def __reduce__(self) -> tuple[Any, ...]:
        return CheckReport, (list(self), self.name, self.checked)

    def __str__(self) -> str:
        if not self:
            return f"{self.name} is right at all {self.checked} positions"
        head = f"{self.name} is wrong at {len(self)} of {self.checked} positions"
        # The fewer squares are empty the sooner the fault is found by hand.
        shown = sorted(self, key=lambda found: found.board.empties)[:_SHOWN]
        left_out = len(self) - len(shown)
        end = [f"... and {left_out} more"] if left_out else []
        return "\n\n".join([head, *map(str, shown), *end])

    def __repr__(self) -> str:
        return f"<{self}>"


def check(
    search: Checked,
    board: Board | None = None,
    empties: int | tuple[int, int] = (1, 10),
    n: int = 100,
    seed: int = 1,
    *,
    boards: Sequence[Board] | None = None,
    oracle: Oracle | None = None,
) -> CheckReport:
    """Runs an engine over positions with known values, and returns every disagreement with its position.

    `search` is a function that takes a board, which is its own to push and pop on, and returns the exact score for the
    side to move, or a move; or a player, or the name of one. A score must be the exact value; a move must be one of the
    best. An exception counts as a disagreement.

    The positions are `n` of random games that begin on `board` (the start of 6x6 by default) with so many `empties`, as
    from `sample_positions`, or the given `boards`.
    """
    positions = _positions(board, empties, n, seed, boards)
    player, name = _function(search)
    said = [_said(player, position) for position in positions]
    oracle = Oracle() if oracle is None else oracle
    # The values of all moves cost more than the value alone, and only who says moves needs them.
    moves = oracle._moves_many([position for position, answer in zip(positions, said) if isinstance(answer, str)])
    values = oracle.value_many([position for position, answer in zip(positions, said) if not isinstance(answer, str)])
    known_moves, known_values = iter(moves), iter(values.tolist())
    found = []
    for position, answer in zip(positions, said):
        if isinstance(answer, str):
            wrong = _wrong_move(position, answer, [MoveValue(*scored) for scored in next(known_moves)])
        else:
            value = next(known_values)
            wrong = None if _is_score(answer, value) else Disagreement(position, answer, value, [])
        if wrong is not None:
            found.append(wrong)
    return CheckReport(found, name, len(positions))


def _positions(
    board: Board | None, empties: int | tuple[int, int], n: int, seed: int, boards: Sequence[Board] | None
) -> list[Board]:
    positions = sample_positions(board, empties, n, seed) if boards is None else [each.copy() for each in boards]
    if not positions:
        raise ValueError("there are no positions to look at")
    over = [position for position in positions if position.is_over]
    if over:
        raise ValueError(f"the game is over at {over[0].text}: there is nothing to ask")
    kinds = [(each.size, each.goal, each.scoring) for each in positions]
    for index, kind in enumerate(kinds):
        if kind != kinds[0]:
            raise ValueError(f"boards[{index}] has another size or other rules than boards[0]; ask about them apart")
    return positions


def _function(search: Checked) -> tuple[Callable[[Board], Any], str]:
    """What is called with a board, and its name. A player begins a new game at each position."""
    if isinstance(search, str):
        search = Player(search)
    if not isinstance(search, Player):
        if not callable(search):
            raise TypeError(f"{search!r} is no player: give a name, a Player or a function")
        return search, _name(search)
    player: Player = search

    def move(position: Board) -> str:
        player.new_game()
        return player.play(position)

    return move, player.name


def _said(search: Callable[[Board], Any], position: Board) -> Any:
    try:
        said = search(position.copy())
        # A number of numpy.
        said = said.item() if hasattr(said, "item") else said
    except Exception as error:
        return error
    if said is None:
        raise TypeError(f"{_name(search)} returned None; it is to return a score or a move")
    return said


def _is_score(said: Any, value: int) -> bool:
    return isinstance(said, (int, float)) and not isinstance(said, bool) and said == value


def _wrong_move(position: Board, move: str, moves: list[MoveValue]) -> Disagreement | None:
    value = moves[0].value
    best = [known.move for known in moves if known.value == value]
    played = _value_of(move, moves)
    return None if played == value else Disagreement(position, move, value, best, played)


def _value_of(move: str, moves: list[MoveValue]) -> int | None:
    """The value of a move in any of the ways in which moves are written; `None` if it is not legal."""
    word = move.strip().lower()
    word = "pa" if word in ("pass", "ps", "--", "@@@@", "0000") else word
    return next((known.value for known in moves if known.move == word), None)


@dataclass(frozen=True)
class RegretRow:
    """What a player's moves give away, in discs."""

    #: Legal moves.
    moves: int
    #: Discs lost a move; `None` without a move.
    mean: float | None
    #: Half the width of the 95 % interval of the mean; `None` with fewer than two moves, and where all lose as much.
    half_width: float | None
    #: Most discs lost by a move.
    worst: int | None
    #: The share of moves that lose nothing.
    perfect: float | None
    #: Moves that are not legal, which count nowhere else.
    illegal: int
    #: Legal moves where there was a choice, and discs lost by these.
    moves_with_choice: int
    mean_with_choice: float | None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean."""
        if self.mean is None or self.half_width is None:
            return None
        return self.mean - self.half_width, self.mean + self.half_width


@dataclass(frozen=True)
class RegretReport:
    """What a player gives away against perfect play."""

    name: str
    #: Each position with the move and the discs it gives away; `None` for an illegal one.
    moves: list[tuple[Board, str, int | None]]
    all: RegretRow
    #: The same by the number of empty squares.
    by_empties: dict[int, RegretRow]

    @property
    def mean(self) -> float | None:
        """Discs lost a move."""
        return self.all.mean

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean."""
        return self.all.interval

    def __str__(self) -> str:
        head = f"{self.name}: {_mean(self.all)} discs lost a move at {len(self.moves)} positions"
        lines = [head, "empties  moves  discs lost a move  worst  perfect  illegal"]
        for empties, row in sorted(self.by_empties.items()):
            worst = "" if row.worst is None else str(row.worst)
            perfect = "" if row.perfect is None else f"{100 * row.perfect:.0f} %"
            lines.append(
                f"{empties:>7}  {row.moves:>5}  {_mean(row):>17}  {worst:>5}  {perfect:>7}  {row.illegal:>7}"
            )
        return "\n".join(lines)


def _mean(row: RegretRow) -> str:
    if row.mean is None:
        return "?"
    return f"{row.mean:.2f} +- " + ("?" if row.half_width is None else f"{row.half_width:.2f}")


def regret(
    player: Contestant,
    board: Board | None = None,
    empties: int | tuple[int, int] = (1, 12),
    n: int = 200,
    seed: int = 1,
    *,
    boards: Sequence[Board] | None = None,
    oracle: Oracle | None = None,
) -> RegretReport:
    """Lets a player move once at each position, and measures the discs that its moves lose against perfect play.

    Positions and players are as in `check`; a function returns moves. An exception of a function is raised here.
    """
    positions = _positions(board, empties, n, seed, boards)
    function, name = _function(player)
    played = [function(position.copy()) for position in positions]
    for move in played:
        if not isinstance(move, str):
            raise TypeError(f"{name} returned {move!r}, which is no move such as \"c2\"")
    oracle = Oracle() if oracle is None else oracle
    moves, figures = [], []
    for position, move, scored in zip(positions, played, oracle._moves_many(positions)):
        value = _value_of(move, [MoveValue(*known) for known in scored])
        lost = None if value is None else scored[0][1] - value
        moves.append((position, move, lost))
        figures.append((position.empties, (lost, len(scored) > 1)))
    counts = sorted({empties for empties, _ in figures})
    by_empties = {count: _row([figure for empties, figure in figures if empties == count]) for count in counts}
    return RegretReport(name, moves, _row([figure for _, figure in figures]), by_empties)


def _row(figures: list[tuple[int | None, bool]]) -> RegretRow:
    moves, mean, half_width, worst, perfect, illegal, with_choice, mean_with_choice = _native.regret_figures(figures)
    most = None if worst is None else int(worst)
    return RegretRow(moves, mean, half_width, most, perfect, illegal, with_choice, mean_with_choice)
