"""Errors about pictures. Each is one sentence that says how to mend it."""

from __future__ import annotations

import zipfile
import zlib
from tokenize import TokenError

import msgspec

from companion.errors import UserError


class VisionError(UserError):
    """Root of all errors that vision raises on purpose."""


class SceneError(VisionError, ValueError):
    """A scene or a line of pictures.jsonl that cannot be used."""


class PictureError(VisionError, ValueError):
    """A picture that is missing, broken or of an unreadable kind."""


class HomographyError(VisionError, LookupError):
    """The board cannot be located in the picture: too few markers, no corners."""


class ReferenceMissingError(VisionError, RuntimeError):
    """A reading was requested before the empty board (or a known start) was shown."""


class SavedStateError(VisionError, ValueError):
    """A saved reader state or card book that is broken, or that belongs to another board."""


class BrokenStateError(SavedStateError):
    """A saved reader state or card book whose bytes are damaged."""


BROKEN_ARCHIVE = (
    AttributeError,
    OverflowError,
    OSError,
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    EOFError,
    MemoryError,
    NotImplementedError,
    RuntimeError,
    SyntaxError,
    TokenError,
    zipfile.BadZipFile,
    zlib.error,
    msgspec.MsgspecError,
)
"""Errors of zipfile, numpy and msgspec for an .npz file with wrong bytes; numpy reads headers as Python."""
