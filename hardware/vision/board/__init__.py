"""Reading a board of squares: what covers each square, and which tiles or pieces these are."""
