"""Keep the server small: give memory back to the system when it is no longer used."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

_M_MMAP_THRESHOLD = -3  # from glibc's malloc.h
_BLOCK = 256 * 1024


def keep_small() -> None:
    """Have blocks of 256 KiB and more returned as soon as they are free; only glibc needs to be told.

    Left alone it raises that limit to the size of the largest block it ever freed, and every thread that
    draws a page then keeps tens of megabytes.
    """
    if sys.platform == "linux":
        with suppress(AttributeError, OSError):  # another C library has no mallopt
            ctypes.CDLL(None).mallopt(_M_MMAP_THRESHOLD, _BLOCK)
