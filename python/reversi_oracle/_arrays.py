"""Arrays of bitboards as callers write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def masks(values: Any, name: str) -> NDArray[np.uint64]:
    """An array of 64-bit masks, without a copy where it is one already. Signed numbers count by their bits."""
    import numpy as np

    if not isinstance(values, np.ndarray):
        values = np.asarray(values, dtype=np.uint64)
    if values.dtype == np.int64:
        return np.ascontiguousarray(values).view(np.uint64)
    if values.dtype.kind == "u":
        return np.ascontiguousarray(values, dtype=np.uint64)
    raise TypeError(f"{name} is an array of {values.dtype}; bitboards are uint64 or int64")
