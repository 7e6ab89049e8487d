"""A camera in a process of its own: what hangs in a driver is killed with it, and begun anew.

    parent                                   child (python -m hardware.camera.process MAKER ARGUMENTS)
    ProcessCamera.read()  ── "read" ──────►  camera.read(), pictures into shared memory
                          ◄─ one line ─────  their shapes, or what went wrong

A camera that does not answer in time is killed and told as gone; nobody here ever waits for it longer.
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
from hardware.camera.frame import Camera, CameraError, CameraGone, Frame, Hold, HoldsFast

log = logging.getLogger(__name__)

MEMORY_BYTES = 32 << 20
"""Shared between the two: room for a main picture of 3840 × 2160 px, which some USB cameras give whatever is
asked of them, and a small one. What no picture reaches takes no memory."""
OPEN_S = 20.0
"""How long a camera may take until it is open: the smallest Pi loads picamera2 for many seconds."""
ANSWER_S = 1.5
"""How long it may take for a picture: longer than the Pi's camera waits for one, and not so long that who
watches it gives it up first."""
FIRST_S = 5.5
"""How long it may take for the first picture: a USB camera looks for the light before it gives one."""
CLOSE_S = 1.0
"""How long it may take to let go of its device before it is killed."""

Shape = tuple[int, ...]


class Ask(msgspec.Struct, frozen=True):
    """What the parent asks: `held` is what to hold from the start."""

    do: Literal["open", "read", "hold"]
    held: Hold | None = None


class Answer(msgspec.Struct, frozen=True):
    """What the child answers: the shapes of the pictures that now lie in the memory, one behind the other.

    `shape` is None where the picture is the one told before. `gone`, `wrong`: the sentence of an error.
    """

    shape: Shape | None = None
    small: Shape | None = None
    at_s: float = 0.0
    held: Hold | None = None
    gone: str = ""
    wrong: str = ""


class ProcessCamera:
    """The camera that `maker` (`package.module:Class`) gives with these arguments, in a process of its own.

    `name` is what people call it. `told_s` are the seconds that opening, an answer and closing may take.
    It is meant for a camera that holds nothing fast; `HoldingProcessCamera` is for one that does.
    """

    live = True
    scene = None

    def __init__(
        self,
        name: str,
        maker: str,
        arguments: Mapping[str, Any] | None = None,
        *,
        told_s: tuple[float, float, float] = (OPEN_S, ANSWER_S, CLOSE_S),
    ) -> None:
        self.name, self.maker, self.arguments = name, maker, dict(arguments or {})
        self.told_s = told_s
        self._held: Hold | None = None
        self._child: _Child | None = None
        self._picture: Picture | None = None

    @property
    def pid(self) -> int | None:
        """The process that it runs in now."""
        return None if self._child is None else self._child.process.pid

    def open(self) -> None:
        """Begin. Raises `CameraGone`."""
        self.close()
        self._child = _Child(self.maker, self.arguments)
        self._asked(Ask("open", self._held), self.told_s[0], "does not begin")

    def read(self) -> Frame:
        """The next picture. Raises `CameraGone` when none comes in time."""
        within_s = self.told_s[1] if self._picture is not None else max(FIRST_S, self.told_s[1])
        answer = self._asked(Ask("read"), within_s, "gives no picture")
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
        """Let it end, or end it."""
        child, self._child, self._picture = self._child, None, None
        if child is not None:
            child.end(self.told_s[2])

    def anew(self) -> Self:
        """Another one in another process, which holds the same."""
        other = type(self)(self.name, self.maker, self.arguments, told_s=self.told_s)
        other._held = self._held
        return other

    def _asked(self, ask: Ask, within_s: float, fault: str) -> Answer:
        if self._child is None:
            raise CameraGone(f"{self.name} is not open.")
        try:
            answer = self._child.answer(ask, within_s)
        except (OSError, EOFError, TimeoutError, msgspec.MsgspecError) as error:
            self.close()
            raise CameraGone(f"{self.name} {fault}: check its cable.") from error
        if answer.gone:
            raise CameraGone(answer.gone)
        if answer.wrong:
            raise CameraError(answer.wrong)
        return answer


class HoldingProcessCamera(ProcessCamera):
    """One that can hold focus, exposure and white balance."""

    @property
    def held(self) -> Hold | None:
        """What it holds from `open` on; None: all is found by the camera itself."""
        return self._held

    @held.setter
    def held(self, held: Hold | None) -> None:
        self._held = held

    def hold(self) -> Hold:
        """Hold focus, exposure and white balance as they are, now and after it was begun anew."""
        self._held = self._asked(Ask("hold"), self.told_s[1], "does not answer").held or Hold()
        return self._held


class _Child:
    """The process, seen from the parent."""

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
                # Ctrl-C in a terminal is for the parent, which ends this one.
                process_group=0,
            )
        finally:
            os.close(shared)

    def answer(self, ask: Ask, within_s: float) -> Answer:
        """Ask, and wait so long. Raises `TimeoutError`, `EOFError`, `OSError`, `MsgspecError`."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(msgspec.json.encode(ask) + b"\n")
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
        return msgspec.json.decode(line, type=Answer)

    def copied(self, shape: Shape, offset: int) -> Picture | Gray:
        """A picture out of the memory, which the next one overwrites."""
        flat = np.frombuffer(self._memory, np.uint8, int(np.prod(shape)), offset)
        return flat.reshape(shape).copy()

    def end(self, within_s: float) -> None:
        """End it: by closing what it reads, else by force. One that not even that ends is left behind."""
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


def serve(make: Callable[[], Camera], asked: BinaryIO, answers: BinaryIO, memory: mmap.mmap) -> None:
    """The child's life: answer until nobody asks any more."""
    camera: Camera | None = None
    last: Picture | None = None
    try:
        for line in asked:
            ask = msgspec.json.decode(line, type=Ask)
            answer = Answer()
            try:
                camera = camera or make()
                if ask.do == "read":
                    answer, last = _taken(camera, last, memory)
                else:
                    answer = _done(camera, ask)
            except CameraGone as error:
                answer = Answer(gone=str(error))
            except CameraError as error:
                answer = Answer(wrong=str(error))
            # Whatever a driver throws is told; the parent begins the camera anew.
            except Exception as error:
                answer = Answer(gone=f"The camera failed: {error!r}.")
            answers.write(msgspec.json.encode(answer) + b"\n")
            answers.flush()
    finally:
        if camera is not None:
            camera.close()


def _done(camera: Camera, ask: Ask) -> Answer:
    if ask.do == "hold":
        return Answer(held=camera.hold() if isinstance(camera, HoldsFast) else None)
    if isinstance(camera, HoldsFast):
        camera.held = ask.held
    camera.open()
    return Answer()


def _taken(camera: Camera, last: Picture | None, memory: mmap.mmap) -> tuple[Answer, Picture]:
    frame = camera.read()
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
    return Answer(shape, small, frame.at_s), frame.picture


def main(words: list[str]) -> None:
    """Serve the camera that the words name, to whoever holds the pipes."""
    maker, arguments, shared = words
    module, _, name = maker.partition(":")
    # What the camera's libraries print must not come between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    memory = mmap.mmap(int(shared), MEMORY_BYTES)
    with suppress(BrokenPipeError):
        serve(
            lambda: getattr(import_module(module), name)(**json.loads(arguments)),
            sys.stdin.buffer,
            answers,
            memory,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
