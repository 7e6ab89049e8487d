"""One connection to an MQTT 5 broker: opened, worked with, closed.

paho's own loop sends and hears in a thread of its own. Every fault is a `BrokerError` with one sentence. A
connection that has ended is never reopened: whoever needs the broker opens another, and publishes the rest.
"""

from __future__ import annotations

import logging
import socket
import ssl
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from threading import Event
from typing import Any, NamedTuple, TypeVar

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.broker.address import AUTHORITY, CERTIFICATE, KEY, BrokerAddress, BrokerError

log = logging.getLogger(__name__)

T = TypeVar("T")

ANSWER_S = 5.0
"""Seconds that a broker has for each step of opening a connection."""

KEEPALIVE_S = 15
"""Seconds of silence after which the broker is asked whether it is still there."""

AT_LEAST_ONCE = 1
"""The quality of service of everything that is published and heard."""

MOST_UNACKNOWLEDGED = 20
"""Messages on their way at once, the most that brokers take by default."""

MOST_PAYLOAD_BYTES = 65_536
"""The largest command that is taken."""

EXPIRED, NOT_YET, OTHER_HOSTS = 10, 9, (62, 64)
"""OpenSSL's codes of a certificate that is out of date, not valid yet, or made for another name."""

WITH_WILL = 4
"""The reason of MQTT 5 with which a client leaves and lets the broker publish its last will."""

REFUSED_AS = {
    132: "other-version", 133: "name-refused", 134: "wrong-password", 135: "wrong-password",
    136: "busy", 137: "busy", 138: "banned", 140: "wrong-password", 151: "busy", 159: "busy",
}  # fmt: skip
"""The fault for each reason of MQTT 5 with which a broker refuses a connection."""

ENDED_AS = {139: "ended", 141: "ended", 142: "taken-over", 152: "ended"}
"""The fault for each reason of MQTT 5 with which a broker ends a connection."""


class Heard(NamedTuple):
    """A message that came: its topic and payload, the topic for its answer, and bytes to return with that.
    `is_kept`: it was sent before this connection asked for its topic."""

    topic: str
    payload: bytes
    answer_to: str = ""
    correlation: bytes = b""
    is_kept: bool = False


def drained(queue: deque[T]) -> Iterator[T]:
    """Take out everything that is in a queue now."""
    while queue:
        yield queue.popleft()


