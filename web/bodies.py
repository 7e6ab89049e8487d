"""How long the body of a request may be: short, but for a photo."""

from __future__ import annotations

import re

from companion import MOST_PHOTO_BYTES

MOST_BODY_BYTES = 64 * 1024
"""The longest body of a request that is no photo."""

MOST_PHOTOS_AT_ONCE = 2
"""Photos that may be on their way at once: each is held in memory until it has come, 10 MB at most."""

TAKES_A_PHOTO = re.compile(r"/api/photos/\d+/pictures|/api/photos/throw|/api/own/picture")
"""The paths of routes that take a photo."""

NO_ROOM = "companion.no-room"
"""The key in a request's WSGI environment that is true where too many photos were on their way."""


def takes_a_photo(path: str) -> bool:
    """Whether the body of a request to `path` may be a photo."""
    return TAKES_A_PHOTO.fullmatch(path) is not None


def most_bytes(path: str) -> int:
    """The longest body that a request to `path` may have."""
    return MOST_PHOTO_BYTES if takes_a_photo(path) else MOST_BODY_BYTES
