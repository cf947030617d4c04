"""Each snippet of the guide, in its order, as one session."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

import reversi_oracle

GUIDE = Path(__file__).resolve().parents[2] / "docs/guide/python.md"


def test_the_snippets_of_the_guide_run_and_print_what_they_say() -> None:
    text = GUIDE.read_text()
    names: dict[str, Any] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    printed: list[str] = []
    blocks = list(re.finditer(r"^```(pycon|python)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert len(blocks) > 10
    for block in blocks:
        line = text[: block.start()].count("\n") + 1
        if block[1] == "python":
            exec(compile("\n" * line + block[2], str(GUIDE), "exec"), names)
            continue
        test = doctest.DocTestParser().get_doctest(block[2], names, f"line {line}", str(GUIDE), line)
        runner.run(test, out=printed.append, clear_globs=False)
        names.update(test.globs)
    assert not printed, "".join(printed)
    for name, function in names.items():
        if name.startswith("test_"):
            function()


@pytest.mark.parametrize("module", ["__init__", "_table"])
def test_the_examples_of_the_docstrings_are_right(module: str) -> None:
    loaded = reversi_oracle if module == "__init__" else __import__(f"reversi_oracle.{module}", fromlist=["_"])
    failed, tried = doctest.testmod(loaded)
    assert failed == 0 and tried > 0
