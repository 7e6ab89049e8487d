"""The companion: rules and odds of the games, the match at the table, and its commands."""

import os

__version__ = "0.1.0"

MOST_PIXELS = 52_000_000
"""The largest picture that is opened, in pixels: that of the largest phone cameras, 160 MB."""

# OpenCV reads this once, when it is loaded, and refuses a larger picture before it takes any memory.
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(MOST_PIXELS))
# Our matrices are small: threads of the linear algebra cost them more time than they save, most on a busy Pi.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

MOST_PHOTO_BYTES = 10_000_000
"""The largest photo that a page may send."""

MOST_PHOTO_PIXELS = 12_600_000
"""The largest photo that is scored, in pixels: a phone's 12 megapixels are up to 4080 × 3072."""
