"""Chop! Chop!, rule by rule."""
