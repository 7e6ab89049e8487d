"""Cameras: one small class for each kind of source, all with the methods of `frame.Camera`."""
