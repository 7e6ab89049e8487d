"""Judges and watches the camera's set-up."""
