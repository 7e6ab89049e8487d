"""The root of the one family of errors, and the error that needs no catalogue of messages.

They are apart from `companion.errors` so that the catalogue can raise them. Everybody else takes them from
there.
"""

from __future__ import annotations


class CompanionError(Exception):
    """Root of all errors that the companion raises on purpose."""


class MendableError(CompanionError):
    """Something outside the game is wrong. The text is one sentence that says what, and how to mend it.

    A command prints the sentence and exits with status 2.
    """
