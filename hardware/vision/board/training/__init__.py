"""How the small network that joins squares to tiles is trained, on labelled folders, with numpy alone."""
