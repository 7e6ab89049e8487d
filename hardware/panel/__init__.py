"""The panel: a button and a lamp for each seat, and what is wired beside them. No game is known here."""
