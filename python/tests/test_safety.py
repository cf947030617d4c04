"""Threads, forks, signals, memory: nothing hangs and nothing is ended from within."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

import pytest

from reversi_oracle import Board, Engine, GtpPlayer, Oracle, PlayerError, Table, play, sample_positions, solve


def test_python_threads_share_an_oracle_and_an_engine(oracle: Oracle) -> None:
    boards = sample_positions(Board("6x6"), (6, 13), 60)
    expected = [oracle.value(board) for board in boards]
    engine = Engine(level=4)
    found: list[list[int]] = []

    def work() -> None:
        values = [oracle.value(board) for board in boards]
        assert all(engine.play(board) in board.legal_moves for board in boards[:10])
        assert oracle.value_many(boards).tolist() == values
        found.append(values)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [expected] * 4


def test_the_gil_is_released_in_searches() -> None:
    ticks = 0
    done = threading.Event()

    def search() -> None:
        solve(Board("8x8"), time=0.5, threads=1, memory=1 << 24)
        done.set()

    thread = threading.Thread(target=search)
    thread.start()
    while not done.is_set():
        ticks += 1
        time.sleep(0.01)
    thread.join()
    assert ticks > 10


def test_a_board_may_change_while_its_position_is_searched() -> None:
    board = Board("8x8")
    searching = threading.Event()
    found: list[int] = []

    def search() -> None:
        searching.set()
        found.append(solve(board, time=0.5, threads=1, memory=1 << 24).nodes)

    thread = threading.Thread(target=search)
    thread.start()
    searching.wait()
    while not found:
        board.push("f5")
        assert board.pop() == "f5"
        time.sleep(0.01)
    thread.join()

    def with_it(now: Board) -> str:
        board.push("f5")
        board.pop()
        return now.legal_moves[0]

    assert play(with_it, "first", board).board.is_over


CTRL_C = {
    "solve": "solve(Board('8x8'), threads=2)",
    "value": "Oracle().value(Board('8x8'))",
    "value_many": "Oracle().value_many([Board('8x8')] * 4)",
    "line": "Oracle().line(Board('8x8'))",
    "hint": "Engine(depth=60).hint(Board('8x8'))",
    "engine": "Engine(depth=60).play(Board('8x8'))",
    "play": "play(Engine(depth=60), Engine(depth=60))",
    "sample": "sample_positions(Board('4x4'), 1, n=10**12)",
    "function": "play(lambda board: forever(), 'first')",
}


@pytest.mark.parametrize("what", CTRL_C)
def test_ctrl_c_ends_what_takes_long(what: str) -> None:
    # A background job of a shell ignores the signal from the start, and so would this.
    code = f"""
import signal, time
from reversi_oracle import *
signal.signal(signal.SIGINT, signal.default_int_handler)
def forever():
    while True: time.sleep(0.01)
print("begun", flush=True)
try:
    {CTRL_C[what]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        output, _ = process.communicate(timeout=30)
    finally:
        process.kill()
    assert output == "interrupted\n" and process.returncode == 0
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    "call",
    [
        "solve(Board('8x8'))",
        "Oracle().value(Board('8x8'))",
        "Oracle().value_many(sample_positions(Board('8x8'), 24, 40))",
        "Engine(level=20).play(Board('8x8'))",
        "play(lambda board: time.sleep(0.01) or board.legal_moves[0], 'random', Board('8x8'))",
        "[Oracle().value(board) for board in sample_positions(Board('6x6'), 6, 10_000)]",
    ],
)
def test_a_thread_that_still_searches_does_no_harm_at_the_end(call: str) -> None:
    program = f"""
import threading, time
from reversi_oracle import *
def work():
    while True:
        {call}
threading.Thread(target=work, daemon=True).start()
time.sleep(0.3)
"""
    # What the thread says of its end does not count.
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")


def in_child(work) -> bool:  # type: ignore[no-untyped-def]
    """Whether `work` returns true in a forked child, within half a minute."""
    process = multiprocessing.get_context("fork").Process(target=lambda: sys.exit(0 if work() else 1))
    process.start()
    process.join(30)
    if process.is_alive():
        process.kill()
        raise AssertionError("the child hangs")
    return process.exitcode == 0


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_after_a_fork_may_use_everything(oracle: Oracle) -> None:
    boards = sample_positions(Board("6x6"), 12, 10)
    expected = oracle.value_many(boards).tolist()
    engine, table = Engine(level=3), Table.find("6x6")
    move = engine.play(Board("6x6"))
    # Another thread is in the middle of a search when the fork happens.
    busy = threading.Thread(target=lambda: solve(Board("8x8"), time=1.0, threads=2, memory=1 << 24))
    other = threading.Thread(target=lambda: pytest.raises(TimeoutError, oracle.value, Board("8x8"), time=1.0))
    busy.start()
    other.start()
    assert in_child(lambda: oracle.value_many(boards).tolist() == expected)
    assert in_child(lambda: oracle.value(boards[0]) == expected[0] and table.probe(Board("6x6")).score == -4)
    assert in_child(lambda: engine.play(Board("6x6")) == move)
    assert in_child(lambda: solve(boards[0]).score == expected[0])
    busy.join()
    other.join()
    assert oracle.value(boards[0]) == expected[0] and engine.play(Board("6x6")) == move


