"""How the small network that joins squares into tiles is trained on labelled folders, with numpy alone."""
