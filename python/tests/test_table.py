from __future__ import annotations

import pickle

import numpy as np
import pytest

from reversi_oracle import Board, Entry, Oracle, Table, TableError, UnknownPositionError, sample_positions


def test_a_table_is_opened_and_closed(root) -> None:  # type: ignore[no-untyped-def]
    with Table.open(root / "data/4x4-reversed-raw-parallel.rvt") as table:
        board = Board("4x4", goal="reversed", start="parallel")
        assert table.probe(board) == table[board] == Entry(0, table.probe(board).best)
        assert (table.size, table.goal, table.scoring, table.closed) == ("4x4", "reversed", "raw", False)
        assert table.roots == [board] and board in table
        assert Board("5x5") not in table and Board("8x8") not in table and board.text not in table
        assert "4x4 reversed raw" in repr(table)
    assert table.closed
    with pytest.raises(ValueError, match="closed"):
        table.probe(board)
    assert repr(table) == "<Table, closed>"


def test_what_is_not_stored_is_a_key_error() -> None:
    table = Table.find("6x6")
    board = next(board for board in sample_positions(Board("6x6"), 3, 50) if board not in table)
    with pytest.raises(UnknownPositionError, match="does not hold"):
        table.probe(board)
    with pytest.raises(KeyError):
        table[board]
    assert table.get(board) is None and table.get(board, 7) == 7
    assert table.get(Board("6x6")) == Entry(-4, "c2")


def test_another_game_is_a_value_error() -> None:
    table = Table.find("4x4")
    for board in (Board("6x6"), Board("4x4", goal="reversed"), Board("4x4", scoring="winner")):
        with pytest.raises(ValueError):
            table.probe(board)
        with pytest.raises(ValueError, match="board 1"):
            table.probe_many([Board("4x4"), board])


def test_all_entries_are_iterated_over(oracle: Oracle) -> None:
    table = Table.find("4x4", goal="reversed", scoring="winner")
    entries = list(table)
    assert len(entries) == len(table) == 12351
    for board, entry in entries[::37]:
        assert table.probe(board) == entry
        assert oracle.value(board) == entry.score
        if entry.best is not None:
            assert oracle.value(board.after(entry.best)) == -entry.score
    assert [board.empties for board, _ in entries] == sorted((board.empties for board, _ in entries), reverse=True)


@pytest.mark.parametrize("threads", [None, 1, 3])
def test_many_probes_are_the_single_ones(threads: int | None) -> None:
    table = Table.find("4x4")
    boards = [board for board, _ in table][::3] + [Board.from_bitboards("4x4", 1, 2)]
    found = table.probe_many(boards, threads=threads)
    assert found.score.dtype == found.best.dtype == np.int8 and found.stored.dtype == np.bool_
    assert found.stored.tolist() == [True] * (len(boards) - 1) + [False]
    assert (found.score[-1], found.best[-1]) == (-128, -1)
    for board, score, best in zip(boards[:-1], found.score.tolist(), found.best.tolist()):
        names = {-1: None, 64: "pa"}
        name = names[best] if best in names else f"{'abcdefgh'[best % 8]}{best // 8 + 1}"
        assert table.probe(board) == Entry(score, name)


def test_the_tables_of_the_package_are_whole() -> None:
    for goal in ("normal", "reversed"):
        assert Table.find("6x6", goal=goal).check() > 0
        for start in ("diagonal", "parallel"):
            assert Table.find("4x4", goal=goal, start=start).check() > 0


def test_faults_of_files_are_named(root, tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FileNotFoundError, match="nowhere.rvt"):
        Table.open(tmp_path / "nowhere.rvt")
    with pytest.raises(FileNotFoundError, match="no table of 8x8"):
        Table.find("8x8")
    content = bytearray((root / "data/4x4-normal-raw-diagonal.rvt").read_bytes())
    (tmp_path / "short.rvt").write_bytes(content[:-1])
    with pytest.raises(TableError, match="short.rvt"):
        Table.open(tmp_path / "short.rvt")
    content[20000] ^= 1
    (tmp_path / "wrong.rvt").write_bytes(content)
    with Table.open(tmp_path / "wrong.rvt") as table:
        with pytest.raises(TableError, match="wrong.rvt"):
            table.check()
        with pytest.raises(TableError):
            list(table)
        with pytest.raises(TableError):
            table.probe_many([board for board, _ in Table.find("4x4")])


def test_tables_are_pickled_by_their_names(root) -> None:  # type: ignore[no-untyped-def]
    for table in (Table.open(root / "data/4x4-normal-raw-diagonal.rvt"), Table.find("4x4", start="parallel")):
        same = pickle.loads(pickle.dumps(table))
        assert (len(same), same.roots) == (len(table), table.roots)


def test_a_table_stays_that_of_its_file_wherever_one_goes(root, tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "own.rvt").write_bytes((root / "data/4x4-normal-raw-diagonal.rvt").read_bytes())
    monkeypatch.chdir(tmp_path)
    table = Table.open("own.rvt")
    monkeypatch.chdir(root)
    pickled = pickle.dumps(table)
    assert pickle.loads(pickled).path == table.path == str(tmp_path / "own.rvt")
    (tmp_path / "own.rvt").unlink()
    # Not the table of the package in its place.
    for bytes_of_it in (pickled, pickle.dumps(table)):
        with pytest.raises(FileNotFoundError, match="own.rvt"):
            pickle.loads(bytes_of_it)
