"""How pages write days and times."""

from __future__ import annotations

from datetime import datetime

import pytest
from flask.testing import FlaskClient

from web.language import local_day, local_time, month_name

BEGAN = datetime(2026, 11, 3, 20, 5).astimezone().isoformat()


@pytest.mark.parametrize(
    "language, day, time, month",
    [
        ("en", "3 November 2026", "3 November 2026, 20:05", "November"),
        ("zh-Hant", "2026 年 11 月 3 日", "2026 年 11 月 3 日 20:05", "11 月"),
        ("ko", "2026년 11월 3일", "2026년 11월 3일 20:05", "11월"),
    ],
)
def test_each_language_writes_its_own(
    client: FlaskClient, language: str, day: str, time: str, month: str
) -> None:
    with client.application.test_request_context(f"/?lang={language}"):
        assert (local_day(BEGAN), local_time(BEGAN), month_name(11)) == (day, time, month)
