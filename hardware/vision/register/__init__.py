"""Registration: where the board is in this frame, and how sharp and how still the frame is."""
