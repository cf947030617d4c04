from __future__ import annotations

import pickle

import numpy as np
import plain
import pytest

from reversi_oracle import Board, CheckReport, Oracle, check, sample_positions


def minimax(board: Board) -> int:
    return plain.value(*plain.read(board.text, board.width), board.goal, board.scoring)


def test_a_right_engine_passes(oracle: Oracle) -> None:
    report = check(minimax, Board("6x6"), (1, 5), 40, oracle=oracle)
    assert not report and report.checked == 40 and str(report) == "minimax is right at all 40 positions"
    assert not check(oracle.value, Board("6x6", goal="reversed"), 10, 20)
    assert not check(lambda board: oracle.best(board), n=20)
    assert not check("perfect", n=20)
    assert not check(lambda board: np.int8(oracle.value(board)), n=5)
    assert not check(lambda board: float(oracle.value(board)), n=5)


def test_a_wrong_engine_is_told_where(oracle: Oracle) -> None:
    report = check(lambda board: oracle.value(board) + (board.empties == 5), empties=(4, 6), n=60)
    assert report and {found.board.empties for found in report} == {5}
    for found in report:
        assert found.said == found.value + 1 and found.value == oracle.value(found.board)
        assert f"the exact value is {found.value:+}; it says {found.said:+}" in str(found)
        assert str(found.board) in str(found) and found.board.text in str(found)
    same = pickle.loads(pickle.dumps(report))
    assert isinstance(same, CheckReport) and str(same) == str(report)


def test_wrong_moves_say_what_they_lose(oracle: Oracle) -> None:
    report = check(lambda board: board.legal_moves[-1], Board("6x6"), (6, 8), 50)
    assert report
    for found in report:
        assert found.best == oracle.best_moves(found.board)
        assert found.played == -oracle.value(found.board.after(found.said))
        assert found.lost == found.value - found.played > 0
    (illegal,) = check(lambda board: "a9", n=1)
    assert illegal.lost is None and "not legal" in str(illegal)


def test_exceptions_are_disagreements_and_none_is_a_mistake() -> None:
    def failing(board: Board) -> int:
        raise RecursionError("too deep")

    (found,) = check(failing, n=1)
    assert "RecursionError: too deep" in str(found)
    with pytest.raises(TypeError, match="returned None"):
        check(lambda board: None, n=1)
    with pytest.raises(KeyboardInterrupt):
        check(interrupted, n=1)


def interrupted(board: Board) -> int:
    raise KeyboardInterrupt


def test_an_engine_may_do_what_it_likes_with_its_board() -> None:
    boards = sample_positions(Board("6x6"), 6, 5)
    kept = [board.copy() for board in boards]

    def careless(board: Board) -> str:
        move = board.legal_moves[0]
        board.push(move)
        return move

    check(careless, boards=boards)
    assert boards == kept
    with pytest.raises(ValueError, match="no positions"):
        check(careless, boards=[])
    with pytest.raises(ValueError, match="over"):
        check(careless, boards=[Board.from_bitboards("4x4", 1, 4)])


def test_what_the_caller_does_wrong_is_no_fault_of_the_engine() -> None:
    asked: list[Board] = []
    mixed = [Board("6x6"), Board("6x6"), Board("4x4")]
    with pytest.raises(ValueError, match=r"boards\[2\] has another size"):
        check(lambda board: asked.append(board) or 0, boards=mixed)  # type: ignore[func-returns-value]
    assert asked == []
    with pytest.raises(TypeError, match="3 is no player"):
        check(3)  # type: ignore[arg-type]
    np = pytest.importorskip("numpy")
    assert len(check(lambda board: np.array([1, 2]), n=3)) == 3
