"""The fingerprint which proves that a file's bytes are the same; it never looks at times or sizes alone."""

from __future__ import annotations

import xxhash


def fingerprint(raw: bytes) -> str:
    """xxHash3 of 128 bits over the raw bytes, in hexadecimal, with their number: `<32 digits>-<length>`."""
    return f"{xxhash.xxh3_128_hexdigest(raw)}-{len(raw)}"
