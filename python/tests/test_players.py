from __future__ import annotations

import pickle
import sys
import textwrap
from collections.abc import Callable

import pytest

from reversi_oracle import (
    Board,
    Engine,
    Game,
    GtpPlayer,
    Oracle,
    Player,
    PlayerError,
    play,
    play_match,
    player_names,
    read_games,
    regret,
    sample_positions,
)

ENGINE = textwrap.dedent(
    """
    import sys
    from reversi_oracle import Board

    board = None
    for line in sys.stdin:
        words = line.split()
        answer = ""
        if words[0] == "name":
            answer = "first of all"
        elif words[0] == "list_commands":
            answer = "boardsize clear_board genmove play"
        elif words[0] == "boardsize":
            board = Board(f"{words[1]}x{words[1]}")
        elif words[0] == "clear_board":
            board = Board(board.size)
        elif words[0] == "play":
            if board.must_pass:
                board.push("pa")
            if words[2].lower() != "pass":
                board.push(words[2])
        elif words[0] == "genmove":
            if board.must_pass and board.turn[0] != words[1]:
                board.push("pa")
            answer = board.legal_moves[0] if FAULT is None else FAULT
            if FAULT is None:
                board.push(answer)
        print("= " + answer + "\\n", flush=True)
        if words[0] == "quit":
            break
    """
)


@pytest.fixture
def gtp(tmp_path):  # type: ignore[no-untyped-def]
    """Commands of a program that plays the first move, or always answers the same."""

    def command(fault: str | None = None) -> list[str]:
        path = tmp_path / f"engine-{fault}.py"
        path.write_text(f"FAULT = {fault!r}\n{ENGINE}")
        return [sys.executable, str(path)]

    return command


def first(board: Board) -> str:
    return board.legal_moves[0]


def test_engines_play_legal_moves_and_the_end_exactly(oracle: Oracle) -> None:
    for goal in ("normal", "reversed"):
        for board in sample_positions(Board("8x8", goal=goal), 10, 5):
            choice = Engine(level=10).choose(board)
            assert choice.exact and isinstance(choice.value, int) and choice.value == oracle.value(board)
            assert choice.move == choice.line[0] and choice.move in oracle.best_moves(board)
    start = Board("8x8")
    for engine in (Engine(), Engine(level=3), Engine(depth=4), Engine(time=0.05), Player("alphabeta:3")):
        assert engine.play(start) in start.legal_moves
    choice = Engine(level=4).choose(start.after("f5"))
    assert choice.kind == "estimate" and isinstance(choice.value, float)


def test_hints_name_all_moves_best_first() -> None:
    board = Board("6x6").after("c2")
    hints = Engine(level=6).hint(board)
    assert {hint.move for hint in hints} == set(board.legal_moves)
    values = [hint.value for hint in hints]
    assert values == sorted(values, reverse=True)  # type: ignore[type-var]
    assert Engine(time=0.2).hint(board) and Engine(level=10).hint(board, depth=2)


def test_names_are_checked() -> None:
    assert Engine(level=5).name == "engine:level=5"
    assert "engine" in [name for name, _, _ in player_names()]
    wrong: list[Callable[[], object]] = [
        lambda: Player("egnine"),
        lambda: Engine(level=21),
        lambda: Engine(time=0),
        lambda: Player("engine:level=x"),
        lambda: GtpPlayer([]),
    ]
    for make in wrong:
        with pytest.raises(ValueError):
            make()
    with pytest.raises(PlayerError, match="cannot play this game"):
        Player("phases").play(Board("6x6"))
    over = Board.from_bitboards("4x4", 1, 4)
    with pytest.raises(ValueError, match="over"):
        Engine().play(over)


def test_players_are_pickled_by_their_arguments(gtp) -> None:  # type: ignore[no-untyped-def]
    for player in (Player("alphabeta:3"), Engine(time=0.1, threads=2), GtpPlayer(gtp())):
        same = pickle.loads(pickle.dumps(player))
        assert type(same) is type(player) and same.name == player.name


def test_functions_and_named_players_play_games() -> None:
    game = play(first, "first", Board("6x6"))
    assert game.board.is_over and game.fault is None
    assert game.score == game.board.score("black") and (game.black, game.white) == ("first", "first")
    same = play("first", first, Board("6x6"))
    assert same.transcript == game.transcript
    best = play("perfect", first, Board("4x4"))
    assert best.score is not None and best.score >= -8
    assert str(game).endswith(game.transcript)


def test_games_are_written_and_read_again() -> None:
    for board in (Board("8x8"), Board("6x6", goal="reversed")):
        game = play("random", "first", board, seed=3)
        for text in [game.ggf(), game.pgn()] + ([game.sgf()] if board.goal == "normal" else []):
            (again,) = read_games(text, board.size)
            assert (again.transcript, again.board.goal) == (game.transcript, board.goal)
            assert (again.black, again.white) == ("random", "first")
    with pytest.raises(ValueError):
        play("random", "first", Board("6x6", goal="reversed")).sgf()
    same = pickle.loads(pickle.dumps(game))
    assert isinstance(same, Game) and same == game


