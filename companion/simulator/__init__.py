"""The virtual table: a camera that draws a board, tiles, hands and dice, and plays by itself."""
