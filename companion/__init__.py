"""The companion: rules and odds of the games, the match at the table, and its commands."""

__version__ = "0.1.0"
