"""What several tests share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from reversi_oracle import Oracle

sys.path.insert(0, str(Path(__file__).parent))

#: The root of the repository.
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    return Oracle(threads=2)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT
