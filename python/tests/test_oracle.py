from __future__ import annotations

import array
import pickle
from typing import Any

import numpy as np
import plain
import pytest
from numpy.typing import NDArray

from reversi_oracle import (
    Board,
    MoveValue,
    Oracle,
    OutOfTimeError,
    TableError,
    bitboards,
    sample_positions,
    solve,
)


def test_the_starts_are_worth_what_is_published(oracle: Oracle) -> None:
    assert oracle.value(Board("6x6")) == -4
    assert oracle.value(Board("6x6", goal="reversed")) == 2
    expected = {("normal", "raw"): -8, ("normal", "winner"): -10, ("reversed", "raw"): 3, ("reversed", "winner"): 4}
    for (goal, scoring), value in expected.items():
        assert oracle.value(Board("4x4", goal=goal, scoring=scoring)) == value


@pytest.mark.parametrize("goal", ["normal", "reversed"])
@pytest.mark.parametrize("size", ["4x4", "5x5", "6x6", "8x8"])
def test_values_are_those_of_plain_minimax(oracle: Oracle, size: str, goal: str) -> None:
    boards = sample_positions(Board(size, goal=goal), (1, 6), 30)
    assert len(boards) == 30
    for board in boards:
        value = plain.value(*plain.read(board.text, board.width), board.goal, board.scoring)
        answer = oracle.answer(board)
        assert value == oracle.value(board) == answer.value
        for move, worth in answer.moves:
            child = board.after(move)
            assert worth == -plain.value(*plain.read(child.text, child.width), child.goal, child.scoring)
        assert sorted(answer.moves, key=lambda known: -known.value) == answer.moves
        assert {move for move, _ in answer.moves} == set(board.legal_moves)
        assert answer.best == [move for move in board.legal_moves if MoveValue(move, value) in answer.moves]


def test_the_line_is_played_to_the_value(oracle: Oracle) -> None:
    for goal in ("normal", "reversed"):
        board = Board("6x6", goal=goal)
        value = oracle.value(board)
        for move in oracle.line(board):
            board.push(move)
        assert board.is_over and board.score("black") == value


def test_best_moves_keep_the_value(oracle: Oracle) -> None:
    for board in sample_positions(Board("6x6"), 14, 20):
        best = oracle.best(board)
        assert best is not None and best in oracle.best_moves(board)
        assert oracle.value(board.after(best)) == -oracle.value(board)


def test_a_finished_game_has_its_score_and_no_move(oracle: Oracle) -> None:
    board = sample_positions(Board("4x4"), 1, 1)[0]
    while not board.is_over:
        board.push(board.legal_moves[0])
    assert oracle.value(board) == board.score()
    assert oracle.best(board) is None and oracle.moves(board) == [] and oracle.line(board) == []


def test_a_forced_pass_is_the_only_move(oracle: Oracle) -> None:
    board = next(
        board.after(move)
        for board in sample_positions(Board("4x4"), (2, 6), 200)
        for move in board.legal_moves
        if board.after(move).must_pass
    )
    assert oracle.best(board) == "pa" and oracle.best_moves(board) == ["pa"]
    assert oracle.moves(board) == [MoveValue("pa", oracle.value(board))]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_many_values_are_the_single_ones(oracle: Oracle, threads: int) -> None:
    boards = sample_positions(Board("6x6"), (4, 12), 150)
    expected = [oracle.value(board) for board in boards]
    assert oracle.value_many(boards, threads=threads).tolist() == expected
    player, opponent = bitboards(boards)
    like = Board("6x6")
    values = oracle.value_many(player, opponent, like, threads=threads)
    assert values.dtype == np.int8 and values.tolist() == expected
    square = oracle.value_many(player.reshape(10, 15).view(np.int64), opponent.reshape(10, 15), like)
    assert square.shape == (10, 15) and square.ravel().tolist() == expected
    assert oracle.value_many([]).tolist() == []


def test_arrays_that_are_no_positions_are_refused(oracle: Oracle) -> None:
    like = Board("6x6")
    with pytest.raises(ValueError, match="position 1"):
        oracle.value_many(np.array([1, 3], np.uint64), np.array([2, 1], np.uint64), like)
    with pytest.raises(ValueError, match=r"player is of shape \(1,\), opponent of shape \(2,\)"):
        oracle.value_many(np.array([1], np.uint64), np.array([2, 4], np.uint64), like)
    with pytest.raises(ValueError, match="shape"):
        oracle.value_many(np.ones((2, 3), np.uint64), np.ones((3, 2), np.uint64), like)
    with pytest.raises(TypeError, match="float64"):
        oracle.value_many(np.array([1.0]), np.array([2.0]), like)
    with pytest.raises(ValueError, match="board 1"):
        oracle.value_many([Board("6x6"), Board("8x8")])
    with pytest.raises(TypeError):
        oracle.value_many(np.array([1], np.uint64))  # type: ignore[call-overload]


class Column:
    """Numbers with a type of their own that are no array of numpy, as a column of a table."""

    def __init__(self, numbers: list[float], dtype: type) -> None:
        self.numbers: NDArray[Any] = np.array(numbers, dtype)
        self.dtype = self.numbers.dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return self.numbers.astype(dtype or self.dtype)


