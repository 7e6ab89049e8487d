"""Tests of the score sheet."""
