"""Exploding Kittens, rule by rule."""
