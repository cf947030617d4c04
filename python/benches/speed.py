"""How fast the package is: look-ups, single questions, whole searches.

    python python/benches/speed.py [--program target/release/reversi]

With the program named, `solve` is compared with `reversi solve`. What Rust needs for a look-up in the same table says
`cargo bench --bench table`, under `shipped`.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import time
from collections.abc import Callable

from reversi_oracle import CPU_LEVEL, Board, Oracle, Table, bitboards, solve

#: A position of 8x8 with 22 empty squares: number 42 of the FFO endgame test.
LONG = "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", help="the program to compare with")
    options = parser.parse_args()
    print(f"level {CPU_LEVEL}")
    probes()
    questions()
    searches(options.program)


def best_of(rounds: int, work: Callable[[], object]) -> float:
    """Seconds of the fastest round."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def each_of(work: Callable[[], object], count: int = 10_000) -> float:
    """Seconds of one call."""
    return best_of(5, lambda: [work() for _ in range(count)]) / count


def probes() -> None:
    """Look-ups of stored positions in random order, so that hardly anything stays in the caches."""
    table = Table.find("6x6")
    table.check()
    boards = [board for place, (board, _) in enumerate(table) if place % 8 == 0]
    random.Random(1).shuffle(boards)
    player, opponent = bitboards(boards)
    for count in (100, 1000, 10_000, 100_000):
        for threads in (1, 2):
            rounds = range(0, len(player) - count, count)[:40]
            look = lambda: [  # noqa: E731
                table.probe_many(player[at : at + count], opponent[at : at + count], threads=threads) for at in rounds
            ]
            each = best_of(5, look) / (count * len(rounds))
            print(f"probe_many, {count:6} a call, {threads} threads: {1e9 * each:6.0f} ns each, {1e-6 / each:.2f} million/s")


def questions() -> None:
    """Single questions about stored positions."""
    oracle, table = Oracle(), Table.find("6x6")
    boards = [board for place, (board, _) in enumerate(table) if place % 400 == 0]
    random.Random(1).shuffle(boards)
    questions: list[tuple[str, Callable[[Board], object]]] = [
        ("value", oracle.value),
        ("best", oracle.best),
        ("Table.probe", table.probe),
    ]
    for name, ask in questions:
        each = best_of(5, lambda: [ask(board) for board in boards]) / len(boards)
        print(f"{name} of a stored position: {1e6 * each:.2f} microseconds")
    board = Board("6x6").after("c2")

    def push_and_pop() -> None:
        board.push("b4")
        board.pop()

    print(f"legal_moves: {1e6 * each_of(lambda: board.legal_moves):.2f} microseconds")
    print(f"push and pop: {1e6 * each_of(push_and_pop):.2f} microseconds")


def searches(program: str | None) -> None:
    """A whole search, alternating with the program where it is named; one thread, so that the nodes are the same."""
    board = Board.from_text(LONG, "8x8", scoring="winner")
    ours, theirs = [], []
    for _ in range(3):
        ours.append(solve(board, threads=1))
        if program:
            command = [program, "solve", "--position", LONG, "--scoring", "winner", "--threads", "1", "--json", "--quiet"]
            theirs.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    seconds = min(one.seconds for one in ours)
    print(f"solve, {ours[0].nodes} nodes: {seconds:.3f} s")
    if theirs:
        program_seconds = min(one["seconds"] for one in theirs)
        same = {one["nodes"] for one in theirs} == {one.nodes for one in ours}
        print(f"reversi solve: {program_seconds:.3f} s, ratio {seconds / program_seconds:.3f}, same nodes: {same}")


if __name__ == "__main__":
    main()
