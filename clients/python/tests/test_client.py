"""What the conformance corpus cannot say: tasks, threads, bytes on the wire, and what is printed."""

import asyncio
import base64
import contextlib
import json
import os
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import traceback
import unittest

from assay import Assay, AssayError, AsyncAssay, AsyncClock, WebhookVerificationError, verify_webhook

KEY = "assay_live_never_print_this"
SIGNALS = {"user_engagement": 0.5, "session_duration": 10}
VERDICT = json.dumps({"service_score": 50, "trust_level": "medium", "confidence": 0.5}).encode()


def answer(body=VERDICT, head=b"HTTP/1.1 200 OK\r\n"):
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """Reads a request, sends the given bytes and closes; None: it never answers."""

    def __init__(self, content, context=None, pause=0.0):
        self.content, self.context, self.pause = content, context, pause
        self.requests, self.closed_by_client = [], threading.Event()
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=500)
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with contextlib.suppress(OSError):
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            received = b""
            while b"\r\n\r\n" not in received or not received.endswith((b"}", b"\r\n\r\n")):
                part = connection.recv(65536)
                if not part:
                    return
                received += part
            self.requests.append(received)
            if self.content is None:
                if connection.recv(1) == b"":
                    self.closed_by_client.set()
            elif self.pause:
                for each in self.content:
                    connection.sendall(bytes([each]))
                    time.sleep(self.pause)
            else:
                connection.sendall(self.content)
        connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Closing alone would let the thread accept one more.
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()


def predict_both(url, **options):
    """The outcome of each client: the answer, or the error."""
    outcomes = []
    for run in (lambda: Assay(KEY, url, attempts_max=1, **options).predict(SIGNALS), lambda: asyncio.run(AsyncAssay(KEY, url, attempts_max=1, **options).predict(SIGNALS))):
        try:
            outcomes.append(run())
        except AssayError as error:
            outcomes.append(error)
    return outcomes


