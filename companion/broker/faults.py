"""What can be wrong between a table and its broker."""

from __future__ import annotations

from companion.errors import PhrasedError


class BrokerError(PhrasedError):
    """The broker cannot be used now; the table itself plays on untouched."""

    family = "broker-fault"
