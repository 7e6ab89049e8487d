"""The hall: one page for many tables on one broker, and an evening that they play together."""
