"""Make the bundle: the companion with the wheels of all that it needs, for a Pi without the internet.

bundle.py FOLDER MACHINE PYTHON writes `FOLDER` for that machine (aarch64, x86_64) and Python (3.13). pip
checks each wheel by its hash in the lock file.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import Requirement

from companion.commands.card_program import write_program

LOCK = Path("systemd/requirements.lock")
GLIBC_MINORS = (17, *range(24, 42))
"""The versions 2.x of the C library that a wheel may ask for; Debian trixie has 2.41."""


def wanted(python: str) -> str:
    """The lock file's packages for a version of Python, whatever this one is."""
    blocks = LOCK.read_text("utf-8").replace(" \\\n", "\\").splitlines()
    environment = {"python_version": python, "python_full_version": f"{python}.0"}
    kept = []
    for block in blocks:
        pin, *hashes = block.split("\\")
        if not pin or pin.startswith("#"):
            continue
        package = Requirement(pin)
        if package.marker is None or package.marker.evaluate(environment):
            kept.append(" ".join([f"{package.name}{package.specifier}", *hashes]))
    return "\n".join(kept) + "\n"


def download(folder: Path, machine: str, python: str) -> None:
    """Fetch the wheels into a folder."""
    (folder / "wanted.txt").write_text(wanted(python), "utf-8")
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in GLIBC_MINORS]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += [
        "--require-hashes",
        "--only-binary=:all:",
        "--implementation=cp",
        f"--python-version={python}",
    ]
    command += [f"--abi={abi}" for abi in ("cp" + python.replace(".", ""), "abi3", "none")]
    command += [f"--platform={each}" for each in (*platforms, f"manylinux2014_{machine}", "any")]
    subprocess.run([*command, "-d", str(folder), "-r", str(folder / "wanted.txt")], check=True)


bundle, machine, python = sys.argv[1:]
with TemporaryDirectory() as wheels:
    download(Path(wheels), machine, python)
    write_program(Path(bundle), Path(wheels).glob("*.whl"))
print(f"{bundle} holds the bundle for {machine} with Python {python}.", file=sys.stderr)
