"""The lab: training, measuring and timing for developers. It is not part of an installation."""
