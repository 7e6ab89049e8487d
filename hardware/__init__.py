"""Floor 3: light, pixels and pins."""
