"""Runs a program as the service runs: no memory that can be written becomes memory that can be run."""

import ctypes
import os
import sys

PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1

if ctypes.CDLL(None).prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0:
    sys.stderr.write("  this kernel has no such fence (before 6.3): run without it\n")
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