def test_bitboards_are_integers_in_whatever_they_are_written(oracle: Oracle) -> None:
    boards = sample_positions(Board("6x6"), 8, 3)
    player, opponent = bitboards(boards)
    like = Board("6x6")
    expected = oracle.value_many(boards).tolist()
    mixed = [int(player[0]), *player[1:]]
    right: list[Any] = [player.tolist(), mixed, player.astype(object), Column(player.tolist(), np.uint64)]
    for own in right:
        assert oracle.value_many(own, opponent.tolist(), like).tolist() == expected
    one = oracle.value_many(player[0], int(opponent[0]), like)
    assert one.shape == () and one == expected[0]
    signed = array.array("q", player.view(np.int64).tolist())
    assert oracle.value_many(signed, opponent, like).tolist() == expected
    wrongs: list[Any] = [[1.9], ["12"], [None], Column([1.5], np.float64), Column([1.5], object)]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="player"):
            oracle.value_many(wrong, [2], like)
    for beyond in (-1, 1 << 64):
        with pytest.raises(ValueError, match="player holds"):
            oracle.value_many([beyond], [2], like)


def test_time_that_is_over_is_an_error(oracle: Oracle) -> None:
    with pytest.raises(OutOfTimeError):
        oracle.value(Board("8x8"), time=0.05)
    with pytest.raises(TimeoutError):
        oracle.value_many([Board("8x8")], time=0.05)
    with pytest.raises(ValueError):
        oracle.value(Board("8x8"), time=-1)
    with pytest.raises(ValueError):
        oracle.value(Board("8x8"), time=float("nan"))


def test_tables_come_with_the_package(oracle: Oracle, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(tmp_path)
    fresh = Oracle()
    for goal in ("normal", "reversed"):
        assert fresh.is_stored(Board("6x6", goal=goal)) and fresh.is_stored(Board("4x4", goal=goal))
    assert not fresh.is_stored(Board("8x8"))
    (tmp_path / "4x4-normal-raw-diagonal.rvt").write_bytes(b"no table")
    with pytest.raises(TableError, match="4x4-normal-raw-diagonal.rvt: is not a reversi table"):
        Oracle(tmp_path).value(Board("4x4"))


def test_an_oracle_is_pickled_by_its_arguments() -> None:
    same = pickle.loads(pickle.dumps(Oracle(threads=1, memory=1 << 24)))
    assert type(same) is Oracle and same.value(Board("4x4")) == -8


def test_samples_follow_from_the_seed() -> None:
    boards = sample_positions(Board("6x6"), (8, 14), 50, seed=3)
    assert boards == sample_positions(Board("6x6"), (8, 14), 50, seed=3)
    assert boards != sample_positions(Board("6x6"), (8, 14), 50, seed=4)
    assert boards[:20] == sample_positions(Board("6x6"), (8, 14), 20, seed=3)
    assert len(set(boards)) == 50 and {board.empties for board in boards} == set(range(8, 15))
    for board in boards:
        assert not board.is_over and not board.must_pass
        assert Board.from_text(board.transcript, "6x6") == board
    with pytest.raises(ValueError):
        sample_positions(Board("6x6"), 33)
    with pytest.raises(ValueError):
        sample_positions(Board("6x6"), 0)


def test_the_sample_is_that_of_the_program() -> None:
    # reversi sample --board 6x6 --empties 10 --count 3 --seed 7 --format csv
    expected = [
        "X--O--OOOX-XOOXOXXOOXXOX-XXXXX---O-X X",
        "OOOOO-OOOOOO-OXXXXXXOXX--X-X----XXO- X",
        "--OXXX---XXX--OXOX-OOOOXXXXXOXXXX-O- X",
    ]
    assert [board.text for board in sample_positions(Board("6x6"), 10, 3, seed=7)] == expected


def test_solve_agrees_with_the_oracle(oracle: Oracle) -> None:
    for board in sample_positions(Board("6x6", goal="reversed"), 14, 10):
        solution = solve(board, threads=1)
        assert solution.exact and solution.score == oracle.value(board)
        assert solution.best == solution.line[0] and solution.nodes > 0
        for move in solution.line:
            board.push(move)
        assert board.is_over and abs(board.score()) == abs(solution.lower)


def test_solve_finds_who_wins(oracle: Oracle) -> None:
    for board in sample_positions(Board("6x6"), 12, 20):
        value, solution = oracle.value(board), solve(board, wld=True)
        assert solution.outcome == ("win" if value > 0 else "loss" if value < 0 else "draw")
        assert solution.lower <= value <= solution.upper
        if value < 0 and not solution.exact:
            assert solution.score is None
        assert solution.best in board.legal_moves


def test_solve_says_what_is_proved_when_time_is_over() -> None:
    solution = solve(Board("8x8"), time=0.05, threads=2, memory=1 << 24)
    assert not solution.exact and solution.score is None and solution.outcome is None
    assert solution.lower < solution.upper and solution.line == []


def test_threads_are_bounded_and_counts_of_any_integer_type_are_taken() -> None:
    for threads in (0, 1025):
        with pytest.raises(ValueError, match="from 1 to 1024"):
            Oracle(threads=threads)
    np = pytest.importorskip("numpy")
    assert sample_positions(Board("6x6"), np.int64(5), 2) == sample_positions(Board("6x6"), 5, 2)
    with pytest.raises(ValueError, match="the least and the largest"):
        sample_positions(Board("6x6"), (5,), 2)  # type: ignore[arg-type]
