"""The companion as a folder on an SD card, from which a Pi installs it: `table-companion`.

It holds the companion's own wheel, the service's files and, in a bundle, the wheels of all that the companion
needs. `SHA256SUMS` has the hash of each file; the Pi checks them before it installs.
"""

from __future__ import annotations

import csv
import io
import shutil
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import companion
from companion.errors import MendableError
from companion.files import read_text

FOLDER = "table-companion"
"""The folder's name on the card."""
SUMS = "SHA256SUMS"
"""The file in it with the hash of every other file, as `sha256sum --check` reads it."""
PACKAGES = ("companion", "hardware", "web")
"""The packages of the wheel."""
LEFT_OUT = frozenset({"__pycache__", "tests", "training"})
"""Folders of a checkout that are not part of the wheel."""
SERVICE_FILES = "systemd"
"""The folder of the installer and the units: beside the packages in a checkout, in `companion` in a wheel."""
DATED = (2020, 1, 1, 0, 0, 0)
"""The date of each file in the wheel, so that the same companion makes the same wheel."""
ROOT = Path(companion.__file__).parents[1]


def write_program(folder: Path, wheels: Iterable[Path] = ()) -> None:
    """Write the companion that runs now into `folder`, with these wheels of what it needs.

    What an earlier call wrote there is replaced. Raises `OSError`, and `MendableError` if the folder holds
    something else or the companion is not installed as a package.
    """
    wheel = own_wheel()
    _clear(folder)
    (folder / "wheels").mkdir(parents=True)
    shutil.copytree(_service_files(), folder / SERVICE_FILES, copy_function=shutil.copyfile)
    (folder / "wheels" / _wheel_name()).write_bytes(wheel)
    for each in wheels:
        shutil.copyfile(each, folder / "wheels" / each.name)
    lines = [f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in _files(folder)]
    (folder / SUMS).write_text("".join(lines), "utf-8", newline="\n")


def copy_program(bundle: Path, folder: Path) -> None:
    """Copy what `write_program` wrote into `bundle` to `folder`, each file checked by its hash.

    Raises `OSError`, and `MendableError` if a file is not as it was written.
    """
    if bundle.resolve() == folder.resolve():
        raise MendableError(f"{bundle} is the bundle itself; name another folder with -o.")
    if not (bundle / SUMS).is_file():
        raise MendableError(f"{bundle} is no bundle; unpack the zip of a release and name its folder.")
    lines = [line.partition("  ") for line in read_text(bundle / SUMS).splitlines()]
    for checksum, _, name in lines:
        path = PurePosixPath(name)
        inside = not path.is_absolute() and ".." not in path.parts
        if not inside or not (bundle / path).is_file() or _sha256(bundle / path) != checksum:
            raise MendableError(f"{name} in {bundle} is damaged; fetch the bundle again, or make bundle.")
    _clear(folder)
    for name in (SUMS, *(name for _, _, name in lines)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle / name, folder / name)


def own_wheel() -> bytes:
    """The companion that runs now as a wheel, whether it was installed from a wheel or from a checkout.

    Raises `MendableError` if it was not installed at all.
    """
    try:
        installed = distribution("table-companion")
    except PackageNotFoundError as error:
        raise MendableError("The companion is not installed here; pip install . in its folder.") from error
    about = f"table_companion-{companion.__version__}.dist-info"
    members = dict(_packaged())
    for name in ("METADATA", "WHEEL", "entry_points.txt", "licenses/LICENSE"):
        members[f"{about}/{name}"] = (installed.read_text(name) or "").encode()
    rows = [(name, f"sha256={_record_hash(data)}", len(data)) for name, data in members.items()]
    record = io.StringIO(newline="")
    csv.writer(record, lineterminator="\n").writerows([*rows, (f"{about}/RECORD", "", "")])
    members[f"{about}/RECORD"] = record.getvalue().encode()
    packed = io.BytesIO()
    with ZipFile(packed, "w") as wheel:
        for name, data in members.items():
            wheel.writestr(ZipInfo(name, DATED), data, ZIP_DEFLATED)
    return packed.getvalue()


def _packaged() -> Iterator[tuple[str, bytes]]:
    """Each file of the wheel but those about the package: its name there, and what it holds."""
    packed = ROOT / "companion" / SERVICE_FILES
    for package in PACKAGES:
        for path in _files(ROOT / package):
            if not LEFT_OUT & set(path.relative_to(ROOT).parts) and packed not in path.parents:
                yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    for path in _files(_service_files()):
        yield f"companion/{SERVICE_FILES}/{path.name}", path.read_bytes()


def _service_files() -> Path:
    packed = ROOT / "companion" / SERVICE_FILES
    return packed if packed.is_dir() else ROOT / SERVICE_FILES


def _wheel_name() -> str:
    return f"table_companion-{companion.__version__}-py3-none-any.whl"


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _clear(folder: Path) -> None:
    """Remove an earlier program; a folder of something else stays, and is said."""
    if not folder.exists():
        return
    if not (folder / SUMS).is_file():
        raise MendableError(f"{folder} is there already and is no Table Companion; name another with -o.")
    shutil.rmtree(folder)


def _sha256(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _record_hash(data: bytes) -> str:
    return urlsafe_b64encode(sha256(data).digest()).rstrip(b"=").decode()
