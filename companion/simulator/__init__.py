"""The virtual table: a camera that draws a bed, tiles, hands and dice, and plays by itself."""
