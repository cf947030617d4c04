"""Arrays of bitboards as callers write them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def pairs(player: Any, opponent: Any) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The bitboards of both sides as arrays of one shape."""
    own, other = _masks(player, "player"), _masks(opponent, "opponent")
    if own.shape != other.shape:
        raise ValueError(f"player is of shape {own.shape}, opponent of shape {other.shape}")
    return own, other


def _masks(values: Any, name: str) -> NDArray[np.uint64]:
    """An array of 64-bit masks, without a copy where it is one already. Signed numbers of an array count by their bits."""
    import numpy as np

    # Of what has no type of its own each number is looked at: some lists of integers would become floating-point numbers,
    # which do not hold 64 bits.
    is_typed = hasattr(values, "dtype") or hasattr(values, "typecode")
    array = np.asarray(values) if is_typed else np.asarray(values, dtype=object)
    if array.dtype == object:
        return np.array([_mask(value, name) for value in array.flat], dtype=np.uint64).reshape(array.shape)
    if array.dtype == np.int64:
        return np.asarray(array, order="C").view(np.uint64)
    if array.dtype.kind == "u":
        return np.asarray(array, dtype=np.uint64, order="C")
    raise TypeError(f"{name} is an array of {array.dtype}; bitboards are uint64 or int64")


def _mask(value: Any, name: str) -> int:
    try:
        mask = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} holds {value!r}; bitboards are integers") from None
    if not 0 <= mask < 1 << 64:
        raise ValueError(f"{name} holds {mask}; a bitboard is a number from 0 to 2**64 - 1")
    return mask
