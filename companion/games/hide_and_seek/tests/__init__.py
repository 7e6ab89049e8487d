"""Tests of Hide and Seek."""
