"""Floor 3: light, pixels and pins."""

from companion import MOST_PIXELS

__all__ = ["MOST_PIXELS"]
