"""Cat and Mouse, rule by rule."""
