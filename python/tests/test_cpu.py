"""The code for each processor: the baseline runs on old ones, and all of them say the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

import reversi_oracle
from reversi_oracle import _native

SAME = """
import sys
from reversi_oracle import *
boards = sample_positions(Board("6x6"), 13, 10) + sample_positions(Board("6x6"), 9, 10)
solved = [solve(board, threads=1) for board in boards]
hints = Engine(level=6).hint(Board("8x8").after("f5"))
table = Table.find("6x6")
print([(one.score, one.best, one.nodes, one.line) for one in solved])
print([(hint.move, hint.value) for hint in hints], table.probe(Board("6x6")), Oracle().line(Board("4x4")))
print(CPU_LEVEL, file=sys.stderr)
"""


def run(command: list[str], code: str = SAME, **environment: str) -> tuple[str, str]:
    done = subprocess.run(
        [*command, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr.splitlines()[-1]


def levels() -> list[str]:
    here = os.path.dirname(reversi_oracle.__file__)
    own = [name[len("_native_v") :][0] for name in os.listdir(here) if name.startswith("_native_v")]
    return ["1", *sorted(own)]


x86 = pytest.mark.skipif(_native.cpu_level() == 0, reason="levels are those of x86-64")


@x86
def test_the_best_level_of_this_processor_is_used() -> None:
    can = [int(level) for level in levels() if int(level) <= _native.cpu_level()]
    wanted = os.environ.get("REVERSI_ORACLE_CPU") or "4"
    assert reversi_oracle.CPU_LEVEL == max(level for level in can if level <= int(wanted))


@x86
def test_the_baseline_takes_nothing_for_granted() -> None:
    code = "from reversi_oracle import _native; import sys; print(_native.target_features()); print(1, file=sys.stderr)"
    features, _ = run([sys.executable], code, REVERSI_ORACLE_CPU="1")
    assert features == "[]\n"
    if "3" in levels() and _native.cpu_level() >= 3:
        features, _ = run([sys.executable], code, REVERSI_ORACLE_CPU="3")
        assert "'avx2'" in features and "'bmi2'" in features and "avx512" not in features


@x86
def test_all_levels_say_the_same() -> None:
    expected, level = run([sys.executable], REVERSI_ORACLE_CPU="1")
    assert level == "1"
    for level in levels()[1:]:
        if int(level) <= _native.cpu_level():
            assert run([sys.executable], REVERSI_ORACLE_CPU=level) == (expected, level)
    with pytest.raises(AssertionError, match="there are 1, 3 and 4"):
        run([sys.executable], REVERSI_ORACLE_CPU="2")


QEMU = shutil.which("qemu-x86_64")


@x86
@pytest.mark.parametrize("processor", ["qemu64", "core2duo", "phenom", "Nehalem"])
def test_old_processors_run_the_baseline(processor: str) -> None:
    if QEMU is None:
        # CI is set where everything must be there, as by .ci/run.
        assert not os.environ.get("CI"), "qemu-x86_64 is missing: apt-get install qemu-user"
        pytest.skip("there is no qemu-x86_64 here")
    short = SAME.replace("13, 10", "10, 3").replace("9, 10", "8, 2").replace("level=6", "level=3")
    expected, _ = run([sys.executable], short)
    assert run([QEMU, "-cpu", processor, sys.executable], short) == (expected, "1")


@x86
def test_arrays_work_on_an_old_processor() -> None:
    if QEMU is None:
        pytest.skip("there is no qemu-x86_64 here")
    # It names the linear algebra that numpy shall use, for the processor of this machine, and qemu passes it on.
    kernel = os.environ.get("OPENBLAS_CORETYPE", "")
    if kernel not in ("", "Prescott", "Core2", "Nehalem"):
        pytest.skip(f"OPENBLAS_CORETYPE asks for {kernel}, so numpy itself cannot start on a Nehalem")
    code = """
import sys
from reversi_oracle import *
boards = sample_positions(Board("6x6"), (6, 9), 50)
print(Oracle().value_many(boards).tolist(), Table.find("6x6").probe_many(boards).score.tolist())
print(CPU_LEVEL, file=sys.stderr)
"""
    expected, _ = run([sys.executable], code)
    # numpy itself wants a processor of 2008 at least.
    assert run([QEMU, "-cpu", "Nehalem", sys.executable], code) == (expected, "1")