def test_a_program_that_speaks_gtp_plays(gtp) -> None:  # type: ignore[no-untyped-def]
    program = GtpPlayer(gtp())
    assert play(program, "first", Board("6x6")).transcript == play("first", "first", Board("6x6")).transcript
    game = play("random", program, seed=5)
    assert game.board.is_over and game.fault is None
    with pytest.raises(PlayerError, match="usual first position"):
        play(program, "first", Board("6x6", start="parallel"))
    with pytest.raises(PlayerError, match="square boards"):
        program.play(Board("5x6"))


def test_what_a_file_says_of_a_game_without_an_end_is_kept() -> None:
    def record(kind: str, result: str) -> str:
        return f"(;GM[Othello]PB[a]PW[b]TY[{kind}]RE[{result}];)"

    for kind, result, fault, winner in [
        ("8", "-64.000:t", ("black", "out of time"), "white"),
        ("8", "+12.000:r", ("white", "resigned"), "black"),
        ("8", "+3.000", None, "black"),
        ("6a", "+36.000:f", ("black", "forfeited"), "white"),
        ("8", "+0.000:s", None, None),
    ]:
        (game,) = read_games(record(kind, result))
        assert (game.fault, game.winner, game.score) == (fault, winner, None), result
        told = f"RE[{result.removesuffix(':s')}]"
        assert told in game.ggf() and read_games(game.ggf())[0].told == game.told
    (game,) = read_games(record("8", "?"))
    assert game.told is None and game.winner is None and "RE[?]" in game.ggf()


def test_faults_lose_and_exceptions_are_raised(gtp) -> None:  # type: ignore[no-untyped-def]
    game = play("first", GtpPlayer(gtp("a1")), Board("6x6"))
    assert game.fault == ("white", "illegal move a1") and game.winner == "black" and game.score is None
    assert "a1" in str(game) and read_games(game.ggf())[0].moves == game.moves
    game = play(lambda board: "a1", "first", Board("6x6"))
    assert game.fault == ("black", "illegal move a1") and game.winner == "white"
    assert "RE[-36.000:f]" in game.ggf()
    (again,) = read_games(game.ggf())
    assert again.fault == ("black", "forfeited") and again.winner == "white" and again.ggf() == game.ggf()
    for answer in ("z9", "hello"):
        game = play(lambda board, answer=answer: answer, "first", Board("6x6"))  # type: ignore[misc]
        assert game.fault is not None and game.fault[0] == "black" and answer in game.fault[1]

    def failing(board: Board) -> str:
        raise ZeroDivisionError("in the engine")

    with pytest.raises(ZeroDivisionError, match="in the engine"):
        play(failing, "first", Board("6x6"))
    for wrong in (lambda board: 3, lambda board: None):
        with pytest.raises(TypeError, match="no move"):
            play(wrong, "first", Board("6x6"))  # type: ignore[arg-type]
    with pytest.raises(PlayerError, match="cannot be started"):
        GtpPlayer("/no/such/program").play(Board("6x6"))
    with pytest.raises(TypeError, match="no player"):
        play(3, "first")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="one of them"):
        play("first", "first", time=1, clock=1)


def test_a_late_function_loses() -> None:
    import time

    def slow(board: Board) -> str:
        time.sleep(0.2)
        return board.legal_moves[0]

    assert play(slow, "first", Board("6x6"), time=0.05).fault == ("black", "out of time")
    assert play("first", slow, Board("6x6"), clock=0.1).fault == ("white", "out of time")


def test_matches_change_sides() -> None:
    match = play_match("engine:level=3", first, Board("6x6"), games=6, plies=4)
    assert len(match.games) == 6 and match.wins + match.draws + match.losses == 6
    assert [game.black for game in match.games] == ["engine:level=3", "first"] * 3
    assert match.games[0].moves[:4] == match.games[1].moves[:4] != match.games[2].moves[:4]
    assert match.wins > match.losses
    assert len(read_games(match.ggf())) == 6 and "6 games" in str(match)


def test_the_regret_of_the_perfect_player_is_nothing(gtp) -> None:  # type: ignore[no-untyped-def]
    report = regret("perfect", Board("6x6"), (4, 8), 40)
    assert report.mean == 0 and report.all.perfect == 1
    assert report.interval is None and "perfect: 0.00 +- ? discs lost a move" in str(report)
    report = regret(first, Board("6x6"), (4, 8), 40)
    assert report.mean is not None and report.mean > 0 and set(report.by_empties) == {4, 5, 6, 7, 8}
    assert sum(row.moves for row in report.by_empties.values()) == 40
    assert report.mean == pytest.approx(sum(lost or 0 for _, _, lost in report.moves) / 40)
    assert "discs lost a move at 40 positions" in str(report)
    by_gtp = regret(GtpPlayer(gtp()), Board("6x6"), (4, 8), 40)
    assert by_gtp.all == report.all
    illegal = regret(lambda board: "a9", Board("6x6"), 4, 10)
    assert illegal.all.illegal == 10 and illegal.mean is None
