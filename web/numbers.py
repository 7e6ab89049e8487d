"""How templates write numbers: as `web/static/numbers.js` does for what the pages draw later."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


def percent(chance: float | str) -> str:
    """A chance (0 to 1, or a fraction "3/22") in percent: "9 %", "0.4 %", "99.6 %".

    What can happen is never "0 %", and what is not certain never "100 %".
    """
    share = float(Fraction(chance)) if isinstance(chance, str) else chance
    if share <= 0 or share >= 1:
        return "0 %" if share <= 0 else "100 %"
    of_hundred = 100 * share
    if of_hundred < 0.1 or of_hundred > 99.9:
        return "< 0.1 %" if of_hundred < 1 else "> 99.9 %"
    step = Decimal("0.1") if of_hundred < 1 or of_hundred > 99 else Decimal(1)
    rounded = Decimal(of_hundred).quantize(step, ROUND_HALF_UP)
    return f"{str(rounded).removesuffix('.0')} %"
