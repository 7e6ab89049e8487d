"""Checks every part that a table needs, and bundles the results for a bug report."""
