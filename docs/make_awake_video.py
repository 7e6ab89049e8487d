"""Make the silent video that keeps a phone's screen on where a page has no Wake Lock.

    make awake-video

Two seconds of black without a sound, recorded by Chromium as WebM; iPhones play that since iOS 17.4.
"""

from __future__ import annotations

import base64
import shutil
from pathlib import Path

from playwright.sync_api import sync_playwright

VIDEO = Path(__file__).parents[1] / "web" / "static" / "awake.webm"

RECORD = """async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 32, height: 32 });
  const pen = canvas.getContext("2d");
  const sound = new AudioContext();
  const silence = sound.createConstantSource(), out = sound.createMediaStreamDestination();
  silence.offset.value = 0;
  silence.connect(out);
  silence.start();
  const stream = new MediaStream([...canvas.captureStream(5).getTracks(), ...out.stream.getTracks()]);
  const kind = "video/webm;codecs=vp8,opus";
  const recorder = new MediaRecorder(stream, { mimeType: kind, audioBitsPerSecond: 6000 });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const ended = new Promise((resolve) => { recorder.onstop = resolve; });
  let shade = 0;
  const drawing = setInterval(() => {
    pen.fillStyle = `rgb(0 0 ${(shade = 1 - shade)})`; // a frame that does not change is not recorded
    pen.fillRect(0, 0, 32, 32);
  }, 100);
  await sound.resume();
  recorder.start();
  await new Promise((resolve) => setTimeout(resolve, 2000));
  recorder.stop();
  await ended;
  clearInterval(drawing);
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return btoa(String.fromCharCode(...bytes));
}"""
"""Records it; given back in base64."""


def main() -> None:
    """Record it and write it beside the pages' other files."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
        )
        page = browser.new_page()
        VIDEO.write_bytes(base64.b64decode(page.evaluate(RECORD)))
        browser.close()


if __name__ == "__main__":
    main()
