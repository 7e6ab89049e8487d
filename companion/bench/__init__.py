"""How fast each stage is, against its floor or its limit."""
