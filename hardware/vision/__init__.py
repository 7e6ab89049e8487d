"""What a picture shows: arrays in, observations out."""