@needs_fork
def test_a_fork_during_the_first_use_of_arrays_leaves_a_child_that_works() -> None:
    program = """
import os, sys, threading, time
from reversi_oracle import Board, Oracle, sample_positions
oracle = Oracle(threads=1)
boards = sample_positions(Board("6x6"), 8, 20)
threading.Thread(target=oracle.value_many, args=(boards,), daemon=True).start()
time.sleep(0.02)
child = os.fork()
if child == 0:
    oracle.value_many(boards)
    os._exit(0)
for _ in range(3000):
    ended, status = os.waitpid(child, os.WNOHANG)
    if ended:
        sys.exit(os.waitstatus_to_exitcode(status))
    time.sleep(0.01)
os.kill(child, 9)
sys.exit("the child hangs")
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_program_of_the_parent_is_refused_in_the_child_and_lives_on(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from test_players import ENGINE

    path = tmp_path / "engine.py"
    path.write_text(f"FAULT = None\n{ENGINE}")
    program = GtpPlayer([sys.executable, str(path)])
    assert program.play(Board("6x6")) == "b2" or program.play(Board("6x6")) in Board("6x6").legal_moves

    def refused() -> bool:
        with pytest.raises(PlayerError, match="before the fork"):
            program.play(Board("6x6"))
        return True

    assert in_child(refused)
    assert play(program, "first", Board("6x6")).fault is None


@needs_fork
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_table_whose_file_is_gone_after_a_fork_is_not_closed(root, tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "table.rvt"
    shutil.copy(root / "data/4x4-reversed-raw-parallel.rvt", path)
    table = Table.open(path)
    path.unlink()

    def is_open_but_cannot_be_read() -> bool:
        with pytest.raises(FileNotFoundError, match="table.rvt"):
            table.probe(Board("4x4", goal="reversed", start="parallel"))
        return not table.closed and "table.rvt" in repr(table) and "closed" not in repr(table)

    assert in_child(is_open_but_cannot_be_read)
    assert not table.closed and table.size == "4x4"
    table.close()
    assert table.closed


def test_the_gil_is_released_while_a_program_ends(tmp_path) -> None:  # type: ignore[no-untyped-def]
    from test_players import ENGINE

    path = tmp_path / "engine.py"
    # It is given some tenths of a second, and then ended.
    path.write_text(f"FAULT = None\n{ENGINE}\nimport time\ntime.sleep(60)\n")
    program = GtpPlayer([sys.executable, str(path)])
    assert program.play(Board("6x6")) in Board("6x6").legal_moves
    ticks, done = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not done.wait(0.01):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    before, started = ticks, time.monotonic()
    del program
    during, took = ticks - before, time.monotonic() - started
    done.set()
    thread.join()
    assert took > 0.1 and during > 3


def test_memory_stays_the_same_over_many_calls(oracle: Oracle) -> None:
    board, table = Board("6x6"), Table.find("6x6")
    boards = sample_positions(Board("6x6"), 30, 100)

    def calls(count: int) -> None:
        for _ in range(count):
            oracle.value(board)
            table.get(board)
            board.push("c2")
            board.legal_moves
            board.pop()
            board.copy()
        for _ in range(count // 1000):
            table.probe_many(boards)
            str(board), board.planes(), board._repr_svg_()

    calls(20_000)
    before = resident()
    calls(100_000)
    assert resident() - before < 4 << 20


def resident() -> int:
    try:
        with open("/proc/self/statm") as numbers:
            return int(numbers.read().split()[1]) * resource.getpagesize()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def test_without_numpy_only_arrays_are_missing() -> None:
    code = """
import sys
sys.modules["numpy"] = None
from reversi_oracle import *
board = Board("6x6")
assert Oracle().value(board) == -4 and solve(sample_positions(board, 8, 1)[0]).exact
for ask in (board.planes, lambda: Oracle().value_many([board]), lambda: Table.find("6x6").probe_many([board])):
    try:
        ask()
    except ImportError:
        continue
    raise AssertionError("numpy is needed there")
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_memory_that_is_not_there_is_a_memory_error() -> None:
    with pytest.raises(MemoryError):
        solve(Board("6x6"), memory=1 << 50)
    with pytest.raises(ValueError, match="threads"):
        solve(Board("6x6"), threads=0)
