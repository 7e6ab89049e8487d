"""What is taken for granted of gpiozero, lgpio and the kernel, on all three."""

import subprocess
import sys
import time
from pathlib import Path

import gpiozero

from hardware.panel import header as kernel
from tests.real.pins.header import check, factory, level, press, pull, release, share

BOUNCE_S = 0.3
"""Far more than contacts bounce: an emulated machine on a busy one stumbles for a tenth of a second."""
ONE_PRESS = ["press", "held", "release"]

pins = factory()

header = kernel.find()
check("the header is found by its label", header is not None and header.label == "pinctrl-bcm2711")
check("and nobody uses it", header.used == {}, header.used)

lamp = gpiozero.LED(17, pin_factory=pins)
lamp.on()
check("a lamp that is on is high", level(17) == 1)
lamp.off()
check("and low when it is off", level(17) == 0)
check("the kernel tells who uses a pin", kernel.find().used == {17: "lg"}, kernel.find().used)

pull(27, up=True)
button = gpiozero.Button(27, pin_factory=pins, bounce_time=BOUNCE_S, hold_time=0.6)
heard: list[str] = []
button.when_pressed = lambda: heard.append("press")
button.when_released = lambda: heard.append("release")
button.when_held = lambda: heard.append("held")
time.sleep(1)
for _ in range(20):
    heard.clear()
    longest_s = press(27)
    time.sleep(2)
    longest_s = max(longest_s, release(27))
    time.sleep(1)
    if longest_s < BOUNCE_S / 2:
        break
check("this machine is quick enough to bounce a contact", longest_s < BOUNCE_S / 2, longest_s)
check("a press that bounces six times for 2 ms is one press and one release", heard == ONE_PRESS, heard)

dimmed = gpiozero.PWMLED(18, frequency=100, pin_factory=pins)
dimmed.value = 0.25
time.sleep(0.3)
seen = share(18, looks=2000)
check(f"a lamp at a quarter is high for {seen:.0%} of the time", 0.1 < seen < 0.6)
dimmed.close()

other = subprocess.Popen(
    [sys.executable, "-c", "import lgpio, time; h = lgpio.gpiochip_open(int(__import__('sys').argv[1]));"
     "lgpio.gpio_claim_output(h, 22); print('has it', flush=True); time.sleep(60)",
     header.device.name.removeprefix("gpiochip")],
    stdout=subprocess.PIPE,
)  # fmt: skip
other.stdout.readline()
try:
    gpiozero.LED(22, pin_factory=pins)
    refused = ""
except Exception as error:
    refused = str(error)
check("a pin that another program has is refused as busy", "busy" in refused.lower(), refused)
check("and the kernel tells so", 22 in kernel.find().used)
other.kill()
other.wait()
gpiozero.LED(22, pin_factory=pins).close()
check("once that program is gone the pin is free", True)
check("no file was left beside us", not list(Path("/src").glob(".lgd*")))
pins.close()
