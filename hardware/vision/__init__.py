"""Vision: arrays in, observations out."""
