"""What can go wrong with pictures, as errors that each hold one sentence saying how to mend it."""

from __future__ import annotations

from companion.errors import MendableError


class VisionError(MendableError):
    """Root of everything that the vision raises on purpose."""


class SceneError(VisionError, ValueError):
    """A scene or a line of pictures.jsonl that cannot be used."""


class PictureError(VisionError, ValueError):
    """A picture that is missing, broken or of a kind that cannot be read."""


class HomographyError(VisionError, LookupError):
    """The bed cannot be placed in the picture: too few markers, no corners."""


class ReferenceMissingError(VisionError, RuntimeError):
    """Reading was asked for before the empty bed (or a known start) was seen."""


class SavedStateError(VisionError, ValueError):
    """Kept knowledge that is broken, or that belongs to another bed."""