class Wire(unittest.TestCase):
    def test_answers_are_read_however_they_are_framed(self):
        chunks = b"".join(b"%x;name=value\r\n%s\r\n" % (1, bytes([each])) for each in VERDICT) + b"0\r\n\r\n"
        framed = {
            "with a length": answer(),
            "in chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks,
            "until the end": b"HTTP/1.0 200 OK\r\n\r\n" + VERDICT,
            "without a reason": answer(head=b"HTTP/1.1 200\r\n"),
            "after interim answers": b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + answer(),
        }
        for name, content in framed.items():
            with self.subTest(name), Server(content) as server:
                for outcome in predict_both(server.url):
                    self.assertEqual(outcome["service_score"], 50, outcome)
                self.assertEqual(len(server.requests), 2)

    def test_what_is_not_an_answer_is_a_network_failure(self):
        large = 5 * 1024 * 1024
        broken = {
            "nothing": b"",
            "not HTTP": b"SSH-2.0-OpenSSH\r\n\r\n",
            "a length that is none": b"HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n" + VERDICT,
            "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n" + VERDICT,
            "a length that is too large": b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % large,
            "less than the length": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + VERDICT,
            "a chunk without a size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "a chunk that is longer": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n",
            "chunks that are too large": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"10000\r\n%s\r\n" % (b"a" * 65536) * 80 + b"0\r\n\r\n",
            "too much until the end": b"HTTP/1.1 200 OK\r\n\r\n" + b"a" * large,
            "chunks without an end": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
            "a head without an end": b"HTTP/1.1 200 OK\r\nA: " + b"a" * 200_000,
            "too many headers": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
        }
        for name, content in broken.items():
            with self.subTest(name), Server(content) as server:
                for outcome in predict_both(server.url):
                    self.assertIsInstance(outcome, AssayError)
                    self.assertEqual((outcome.code, outcome.status, outcome.is_retryable), ("network_failure", 0, True))

    def test_the_timeout_covers_a_head_that_drips(self):
        with Server(answer(), pause=0.02) as server:
            started = time.monotonic()
            for outcome in predict_both(server.url, timeout=0.3):
                self.assertEqual(outcome.code, "timeout")
            self.assertLess(time.monotonic() - started, 2)

    def test_no_server_is_a_network_failure(self):
        with Server(answer()) as server:
            pass
        for outcome in predict_both(server.url):
            self.assertEqual(outcome.code, "network_failure")

    def test_json_that_nests_too_deeply_is_unreadable(self):
        with Server(answer(b'{"a":' * 100_000)) as server:
            for outcome in predict_both(server.url):
                self.assertEqual(outcome.code, "unreadable_answer")

    def test_a_header_cannot_be_injected(self):
        assay = Assay(KEY, "http://127.0.0.1:1")
        for options in ({"test_scenario": "a\r\nX: y"}, {"idempotency_key": "a\r\nX: y"}):
            with self.assertRaises(ValueError):
                assay.predict(SIGNALS, **options)
        with self.assertRaises(ValueError):
            Assay(KEY, "http://127.0.0.1:1/a\r\nX: y")
        with self.assertRaises(ValueError):
            assay.predict({"user_engagement": float("nan"), "session_duration": 1})

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl")
    def test_certificates_are_verified(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "certificate.pem")
            command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
            names = ["-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate]
            subprocess.run([*command, *names], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
            with Server(answer(), context) as server:
                for outcome in predict_both(server.url):
                    self.assertEqual(outcome.code, "network_failure")
                self.assertEqual(server.requests, [])
                trusted = ssl.create_default_context(cafile=certificate)
                for outcome in predict_both(server.url, ssl_context=trusted):
                    self.assertEqual(outcome["trust_level"], "medium")


class Secrets(unittest.TestCase):
    def test_the_key_is_never_printed(self):
        with Server(b"nonsense\r\n\r\n") as server:
            for make in (Assay, AsyncAssay):
                client = make(KEY, server.url)
                self.assertNotIn(KEY, f"{client} {client!r} {client.predict}")
            for outcome in predict_both(server.url):
                shown = "".join(traceback.format_exception(type(outcome), outcome, outcome.__traceback__))
                self.assertNotIn(KEY, f"{outcome} {outcome!r} {vars(outcome)} {shown}")
        for wrong in (KEY + "\n", KEY + " x", KEY + "é"):
            with self.assertRaises(ValueError) as refused:
                Assay(wrong, "http://127.0.0.1")
            self.assertNotIn(KEY, str(refused.exception))


class Signatures(unittest.TestCase):
    def test_a_key_is_a_point_in_its_only_spelling(self):
        # With the neutral point as the key, the base point and 1 sign everything.
        signature = b"\x58" + b"\x66" * 31 + (1).to_bytes(32, "little")
        headers = {"webhook-id": "a", "webhook-timestamp": "1", "webhook-signature": "v1a," + base64.b64encode(signature).decode()}
        body = b'{"type":"a","timestamp":"b","sequence":1,"account":"a","data":{}}'

        def verify(key):
            return verify_webhook(body, headers, "whpk_" + base64.b64encode(key.to_bytes(32, "little")).decode(), account="a", now=lambda: 1)

        self.assertEqual(verify(1).type, "a")
        prime = 2**255 - 19
        for key in (prime + 1, 1 + 2**255, 2):
            with self.assertRaises(WebhookVerificationError) as refused:
                verify(key)
            self.assertEqual(refused.exception.code, "bad_signature")


class Tasks(unittest.IsolatedAsyncioTestCase):
    async def test_cancelling_closes_the_connection_at_once(self):
        with Server(None) as server:
            task = asyncio.ensure_future(AsyncAssay(KEY, server.url).predict(SIGNALS, on_unavailable=None))
            while not server.requests:
                await asyncio.sleep(0.01)
            started = time.monotonic()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertLess(time.monotonic() - started, 0.5)
            for _ in range(100):
                if server.closed_by_client.is_set():
                    break
                await asyncio.sleep(0.01)
            self.assertTrue(server.closed_by_client.is_set())
            self.assertEqual(len(server.requests), 1, "a cancelled call is not retried")

    async def test_cancelling_ends_a_wait(self):
        with Server(answer(b"{}", b"HTTP/1.1 503 Busy\r\nRetry-After: 20\r\n")) as server:
            task = asyncio.ensure_future(AsyncAssay(KEY, server.url).usage())
            while not server.requests:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.1)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

    async def test_cancelling_at_any_moment_is_honoured(self):
        with Server(answer()) as server:
            assay = AsyncAssay(KEY, server.url)
            ended = {"cancelled": 0, "answered": 0}
            for turns in range(60):
                task = asyncio.ensure_future(assay.predict(SIGNALS))
                for _ in range(turns // 3):
                    await asyncio.sleep(0)
                was_done = task.done()
                task.cancel()
                try:
                    await task
                    ended["answered"] += 1
                    self.assertTrue(was_done, "a cancellation was lost")
                except asyncio.CancelledError:
                    ended["cancelled"] += 1
            self.assertGreater(ended["cancelled"], 0)

    async def test_the_loop_is_never_blocked(self):
        gaps = []

        async def tick():
            last = time.monotonic()
            while True:
                await asyncio.sleep(0.005)
                gaps.append(time.monotonic() - last)
                last = time.monotonic()

        ticking = asyncio.ensure_future(tick())
        with Server(None) as server:
            assay = AsyncAssay(KEY, server.url, timeout=1, attempts_max=1)
            await asyncio.gather(*(assay.predict(SIGNALS, on_unavailable=None) for _ in range(20)))
        ticking.cancel()
        # A call that blocks would let no tick pass within its second.
        self.assertGreater(len(gaps), 40)
        self.assertLess(max(gaps), 0.9)

    async def test_many_calls_wait_at_the_same_time(self):
        with Server(None) as server:
            assay = AsyncAssay(KEY, server.url, timeout=1.5, attempts_max=1)
            started = time.monotonic()
            results = await asyncio.gather(*(assay.predict(SIGNALS, on_unavailable=None) for _ in range(100)))
            self.assertEqual(results, [None] * 100)
            self.assertLess(time.monotonic() - started, 6)

    async def test_waits_are_those_of_the_clock(self):
        waits = []

        class Recorded(AsyncClock):
            async def sleep(self, seconds):
                waits.append(seconds)

        with Server(answer(b"{}", b"HTTP/1.1 500 No\r\n")) as server:
            with self.assertRaises(AssayError):
                await AsyncAssay(KEY, server.url, clock=Recorded(), random=lambda: 0.5).usage()
        self.assertEqual(waits, [0.125, 0.25, 0.5, 1.0])


if __name__ == "__main__":
    unittest.main()
