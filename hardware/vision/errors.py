"""Errors about pictures. Each is one sentence that says how to mend it."""

from __future__ import annotations

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


BROKEN_ARCHIVE = Exception
"""An .npz file with wrong bytes may raise anything: numpy reads headers as Python."""
