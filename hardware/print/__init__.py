"""Sheets to print, in true mm: the markers alone, and the whole mat."""
