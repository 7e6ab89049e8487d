"""Cameras: each is one small class that gives frames."""
