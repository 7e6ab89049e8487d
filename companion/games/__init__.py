"""Floor 1: the rules of each game. A game is a folder; `registry` finds them."""
