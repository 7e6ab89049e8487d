"""Sheets to print, in true mm: the markers, the mat and the panel's wiring."""
