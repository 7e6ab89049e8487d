"""A camera in a process of its own, so that a hanging driver can be killed with its process.

    parent                                   child (python -m hardware.camera.process MAKER ARGUMENTS)
    ProcessCamera.read_frame()  ── "read" ──►  camera.read_frame(), pictures into shared memory
                               ◄─ one line ─────  their shapes, or the error

A camera that does not answer in time is killed and reported as `CameraGone`. No caller waits longer.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib import import_module
from typing import Any, BinaryIO, Literal, Self

import msgspec
import numpy as np

from hardware.arrays import Gray, Picture
from hardware.camera.frame import Camera, CameraError, CameraGone, Frame, LockableCamera, LockedControls

log = logging.getLogger(__name__)

MEMORY_BYTES = 32 << 20
"""Size of the memory that parent and child share: room for a main picture of 3840 × 2160 px and a small one.

Some USB cameras use that size whatever they are asked for. Pages that no picture reaches take no memory.
"""
OPEN_S = 20.0
"""Time allowed for opening: the smallest Pi needs many seconds to load picamera2."""
ANSWER_S = 1.5
"""Time allowed for a picture: longer than the Pi's camera waits for one, shorter than the watcher waits."""
FIRST_S = 5.5
"""Time allowed for the first picture, before which a USB camera adjusts its exposure."""
CLOSE_S = 1.0
"""Time allowed to release the device before the process is killed."""

Shape = tuple[int, ...]


class Request(msgspec.Struct, frozen=True):
    """A request from the parent; `locked` are the controls to lock when opening."""

    do: Literal["open", "read", "lock"]
    locked: LockedControls | None = None


class Reply(msgspec.Struct, frozen=True):
    """An answer from the child. The pictures themselves are in the shared memory."""

    shape: Shape | None = None
    """Shape of the main picture at the start of the memory; None if the picture has not changed."""
    small: Shape | None = None
    """Shape of the small picture at the end of the memory, if there is one."""
    at_s: float = 0.0
    """The time of the frame, in seconds on the monotonic clock."""
    locked: LockedControls | None = None
    gone: str = ""
    """The sentence of a `CameraGone`, or empty."""
    wrong: str = ""
    """The sentence of any other `CameraError`, or empty."""


class ProcessCamera:
    """A camera whose controls cannot be locked, in a process of its own.

    `name` is the camera's name for people. The child calls `maker` (`package.module:Class`) with `arguments`.
    `timeouts_s` are the seconds allowed for opening, for an answer and for closing.
    """

    live = True
    scene = None

    def __init__(
        self,
        name: str,
        maker: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        timeouts_s: tuple[float, float, float] = (OPEN_S, ANSWER_S, CLOSE_S),
    ) -> None:
        self.name, self.maker, self.arguments = name, maker, dict(arguments or {})
        self.timeouts_s = timeouts_s
        self._locked: LockedControls | None = None
        self._child: _Child | None = None
        self._picture: Picture | None = None

    @property
    def pid(self) -> int | None:
        """The id of the child process; None while the camera is closed."""
        return None if self._child is None else self._child.process.pid

    def open(self) -> None:
        """Start the child and open the camera in it. Raises `CameraGone`."""
        self.close()
        self._child = _Child(self.maker, self.arguments)
        self._ask(Request("open", self._locked), self.timeouts_s[0], "does not begin")

    def read_frame(self) -> Frame:
        """The next frame. Raises `CameraGone` if it does not come in time."""
        within_s = self.timeouts_s[1] if self._picture is not None else max(FIRST_S, self.timeouts_s[1])
        answer = self._ask(Request("read"), within_s, "gives no picture")
        assert self._child is not None
        if answer.shape is not None:
            self._picture = self._child.copied(answer.shape, 0)
        if self._picture is None:
            raise CameraGone(f"{self.name} has given no picture yet.")
        small = None
        if answer.small is not None:
            small = self._child.copied(answer.small, MEMORY_BYTES - int(np.prod(answer.small)))
        return Frame(self._picture, answer.at_s, small=small)

    def close(self) -> None:
        """Ask the child to end, and kill it if it does not."""
        child, self._child, self._picture = self._child, None, None
        if child is not None:
            child.end(self.timeouts_s[2])

    def replacement(self) -> Self:
        """A camera in another process, with the same controls locked."""
        other = type(self)(self.name, self.maker, self.arguments, timeouts_s=self.timeouts_s)
        other._locked = self._locked
        return other

    def _ask(self, request: Request, within_s: float, fault: str) -> Reply:
        if self._child is None:
            raise CameraGone(f"{self.name} is not open.")
        try:
            answer = self._child.answer(request, within_s)
        except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
            self.close()
            raise CameraGone(f"{self.name} {fault}: check its cable.") from error
        if answer.gone:
            raise CameraGone(answer.gone)
        if answer.wrong:
            raise CameraError(answer.wrong)
        return answer


