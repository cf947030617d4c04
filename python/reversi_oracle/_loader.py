"""Chooses the extension module for this processor.

A wheel for x86-64 holds it several times: `_native` runs on every processor, `_native_v3` uses AVX2 and BMI,
`_native_v4` AVX-512. All of them are one module with one name; the first asks the processor which one it is to be.
"""

from __future__ import annotations

import importlib
import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

#: Names the level that is used at most: 1, 3 or 4.
LEVEL_VARIABLE = "REVERSI_ORACLE_CPU"

_NAME = "reversi_oracle._native"
_DIRECTORY = Path(__file__).parent


def load() -> int:
    """Loads the module and returns the x86-64 level it was built for; 1 or 0 for the baseline of this machine."""
    baseline = importlib.import_module(_NAME)
    best = int(baseline.cpu_level())
    wanted = os.environ.get(LEVEL_VARIABLE)
    if wanted:
        if wanted not in ("1", "3", "4"):
            raise ImportError(f"${LEVEL_VARIABLE} is {wanted!r}; there are 1, 3 and 4")
        best = min(best, int(wanted))
    for level in (4, 3):
        path = _file(level)
        if level <= best and path is not None:
            _replace(path)
            return level
    return min(best, 1)


def _file(level: int) -> Path | None:
    for suffix in EXTENSION_SUFFIXES:
        path = _DIRECTORY / f"_native_v{level}{suffix}"
        if path.is_file():
            return path
    return None


def _replace(path: Path) -> None:
    """Loads a file in place of the baseline, under the same name."""
    spec = spec_from_file_location(_NAME, path, loader=ExtensionFileLoader(_NAME, str(path)))
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} cannot be loaded")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[_NAME] = module
    setattr(sys.modules["reversi_oracle"], "_native", module)
