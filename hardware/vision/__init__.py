"""What a picture shows: arrays in, readings out."""