class Connection:
    """A connection to `broker`, for one thread; `wake` is for any.

    `takes_retained`: what the broker has kept is heard too. `will` is the topic and the payload that the
    broker publishes, retained, once this connection is lost.
    """

    def __init__(
        self,
        broker: BrokerAddress,
        client_id: str,
        *,
        will: tuple[str, str] | None = None,
        takes_retained: bool = False,
    ) -> None:
        self.broker = broker
        self._takes_retained = takes_retained
        self.acknowledged: deque[int] = deque()
        """The numbers of messages that the broker has taken."""
        self.refused: deque[int] = deque()
        """The numbers of messages that the broker does not take from this user."""
        self.heard: deque[Heard] = deque()
        self._reason: int | None = None
        self._ended: int | None = None
        self._news = Event()
        self._context: OpenedContext | None = None
        self._client = self._made(client_id)
        if will is not None:
            self._client.will_set(will[0], will[1], qos=AT_LEAST_ONCE, retain=True)

    def _made(self, client_id: str) -> mqtt.Client:
        client = mqtt.Client(
            CallbackAPIVersion.VERSION2, client_id, protocol=mqtt.MQTTv5, reconnect_on_failure=False
        )
        client.connect_timeout = ANSWER_S
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        client.on_message = self._on_message
        client.on_subscribe = self._on_subscribe
        if self.broker.user:
            client.username_pw_set(self.broker.user, self.broker.password or None)
        return client

    def open(self) -> None:
        """Connect, and wait until the broker has accepted. Raises `BrokerError`."""
        where: dict[str, str | int] = {"host": self.broker.host, "port": self.broker.port}
        try:
            if self.broker.tls:
                self._context = tls_context(self.broker)
                self._client.tls_set_context(self._context)
            self._client.connect(self.broker.host, self.broker.port, KEEPALIVE_S, clean_start=True)
        except (OSError, ValueError) as error:
            raise _fault_of(error, where, tls=self.broker.tls) from error
        self._client.loop_start()
        self._news.wait(ANSWER_S)
        if self._reason is None:
            hung_up = "hung-up-tls" if self.broker.tls else "hung-up"
            raise BrokerError("silent" if self._ended is None else hung_up, **where)
        if self._reason:
            raise BrokerError(REFUSED_AS.get(self._reason, "refused-by-broker"), **where)

    def subscribe(self, pattern: str) -> None:
        """Hear what is published to the topics of `pattern`."""
        self._client.subscribe(pattern, qos=AT_LEAST_ONCE)

    def publish(
        self,
        topic: str,
        payload: bytes | str,
        *,
        retain: bool = False,
        expires_s: int | None = None,
        correlation: bytes = b"",
        content_type: str = "application/json",
    ) -> int:
        """Publish a message; returns the number that its acknowledgement will bear."""
        kind: Any = Properties  # paho gives it no types
        properties = kind(PacketTypes.PUBLISH)
        properties.ContentType = content_type
        if isinstance(payload, str) or content_type == "application/json":
            properties.PayloadFormatIndicator = 1
        if expires_s is not None:
            properties.MessageExpiryInterval = expires_s
        if correlation:
            properties.CorrelationData = correlation
        sent = self._client.publish(topic, payload, qos=AT_LEAST_ONCE, retain=retain, properties=properties)
        return sent.mid

    def work(self, timeout_s: float) -> None:
        """Wait at most `timeout_s` seconds for a message or `wake`. Raises `BrokerError` once ended."""
        self._news.wait(timeout_s)
        self._news.clear()
        if self._ended is not None:
            fault = ENDED_AS.get(self._ended, "lost")
            raise BrokerError(fault, host=self.broker.host, port=self.broker.port)

    def wake(self) -> None:
        """End the wait in `work`, from any thread."""
        self._news.set()

    def close(self) -> None:
        """Say goodbye if possible, and close the connection; the broker publishes the last will."""
        if self._reason == 0 and self._ended is None:
            # MQTT's goodbye "with will message": the table's status then says that it is gone.
            self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL))
        self._client.loop_stop()
        opened = None if self._context is None else self._context.opened
        for end in (self._client.socket(), opened):
            if end is not None:
                with suppress(OSError):
                    end.close()

    def _on_connect(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        self._reason = reason.value if reason.is_failure else 0
        self._news.set()

    def _on_disconnect(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        # The first reason is the broker's own; paho gives another once its socket is closed.
        if self._ended is None:
            self._ended = reason.value
        self._news.set()

    def _on_publish(self, _c: Any, _u: Any, mid: int, reason: ReasonCode, _p: Any) -> None:
        (self.refused if reason.is_failure else self.acknowledged).append(mid)
        self._news.set()

    def _on_subscribe(self, _c: Any, _u: Any, _mid: int, reasons: list[ReasonCode], _p: Any) -> None:
        if any(reason.is_failure for reason in reasons):
            log.warning("The broker %s lets this table hear no commands.", self.broker.host)

    def _on_message(self, _c: Any, _u: Any, message: mqtt.MQTTMessage) -> None:
        properties = message.properties
        answer_to = getattr(properties, "ResponseTopic", "")
        correlation = getattr(properties, "CorrelationData", b"")
        # For a table a retained command is an old one: every new connection would hear it again.
        if (self._takes_retained or not message.retain) and len(message.payload) <= MOST_PAYLOAD_BYTES:
            with suppress(UnicodeDecodeError):  # a topic that is no text would end paho's thread
                self.heard.append(
                    Heard(message.topic, bytes(message.payload), answer_to, correlation, message.retain)
                )
            self._news.set()


class OpenedContext(ssl.SSLContext):
    """A context that knows the socket it wrapped last: paho forgets to close one whose handshake fails."""

    opened: ssl.SSLSocket | None = None

    def wrap_socket(self, *given: Any, **named: Any) -> ssl.SSLSocket:
        """The socket with TLS around it."""
        self.opened = super().wrap_socket(*given, **named)
        return self.opened


def tls_context(broker: BrokerAddress) -> OpenedContext:
    """The certificates to trust and to present. Raises `BrokerError` for a file that cannot be read."""
    authority, certificate, key = (broker.certificates / name for name in (AUTHORITY, CERTIFICATE, KEY))
    context = OpenedContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        if authority.exists():
            context.load_verify_locations(authority)
        else:
            context.load_default_certs()
        if certificate.exists():
            context.load_cert_chain(certificate, key if key.exists() else None)
    except (OSError, ssl.SSLError) as error:
        raise BrokerError("bad-certificates", folder=str(broker.certificates)) from error
    return context


def _fault_of(error: Exception, where: dict[str, str | int], *, tls: bool) -> BrokerError:
    """The fault that a failed attempt to connect shows."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in (EXPIRED, NOT_YET):
            return BrokerError("expired" if error.verify_code == EXPIRED else "not-yet-valid", **where)
        return BrokerError("other-host" if error.verify_code in OTHER_HOSTS else "unknown-signer", **where)
    if isinstance(error, ConnectionRefusedError):
        return BrokerError("refused", **where)
    if isinstance(error, socket.gaierror):
        return BrokerError("unknown-host", **where)
    if isinstance(error, TimeoutError):
        return BrokerError("silent", **where)
    if isinstance(error, ssl.SSLError | ConnectionError) and tls:
        return BrokerError("not-tls", **where)
    return BrokerError("unreachable", **where)
