"""The camera's senses, one each for tiles, pieces, dice and cards, and which of them a match needs."""