class LockableProcessCamera(ProcessCamera):
    """A camera that can lock focus, exposure and white balance, in a process of its own."""

    @property
    def locked(self) -> LockedControls | None:
        """The controls that `open` locks; None while the camera adjusts everything itself."""
        return self._locked

    @locked.setter
    def locked(self, locked: LockedControls | None) -> None:
        self._locked = locked

    def lock_controls(self) -> LockedControls:
        """Lock focus, exposure and white balance at their current values. A replacement keeps them."""
        self._locked = (
            self._ask(Request("lock"), self.timeouts_s[1], "does not answer").locked or LockedControls()
        )
        return self._locked


class _Child:
    """The parent's side of the child process."""

    def __init__(self, maker: str, arguments: Mapping[str, Any]) -> None:
        shared = os.memfd_create("camera")
        try:
            os.ftruncate(shared, MEMORY_BYTES)
            self._memory = mmap.mmap(shared, MEMORY_BYTES, prot=mmap.PROT_READ)
            self.process = subprocess.Popen(
                [sys.executable, "-m", __name__, maker, json.dumps(arguments), str(shared)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[shared],
                bufsize=0,
                # Ctrl-C in a terminal goes to the parent, which then ends this process.
                process_group=0,
            )
        finally:
            os.close(shared)

    def answer(self, request: Request, within_s: float) -> Reply:
        """Send a request and wait `within_s` seconds for its answer.

        Raises `TimeoutError`, `EOFError`, `OSError`, `MsgspecError`.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(request) + b"\n")
        until_s = time.monotonic() + within_s
        line = b""
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until_s - time.monotonic()))
            if not ready:
                raise TimeoutError
            part = os.read(self.process.stdout.fileno(), 65536)
            if not part:
                raise EOFError
            line += part
        return msgspec.json.decode(line, type=Reply)

    def copied(self, shape: Shape, offset: int) -> Picture | Gray:
        """Copy a picture out of the shared memory, which the next one overwrites."""
        flat = np.frombuffer(self._memory, np.uint8, int(np.prod(shape)), offset)
        return flat.reshape(shape).copy()

    def end(self, within_s: float) -> None:
        """End the child by closing its stdin, then by force. A child that survives both is abandoned."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            try:
                self.process.wait(within_s)
            except subprocess.TimeoutExpired:
                log.warning("The camera's process %d does not end.", self.process.pid)
        self._memory.close()


def serve(make: Callable[[], Camera], requests: BinaryIO, answers: BinaryIO, memory: mmap.mmap) -> None:
    """The child's main loop: answer each request until the parent closes the pipe."""
    camera: Camera | None = None
    last: Picture | None = None
    try:
        for line in requests:
            request = msgspec.json.decode(line, type=Request)
            answer = Reply()
            try:
                camera = camera or make()
                if request.do == "read":
                    answer, last = _taken(camera, last, memory)
                else:
                    answer = _done(camera, request)
            except CameraGone as error:
                answer = Reply(gone=str(error))
            except CameraError as error:
                answer = Reply(wrong=str(error))
            # Any error of a driver is reported; the parent then replaces the camera.
            except Exception as error:
                answer = Reply(gone=f"The camera failed: {error!r}.")
            answers.write(msgspec.json.encode(answer) + b"\n")
            answers.flush()
    finally:
        if camera is not None:
            camera.close()


def _done(camera: Camera, request: Request) -> Reply:
    if request.do == "lock":
        return Reply(locked=camera.lock_controls() if isinstance(camera, LockableCamera) else None)
    if isinstance(camera, LockableCamera):
        camera.locked = request.locked
    camera.open()
    return Reply()


def _taken(camera: Camera, last: Picture | None, memory: mmap.mmap) -> tuple[Reply, Picture]:
    frame = camera.read_frame()
    if frame is None:
        raise CameraGone("The camera has no more pictures.")
    shape = None
    if frame.picture is not last:
        shape = frame.picture.shape
        memory[: frame.picture.nbytes] = np.ascontiguousarray(frame.picture).data.cast("B")
    small = None
    if frame.small is not None:
        small = frame.small.shape
        memory[len(memory) - frame.small.nbytes :] = np.ascontiguousarray(frame.small).data.cast("B")
    return Reply(shape, small, frame.at_s), frame.picture


def main(arguments: list[str]) -> None:
    """Serve the camera that the command line names, over stdin and stdout."""
    maker, maker_arguments, shared = arguments
    module, _, name = maker.partition(":")
    # The camera's libraries print to stdout; only the answers may go to the parent.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    memory = mmap.mmap(int(shared), MEMORY_BYTES)
    with suppress(BrokenPipeError):
        serve(
            lambda: getattr(import_module(module), name)(**json.loads(maker_arguments)),
            sys.stdin.buffer,
            answers,
            memory,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
