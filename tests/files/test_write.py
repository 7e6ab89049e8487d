"""A small file is written whole or not at all, whatever comes between."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import files

OLD, NEW = b"what was there before\n", b"what is there now, and somewhat longer\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that is there already."""
    path = tmp_path / "kept.json"
    path.write_bytes(OLD)
    return path


def test_it_is_written(path: Path) -> None:
    files.write(path, NEW)
    assert path.read_bytes() == NEW
    assert [each.name for each in path.parent.iterdir()] == ["kept.json"]


@pytest.mark.parametrize(("mode", "bits"), [(files.MODE, "0o644"), (files.SECRET_MODE, "0o600")])
def test_its_mode_does_not_hang_on_the_umask(path: Path, mode: int, bits: str) -> None:
    umask = os.umask(0o077 if mode == files.MODE else 0)
    try:
        files.write(path, NEW, mode=mode)
    finally:
        os.umask(umask)
    assert oct(path.stat().st_mode & 0o777) == bits


def test_folders_that_are_missing_are_made_and_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(files, "sync_folder", synced.append)
    files.write(tmp_path / "one" / "two" / "kept.json", NEW)
    assert (tmp_path / "one" / "two" / "kept.json").read_bytes() == NEW
    assert set(synced) == {tmp_path, tmp_path / "one", tmp_path / "one" / "two"}


def test_the_bytes_are_on_the_disk_before_the_name_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(files.os, name, _noting(calls, name, real))
    files.write(path, NEW)
    assert calls == ["fsync", "replace", "fsync"]


def _noting(calls: list[str], name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def noting(*args: Any, **kwargs: Any) -> Any:
        calls.append(name)
        return real(*args, **kwargs)

    return noting


@pytest.mark.parametrize(
    ("call", "content"), [("fchmod", OLD), ("fsync", OLD), ("replace", OLD), ("open", None)]
)
def test_a_call_that_fails_leaves_the_file_whole_and_nothing_beside_it(
    path: Path, monkeypatch: pytest.MonkeyPatch, call: str, content: bytes | None
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        # `tempfile` opens by os.open as well: only the folder's descriptor is refused then.
        patched.setattr(files, "sync_folder", full) if call == "open" else patched.setattr(os, call, full)
        with pytest.raises(OSError, match="No space left"):
            files.write(path, NEW)
    assert path.read_bytes() == (NEW if content is None else content)
    assert [each.name for each in path.parent.iterdir()] == ["kept.json"]


KILLED_AT_EACH_LINE = """
import os, sys
from pathlib import Path
from companion import files

path, old, new = Path(sys.argv[1]), sys.argv[2].encode(), sys.argv[3].encode()

def killed_at(nth):
    lines = 0
    def trace(frame, event, arg):
        nonlocal lines
        lines += event == "line"
        if lines == nth:
            os._exit(3)
        return trace
    sys.settrace(trace)
    files.write(path, new)
    os._exit(0)

seen, nth, status = set(), 0, 3
while status == 3:
    nth += 1
    path.write_bytes(old)
    child = os.fork() or killed_at(nth)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    content = path.read_bytes()
    assert content in (old, new), (nth, content)
    seen.add(content)
assert status == 0, status
print(nth, len(seen))
"""


def test_whatever_line_it_is_killed_at_the_old_file_or_the_new_one_is_there(path: Path) -> None:
    # Coverage would save at each kill, which takes a minute.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    ran = subprocess.run(
        [sys.executable, "-c", KILLED_AT_EACH_LINE, str(path), OLD.decode(), NEW.decode()],
        env=plain,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    lines, contents = map(int, ran.stdout.split())
    assert lines > 20
    assert contents == 2


def test_json_comes_back_as_its_type(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    assert files.read_json(path, dict[str, int]) is None
    files.write_json(path, {"cat": 3})
    assert files.read_json(path, dict[str, int]) == {"cat": 3}
    assert path.read_bytes() == b'{"cat":3}'
    with pytest.raises(ValueError, match="int"):
        files.read_json(path, dict[str, list[str]])
