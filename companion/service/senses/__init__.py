"""The camera's senses (tiles, pieces, dice and cards), and their selection for a match."""
