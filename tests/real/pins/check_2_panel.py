"""Our panel on the simulated header: presses, lamps, a pin that another program has."""

import subprocess
import sys
import time
from importlib.util import find_spec

from tests.real.pins.header import CHIP, check, factory, level, press, pull, release, share, until

if find_spec("hardware.panel") is None:
    sys.stdout.write("the panel is not here\n")
    sys.exit(0)

from hardware.panel.wires import Wires
from hardware.panel.wiring import read_wiring

wiring = read_wiring()
first, second = wiring.seat[0], wiring.seat[1]
for each in (first, second):
    pull(each.button, up=True)

taken = second.lamp
other = subprocess.Popen(
    [sys.executable, "-c", "import lgpio, time, sys; h = lgpio.gpiochip_open(int(sys.argv[1]));"
     "lgpio.gpio_claim_output(h, int(sys.argv[2])); print('has it', flush=True); time.sleep(600)",
     CHIP.name.removeprefix("gpiochip"), str(taken)],
    stdout=subprocess.PIPE,
)  # fmt: skip
other.stdout.readline()

wires = Wires(wiring, pin_factory=factory())
wires.open()
check(
    "a pin that another program has is named, and the rest works on",
    [(fault.gpio, fault.why) for fault in wires.faults] == [(taken, "in-use")],
    wires.faults,
)

wires.light(0, 1.0)
time.sleep(0.3)
bright = share(first.lamp, looks=2000)
check(
    f"a lamp shines at its brightness ({bright:.0%} of the time)", abs(bright - wiring.lamps.brightness) < 0.3
)
wires.light(0, 0.0)
check("and goes out", until(lambda: share(first.lamp, 50) == 0))

check("nobody presses", not any(wires.levels().values()), wires.levels())
press(first.button)
check("a press is seen", until(lambda: wires.levels()["1"]))
edges = wires.edges()
check("from the first touch on", bool(edges) and edges[0].name == "1" and edges[0].down, edges)
release(first.button)
check("and its end", until(lambda: not wires.levels()["1"]))

other.kill()
other.wait()
wires.retry()
check("once that program is gone its pin is taken", not wires.faults, wires.faults)
wires.light(1, 1.0)
check("and shines", until(lambda: share(second.lamp, 50) > 0))
wires.close()
for lamp in (first.lamp, second.lamp):
    # A pin that drives nothing follows what pulls at it.
    pull(lamp, up=True)
    check("in the end its pin drives nothing", until(lambda lamp=lamp: level(lamp) == 1))
    pull(lamp, up=False)
    check("so that the lamp is dark", until(lambda lamp=lamp: level(lamp) == 0))
