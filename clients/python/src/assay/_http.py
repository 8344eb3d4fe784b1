"""One HTTP/1.1 exchange on a connection of its own, blocking and on asyncio. Redirects are answers like any other."""

from __future__ import annotations

import asyncio
import http.client
import io
import re
import socket
import ssl
import time
from typing import Any, Dict, Generator, Optional, Union

from ._errors import AssayError
from ._rules import ANSWER_BYTES_MAX, Installation, RawAnswer, Request

_HEAD_BYTES_MAX = 64 * 1024
_READ_BYTES = 64 * 1024
_LINE = b"\n"
#: What can go wrong on the way, on both kinds of connection.
_FAILURES = (OSError, EOFError, ValueError, http.client.HTTPException)

# Asks for a line, for so many bytes, or (0) for any that there are until the connection closes.
_Wanted = Union[bytes, int]


def _format_request(request: Request, to: Installation) -> bytes:
    headers = {"Host": to.authority, **request.headers, "Accept-Encoding": "identity", "Connection": "close"}
    if request.body is not None:
        headers["Content-Length"] = str(len(request.body))
    lines = [f"{request.method} {to.path}{request.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + (request.body or b"")


def _check_size(size: int) -> int:
    if size > ANSWER_BYTES_MAX:
        raise ValueError(f"The answer is larger than {ANSWER_BYTES_MAX} bytes.")
    return size


def _read_head() -> Generator[_Wanted, bytes, bytes]:
    head = line = yield _LINE
    while line not in (b"\r\n", b"\n"):
        line = yield _LINE
        head += line
        if len(head) > _HEAD_BYTES_MAX:
            raise ValueError("the head of the answer is too long")
    return head


def _read_chunks() -> Generator[_Wanted, bytes, bytes]:
    body = b""
    while True:
        digits = re.match(rb"([0-9A-Fa-f]{1,8})[ \t]*[;\r\n]", (yield _LINE))
        if not digits:
            raise ValueError("a chunk has no size")
        size = int(digits[1], 16)
        if size == 0:
            return body
        _check_size(len(body) + size)
        body += yield size
        if (yield _LINE) not in (b"\r\n", b"\n"):
            raise ValueError("a chunk does not end where it should")


def _read_to_end() -> Generator[_Wanted, bytes, bytes]:
    body = part = yield 0
    while part:
        part = yield 0
        body += part
        _check_size(len(body))
    return body


def _read_answer() -> Generator[_Wanted, bytes, RawAnswer]:
    status = 100
    while status < 200:
        status_line, _, lines = (yield from _read_head()).partition(_LINE)
        matched = re.match(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r]", status_line)
        if not matched:
            raise ValueError("not an answer of HTTP/1.1")
        status = int(matched[1])
    headers: Dict[str, str] = {}
    for name, value in http.client.parse_headers(io.BytesIO(lines)).items():
        known = headers.get(name.lower())
        headers[name.lower()] = str(value) if known is None else f"{known}, {value}"
    length = headers.get("content-length")
    if status in (204, 304) or length == "0":
        return RawAnswer(status, headers, b"")
    if "transfer-encoding" in headers:
        return RawAnswer(status, headers, (yield from _read_chunks()))
    if length is None:
        return RawAnswer(status, headers, (yield from _read_to_end()))
    if not re.fullmatch(r"[0-9]{1,15}", length):
        raise ValueError("an answer has no proper length")
    return RawAnswer(status, headers, (yield _check_size(int(length))))


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise socket.timeout("out of time")
    return left


class _DeadlineReader(io.RawIOBase):
    """Every read ends at the deadline, however slowly the bytes arrive."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._connection.settimeout(_left(self._deadline))
        return self._connection.recv_into(buffer)


def _connect(to: Installation, deadline: float) -> socket.socket:
    failure = OSError("the host has no address")
    for family, kind, protocol, _, address in socket.getaddrinfo(to.host, to.port, type=socket.SOCK_STREAM):
        made = socket.socket(family, kind, protocol)
        try:
            made.settimeout(_left(deadline))
            made.connect(address)
            return made
        except BaseException as error:
            made.close()
            if not isinstance(error, OSError):
                raise
            failure = error
    raise failure


def _read_blocking(reader: io.BufferedReader, wanted: _Wanted) -> bytes:
    if wanted == 0:
        return reader.read1(_READ_BYTES)
    part = reader.read(wanted) if isinstance(wanted, int) else reader.readline(_HEAD_BYTES_MAX)
    if len(part) != wanted and part[-1:] != wanted:
        raise EOFError("the connection was closed within the answer")
    return part


def _exchange(request: Request, to: Installation, context: Optional[ssl.SSLContext], deadline: float) -> RawAnswer:
    connection = _connect(to, deadline)
    try:
        if context is not None:
            connection.settimeout(_left(deadline))
            connection = context.wrap_socket(connection, server_hostname=to.host)
        connection.settimeout(_left(deadline))
        connection.sendall(_format_request(request, to))
        reader = io.BufferedReader(_DeadlineReader(connection, deadline), _READ_BYTES)
        steps = _read_answer()
        wanted = next(steps)
        while True:
            wanted = steps.send(_read_blocking(reader, wanted))
    except StopIteration as stop:
        answer: RawAnswer = stop.value
        return answer
    finally:
        connection.close()


def _failure(is_late: bool, timeout: float) -> AssayError:
    if is_late:
        return AssayError(f"No complete answer within {round(timeout * 1_000)} ms.", code="timeout", status=0, is_retryable=True)
    return AssayError("The service could not be reached.", code="network_failure", status=0, is_retryable=True)


def attempt(request: Request, to: Installation, context: Optional[ssl.SSLContext], timeout: float) -> RawAnswer:
    """Makes one request. Raises an AssayError."""
    deadline = time.monotonic() + timeout
    try:
        return _exchange(request, to, context, deadline)
    except _FAILURES as error:
        raise _failure(time.monotonic() >= deadline, timeout) from error


async def _read_async(reader: asyncio.StreamReader, wanted: _Wanted) -> bytes:
    if wanted == 0:
        return await reader.read(_READ_BYTES)
    return await (reader.readexactly(wanted) if isinstance(wanted, int) else reader.readuntil(wanted))


async def _exchange_async(request: Request, to: Installation, context: Optional[ssl.SSLContext]) -> RawAnswer:
    reader, writer = await asyncio.open_connection(to.host, to.port, ssl=context, limit=_HEAD_BYTES_MAX)
    try:
        writer.write(_format_request(request, to))
        steps = _read_answer()
        wanted = next(steps)
        while True:
            wanted = steps.send(await _read_async(reader, wanted))
    except StopIteration as stop:
        answer: RawAnswer = stop.value
        return answer
    except asyncio.LimitOverrunError as error:
        raise ValueError("the head of the answer is too long") from error
    finally:
        # At once: there is nothing left to send, and closing an encrypted connection may wait for the other side.
        writer.transport.abort()


def _ignore_outcome(exchange: "asyncio.Future[RawAnswer]") -> None:
    # Otherwise asyncio reports the failure of an exchange that nobody waits for any more.
    if not exchange.cancelled():
        exchange.exception()


async def attempt_async(request: Request, to: Installation, context: Optional[ssl.SSLContext], timeout: float) -> RawAnswer:
    """Makes one request. Raises an AssayError. A task that is cancelled closes its connection."""
    # Not asyncio.wait_for: before Python 3.12 it may lose a cancellation.
    exchange = asyncio.ensure_future(_exchange_async(request, to, context))
    exchange.add_done_callback(_ignore_outcome)
    try:
        done, _ = await asyncio.wait({exchange}, timeout=timeout)
        if not done:
            raise _failure(True, timeout)
        return exchange.result()
    except _FAILURES as error:
        raise _failure(False, timeout) from error
    finally:
        exchange.cancel()
