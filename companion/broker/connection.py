"""One connection to an MQTT 5 broker, by one thread: opened, worked on, closed.

Every fault is a `BrokerError` with one sentence. A connection that has ended is not mended: whoever needs the
broker opens another, and publishes what this one left open.
"""

from __future__ import annotations

import logging
import select
import socket
import ssl
import time
from contextlib import suppress
from typing import Any, NamedTuple

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.broker.address import AUTHORITY, CERTIFICATE, KEY, BrokerAddress
from companion.broker.faults import BrokerError

log = logging.getLogger(__name__)

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
    """A message that came: its topic, its payload, where its answer shall go, and what bytes beside it.

    `is_kept`: it was sent before this connection asked for its topic.
    """

    topic: str
    payload: bytes
    answer_to: str = ""
    correlation: bytes = b""
    is_kept: bool = False


class Connection:
    """A connection to `broker`. All methods but `wake` are for the thread that opened it.

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
        self.acknowledged: list[int] = []
        """The numbers of messages that the broker has taken since this was last emptied."""
        self.refused: list[int] = []
        """The numbers of messages that the broker does not take from this user."""
        self.heard: list[Heard] = []
        """The messages that came since this was last emptied."""
        self._reason: int | None = None
        self._ended: int | None = None
        self._context: OpenedContext | None = None
        self._client = self._made(client_id)
        if will is not None:
            self._client.will_set(will[0], will[1], qos=AT_LEAST_ONCE, retain=True)
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.settimeout(0)

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
        until_s = time.monotonic() + ANSWER_S
        while self._reason is None:
            left_s = until_s - time.monotonic()
            if left_s <= 0:
                raise BrokerError("silent", **where)
            if not self._step(left_s) and self._reason is None:
                raise BrokerError("hung-up-tls" if self.broker.tls else "hung-up", **where)
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
        """Publish a message; the number by which its acknowledgement is known."""
        properties = _properties(PacketTypes.PUBLISH)
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
        """Send and hear for at most `timeout_s` seconds, less once something came or `wake` was called.

        Raises `BrokerError` when the connection has ended.
        """
        if not self._step(timeout_s):
            fault = ENDED_AS.get(self._ended or 0, "lost")
            raise BrokerError(fault, host=self.broker.host, port=self.broker.port)

    def wake(self) -> None:
        """End the wait in `work`, from any thread."""
        with suppress(OSError):
            self._waker.send(b"\0")

    def close(self) -> None:
        """Say goodbye where that can be, and close the connection. The broker publishes the last will."""
        if self._reason == 0:
            with suppress(OSError, ValueError):
                # MQTT's goodbye "with will message": the table's status then says that it is gone.
                self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, identifier=WITH_WILL))
        opened = None if self._context is None else self._context.opened
        for each in (self._client.socket(), opened, self._woken, self._waker):
            if each is not None:
                with suppress(OSError):
                    each.close()

    def _step(self, timeout_s: float) -> bool:
        """One round of sending and hearing; False once the connection has ended."""
        sock = self._client.socket()
        if sock is None:
            return False
        unread = isinstance(sock, ssl.SSLSocket) and sock.pending() > 0
        writing = [sock] if self._client.want_write() else []
        # A look at the clock once a second keeps the connection alive.
        wait_s = 0.0 if unread else max(0.0, min(timeout_s, 1.0))
        try:
            readable, writable, _ = select.select([sock, self._woken], writing, [], wait_s)
        except (OSError, ValueError):
            return False
        if self._woken in readable:
            with suppress(OSError):
                self._woken.recv(4096)
        rounds = []
        if sock in readable or unread:
            rounds.append(self._client.loop_read())
        if writable:
            rounds.append(self._client.loop_write())
        rounds.append(self._client.loop_misc())
        return all(each == MQTTErrorCode.MQTT_ERR_SUCCESS for each in rounds)

    def _on_connect(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        self._reason = reason.value if reason.is_failure else 0

    def _on_disconnect(self, _c: Any, _u: Any, _flags: Any, reason: ReasonCode, _p: Any) -> None:
        # The first reason is the broker's own; paho gives another once its socket is closed.
        if self._ended is None:
            self._ended = reason.value

    def _on_publish(self, _c: Any, _u: Any, mid: int, reason: ReasonCode, _p: Any) -> None:
        (self.refused if reason.is_failure else self.acknowledged).append(mid)

    def _on_subscribe(self, _c: Any, _u: Any, _mid: int, reasons: list[ReasonCode], _p: Any) -> None:
        if any(each.is_failure for each in reasons):
            log.warning("The broker %s lets this table hear no commands.", self.broker.host)

    def _on_message(self, _c: Any, _u: Any, message: mqtt.MQTTMessage) -> None:
        properties = message.properties
        answer_to = getattr(properties, "ResponseTopic", "")
        correlation = getattr(properties, "CorrelationData", b"")
        # To a table a retained command is an old one: whoever connects hears it again.
        if (self._takes_retained or not message.retain) and len(message.payload) <= MOST_PAYLOAD_BYTES:
            self.heard.append(
                Heard(message.topic, bytes(message.payload), answer_to, correlation, message.retain)
            )


def _properties(packet: int) -> Any:
    """Properties of a packet of that type; paho gives them no types."""
    kind: Any = Properties
    return kind(packet)


class OpenedContext(ssl.SSLContext):
    """A context that knows the socket it wrapped last: paho forgets to close one whose handshake fails."""

    opened: ssl.SSLSocket | None = None

    def wrap_socket(self, *given: Any, **named: Any) -> ssl.SSLSocket:
        """The socket with TLS around it."""
        self.opened = super().wrap_socket(*given, **named)
        return self.opened


def tls_context(broker: BrokerAddress) -> OpenedContext:
    """The certificates to believe and to show. Raises `BrokerError` for a file that cannot be read."""
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
    """What a failed attempt to connect means."""
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
