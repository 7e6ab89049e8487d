"""Measures the speed of each stage against its floor or its limit."""
