from __future__ import annotations

import copy
import pickle
import random

import numpy as np
import plain
import pytest

from reversi_oracle import Board, Game, GameNotOverError, IllegalMoveError, TextError, read_games


@pytest.mark.parametrize("size", ["4x4", "3x5", "6x6", "8x8", "5x8"])
@pytest.mark.parametrize("goal", ["normal", "reversed"])
def test_random_games_agree_with_the_plain_rules(size: str, goal: str) -> None:
    rng = random.Random(1)
    for scoring in ("raw", "winner"):
        board = Board(size, goal=goal, scoring=scoring)
        while True:
            squares, side = plain.read(board.text, board.width)
            moves = plain.legal(squares, side)
            passed = not moves and bool(plain.legal(squares, plain.other(side)))
            assert board.legal_moves == (["pa"] if passed else moves)
            assert board.must_pass == passed
            if board.is_over:
                assert board.score() == plain.final_score(squares, side, goal, scoring)
                assert board.score("black") == board.score() * (1 if board.turn == "black" else -1)
                break
            board.push(rng.choice(board.legal_moves))


def test_moves_are_pushed_and_popped() -> None:
    board = Board("6x6")
    start = board.copy()
    board.push("c2")
    board.push_all("b4 D5")
    assert (board.moves, board.transcript, board.turn) == (["c2", "b4", "d5"], "c2b4d5", "white")
    assert [board.pop(), board.pop(), board.pop()] == ["d5", "b4", "c2"]
    assert board == start
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()
    assert board.after("c2").moves == ["c2"] and board.moves == []


@pytest.mark.parametrize(
    ("move", "message"),
    [("a1", "turns no disc|turns nothing"), ("c3", "occupied|disc"), ("g1", "no such square"), ("pa", "move"), ("", "neither|move|square")],
)
def test_illegal_moves_leave_the_board_as_it_is(move: str, message: str) -> None:
    board = Board("6x6")
    assert not board.is_legal(move)
    with pytest.raises(IllegalMoveError, match=message):
        board.push(move)
    with pytest.raises(IllegalMoveError, match="move 2"):
        board.push_all("c2 " + (move or "?"))
    assert board == Board("6x6") and board.moves == []


def test_what_the_program_reads_is_read() -> None:
    assert Board.from_text("c2b4", "6x6").moves == ["c2", "b4"]
    assert Board.from_text("-----OX--XO----- X b1").text == "-X---XX--XO----- O"
    assert Board.from_text("(;GM[Othello]TY[4a]B[b1];)").goal == "reversed"
    for board in (Board("8x8").after("f5"), Board("5x7", goal="reversed")):
        assert Board.from_text(str(board), board.size, goal=board.goal) == board
        assert Board.from_text(board.text, board.size, goal=board.goal) == board
        assert eval(repr(board)) == board  # noqa: S307


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("what is this?", "what"),
        ("", "name its size"),
        ("f5 d6", "name its size"),
        ("-----OX--XO----- X b2", "move 1"),
        ("-----OX--XO---- X", "15|cells|square"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        Board.from_text(text)
    with pytest.raises(TextError, match="goal"):
        Board.from_text("(;GM[Othello]TY[4a]B[b1];)", goal="normal")


def test_wrong_words_are_value_errors() -> None:
    for wrong in (
        lambda: Board("2x2"),
        lambda: Board("nine"),
        lambda: Board("6x6", goal="most"),
        lambda: Board("6x6", scoring="discs"),
        lambda: Board("6x6", start="cross"),
        lambda: Board("6x6").score("red"),
        lambda: Board("6x6")["z9"],
        lambda: Board.from_bitboards("4x4", 1, 1),
        lambda: Board.from_bitboards("4x4", 1 << 63, 1),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(GameNotOverError):
        Board("6x6").score()


def test_equal_boards_have_equal_hashes_whatever_led_to_them() -> None:
    one = Board.from_text("c2b4", "6x6")
    other = Board.from_text(one.text)
    assert one == other and hash(one) == hash(other) and one.moves != other.moves
    assert len({one, other, Board("6x6")}) == 2
    assert Board("6x6") != Board("6x6", goal="reversed") != Board("6x6", goal="reversed", scoring="winner")
    assert Board("6x6") != "6x6"
    assert Board("8x8").scoring == "winner" and Board("6x6").scoring == "raw"


def test_copies_and_pickles_keep_the_moves() -> None:
    board = Board("6x6", goal="reversed", start="parallel")
    while not board.is_over:
        board.push(board.legal_moves[0])
    for same in (copy.copy(board), copy.deepcopy(board), board.copy(), pickle.loads(pickle.dumps(board))):
        assert same == board and same.moves == board.moves
        same.pop()
        assert same != board or same.moves != board.moves
    assert board.is_over


def test_planes_squares_and_masks_say_the_same() -> None:
    board = Board("5x4").after(Board("5x4").legal_moves[0])
    planes = board.planes()
    assert planes.shape == (3, 4, 5) and planes.dtype == np.uint8
    for row in range(4):
        for column in range(5):
            square, bit = f"{'abcde'[column]}{row + 1}", 8 * row + column
            own, other, move = planes[:, row, column]
            disc = {(1, 0): board.turn, (0, 1): "white" if board.turn == "black" else "black", (0, 0): None}
            assert board[square] == disc[int(own), int(other)]
            assert (board.player >> bit & 1, board.opponent >> bit & 1) == (own, other)
            assert (square in board.legal_moves) == bool(move)
    assert board.count("black") + board.count("white") + board.empties == 20
    assert Board.from_bitboards("5x4", board.player, board.opponent, board.turn) == board


def test_the_picture_is_svg() -> None:
    picture = Board("6x6").after("c2")._repr_svg_()
    assert picture.startswith("<svg") and picture.endswith("</svg>")
    assert picture.count("<rect") == 36


def test_games_of_files_are_read(root, tmp_path) -> None:  # type: ignore[no-untyped-def]
    games = read_games(root / "tests/data/games.ggf")
    assert games and all(game.moves for game in games)
    path = tmp_path / "copy.ggf"
    path.write_text("".join(game.ggf() + "\n" for game in games))
    again = read_games(path)
    assert [game.transcript for game in again] == [game.transcript for game in games]
    assert [game.black for game in again] == [game.black for game in games]


def test_games_that_cannot_be_read_are_left_out_only_if_asked() -> None:
    sound = Game(Board("8x8").after("f5").after("d6")).ggf()
    games = sound + sound.replace("W[d6", "W[a1") + Game(Board("8x8").after("f5").after("f6")).ggf()
    with pytest.raises(TextError, match="game 2: .*a1"):
        read_games(games)
    with pytest.warns(UserWarning, match="left out: game 2: .*a1"):
        read = read_games(games, skip_bad=True)
    assert [game.transcript for game in read] == ["f5d6", "f5f6"]


def test_games_without_passing_are_refused_in_words() -> None:
    with pytest.raises(TextError, match="cannot move are not supported"):
        Board.from_text('{"moves":"f5d6","passing":false}', "8x8")
