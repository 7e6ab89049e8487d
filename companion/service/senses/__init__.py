"""The camera's senses (tiles, pieces, dice and cards), and the selection that a match needs."""
