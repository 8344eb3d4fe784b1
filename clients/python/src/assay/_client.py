"""The two clients: the same calls with the same rules, blocking and on asyncio."""

from __future__ import annotations

import asyncio
import random as system_random
import ssl
import time
import uuid
from typing import Any, Callable, Dict, Generic, Optional, TypeVar, Union, cast

from . import _http, _rules
from ._errors import AssayError
from ._rules import RawAnswer, Request
from .types import AdRequest, AdResult, Analysis, Outcome, Prediction, ProofFile, RecordedOutcome, Score
from .types import Session, SessionData, SessionReport, Statement, TestScenario, Traffic, TrafficWindow, Usage, UsageWindow

F = TypeVar("F")
Result = TypeVar("Result")
Scored = Union[SessionData, SessionReport]
_Reader = Callable[[RawAnswer, int], Result]

RAISE: Any = type("_Raise", (), {"__repr__": lambda self: "RAISE"})()
"""The default of ``on_unavailable``: raise the error."""


class Clock:
    """Source of time and delays. Replace it in tests."""

    def now(self) -> float:
        """Monotonic time in seconds; only differences count."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Returns after so many seconds."""
        time.sleep(seconds)


class AsyncClock:
    """Source of time and delays for :class:`AsyncAssay`."""

    def now(self) -> float:
        """Monotonic time in seconds; only differences count."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Returns after so many seconds."""
        await asyncio.sleep(seconds)


C = TypeVar("C", Clock, AsyncClock)


class _Client(Generic[C]):
    """What both clients have: their options, and the requests of their calls."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        *,
        timeout: float = 10.0,
        attempts_max: int = 5,
        total: float = 30.0,
        ssl_context: Optional[ssl.SSLContext] = None,
        clock: Optional[C] = None,
        random: Callable[[], float] = system_random.random,
    ) -> None:
        """Raises a ValueError or TypeError if an option is invalid. ``clock`` and ``random`` are for tests."""
        self.__api_key = _rules.parse_visible("api_key", api_key)
        self._installation = _rules.parse_base_url(base_url)
        self._timeout = _rules.parse_seconds("timeout", timeout)
        self._clock: C = self._make_clock() if clock is None else clock
        attempts = _rules.parse_attempts(attempts_max)
        self._policy = _rules.Policy(attempts, _rules.parse_seconds("total", total), random, self._clock.now)
        is_encrypted = self._installation.is_encrypted
        self._ssl_context = (ssl_context or ssl.create_default_context()) if is_encrypted else None

    def _make_clock(self) -> C:
        raise NotImplementedError

    def __repr__(self) -> str:
        """Without the key."""
        return f"{type(self).__name__}({self._installation.authority!r})"

    def _request(self, method: str, path: str, scenario: Optional[str], body: Any = RAISE) -> Request:
        headers: Dict[str, str] = {
            "Accept": "application/json",
            "X-API-Key": self.__api_key,
            "User-Agent": f"assay-python/{_rules.VERSION}",
        }
        if scenario is not None:
            headers["Assay-Test-Scenario"] = _rules.parse_visible("test_scenario", scenario)
        if body is RAISE:
            return Request(method, path, headers, None)
        return Request(method, path, {**headers, "Content-Type": "application/json"}, _rules.encode_json(body))

    def _bill(self, path: str, body: Any, key: Optional[str], scenario: Optional[str]) -> Request:
        request = self._request("POST", path, scenario, body)
        chosen = str(uuid.uuid4()) if key is None else key
        request.headers["Idempotency-Key"] = _rules.parse_visible("idempotency_key", chosen)
        return request

    def _score(self, name: str, session: Any, token: Optional[str], key: Optional[str], scenario: Optional[str]) -> Request:
        return self._bill(f"/api/ml/{name}", _rules.make_scoring_request(session, token), key, scenario)

    def _proof(self, seq: int, scenario: Optional[str]) -> Request:
        if not isinstance(seq, int) or isinstance(seq, bool):
            raise TypeError("seq must be a whole number")
        request = self._request("GET", f"/api/ledger/proof?seq={seq}", scenario)
        request.headers["Accept"] = "text/plain"
        return request


class Assay(_Client[Clock]):
    """Client of one Assay installation, for servers. Create one and share it, between threads too.

    Every method retries retryable errors with exponential back-off and full jitter, and raises an ``AssayError`` when no
    attempt succeeds; with ``on_unavailable`` it returns that value instead, unless a retry cannot help. All attempts of a
    billable call carry the same idempotency key, so that it is billed at most once. ``timeout`` is for each attempt; none
    starts later than ``total`` after the first; both are in seconds.
    """

    def _make_clock(self) -> Clock:
        return Clock()

    def predict(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Prediction, F]:
        """Scores a session: its signals, or the report that the collector posted to your server. Billable."""
        request = self._score("predict", session, session_token, idempotency_key, test_scenario)
        return self._send(request, cast(_Reader[Prediction], _rules.read_verdict), on_unavailable)

    def score(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Score, F]:
        """Scores a session like ``predict``; the verdict in its shorter shape. Billable."""
        request = self._score("score", session, session_token, idempotency_key, test_scenario)
        return self._send(request, cast(_Reader[Score], _rules.read_verdict), on_unavailable)

    def analyze(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Analysis, F]:
        """Scores a session like ``predict``, and explains the score signal by signal. Billable."""
        request = self._score("analyze", session, session_token, idempotency_key, test_scenario)
        return self._send(request, cast(_Reader[Analysis], _rules.read_verdict), on_unavailable)

    def analyze_traffic(
        self, window: Optional[TrafficWindow] = None, *, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Traffic, F]:
        """Summarizes your own sessions in a time window, the last seven days by default. Billable."""
        request = self._bill("/api/servicescore/analyze", window or {}, idempotency_key, test_scenario)
        return self._send(request, cast(_Reader[Traffic], _rules.read_body), on_unavailable)

    def session(
        self, session_id: str, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Session, F]:
        """Reads a scored session. Free."""
        request = self._request("GET", f"/api/sessions/{_rules.encode_path(session_id)}", test_scenario)
        return self._send(request, cast(_Reader[Session], _rules.read_verdict), on_unavailable)

    def report_outcome(
        self, session_id: str, outcome: Outcome, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[RecordedOutcome, F]:
        """Reports how a scored session ended; the last report counts. Free."""
        request = self._request("POST", f"/api/sessions/{_rules.encode_path(session_id)}/outcome", test_scenario, {"outcome": outcome})
        return self._send(request, cast(_Reader[RecordedOutcome], _rules.read_body), on_unavailable)

    def usage(
        self, window: Optional[UsageWindow] = None, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Usage, F]:
        """Your live calls and what they earned, in the last 30 days by default. Free."""
        request = self._request("GET", _rules.make_usage_path(window or {}), test_scenario)
        return self._send(request, cast(_Reader[Usage], _rules.read_body), on_unavailable)

    def statement(
        self, month: str, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Statement, F]:
        """The statement of a month, such as ``2026-01``. Free."""
        request = self._request("GET", f"/api/statements/{_rules.encode_path(month)}", test_scenario)
        return self._send(request, cast(_Reader[Statement], _rules.read_body), on_unavailable)

    def request_ad(
        self, wanted: Optional[AdRequest] = None, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[AdResult, F]:
        """Requests an ad to show. Free. If there is none, ``ad`` is None and ``no_fill_reason`` says why."""
        request = self._request("POST", "/api/ads/request", test_scenario, wanted or {})
        return self._send(request, _rules.read_ad, on_unavailable)

    def proof(
        self, seq: int, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[ProofFile, F]:
        """Reads the proof of a ledger entry, for ``verify_proof``. Free."""
        request = self._proof(seq, test_scenario)
        return self._send(request, _rules.read_proof, on_unavailable)

    def _send(self, request: Request, read: _Reader[Result], on_unavailable: F) -> Union[Result, F]:
        steps = _rules.retry(request, read, self._policy)
        try:
            step = next(steps)
            while True:
                if step is not None:
                    self._clock.sleep(step)
                    step = next(steps)
                    continue
                try:
                    answer = _http.attempt(request, self._installation, self._ssl_context, self._timeout)
                except AssayError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as stop:
            return cast(Result, stop.value)
        except AssayError as error:
            if on_unavailable is RAISE or not error.is_retryable:
                raise
            return on_unavailable


class AsyncAssay(_Client[AsyncClock]):
    """The same for asyncio: as :class:`Assay`, with methods to await. Cancelling a task ends its call at once."""

    def _make_clock(self) -> AsyncClock:
        return AsyncClock()

    async def predict(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Prediction, F]:
        """Scores a session: its signals, or the report that the collector posted to your server. Billable."""
        request = self._score("predict", session, session_token, idempotency_key, test_scenario)
        return await self._send(request, cast(_Reader[Prediction], _rules.read_verdict), on_unavailable)

    async def score(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Score, F]:
        """Scores a session like ``predict``; the verdict in its shorter shape. Billable."""
        request = self._score("score", session, session_token, idempotency_key, test_scenario)
        return await self._send(request, cast(_Reader[Score], _rules.read_verdict), on_unavailable)

    async def analyze(
        self, session: Scored, *, session_token: Optional[str] = None, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Analysis, F]:
        """Scores a session like ``predict``, and explains the score signal by signal. Billable."""
        request = self._score("analyze", session, session_token, idempotency_key, test_scenario)
        return await self._send(request, cast(_Reader[Analysis], _rules.read_verdict), on_unavailable)

    async def analyze_traffic(
        self, window: Optional[TrafficWindow] = None, *, idempotency_key: Optional[str] = None, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Traffic, F]:
        """Summarizes your own sessions in a time window, the last seven days by default. Billable."""
        request = self._bill("/api/servicescore/analyze", window or {}, idempotency_key, test_scenario)
        return await self._send(request, cast(_Reader[Traffic], _rules.read_body), on_unavailable)

    async def session(
        self, session_id: str, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Session, F]:
        """Reads a scored session. Free."""
        request = self._request("GET", f"/api/sessions/{_rules.encode_path(session_id)}", test_scenario)
        return await self._send(request, cast(_Reader[Session], _rules.read_verdict), on_unavailable)

    async def report_outcome(
        self, session_id: str, outcome: Outcome, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[RecordedOutcome, F]:
        """Reports how a scored session ended; the last report counts. Free."""
        request = self._request("POST", f"/api/sessions/{_rules.encode_path(session_id)}/outcome", test_scenario, {"outcome": outcome})
        return await self._send(request, cast(_Reader[RecordedOutcome], _rules.read_body), on_unavailable)

    async def usage(
        self, window: Optional[UsageWindow] = None, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Usage, F]:
        """Your live calls and what they earned, in the last 30 days by default. Free."""
        request = self._request("GET", _rules.make_usage_path(window or {}), test_scenario)
        return await self._send(request, cast(_Reader[Usage], _rules.read_body), on_unavailable)

    async def statement(
        self, month: str, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[Statement, F]:
        """The statement of a month, such as ``2026-01``. Free."""
        request = self._request("GET", f"/api/statements/{_rules.encode_path(month)}", test_scenario)
        return await self._send(request, cast(_Reader[Statement], _rules.read_body), on_unavailable)

    async def request_ad(
        self, wanted: Optional[AdRequest] = None, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[AdResult, F]:
        """Requests an ad to show. Free. If there is none, ``ad`` is None and ``no_fill_reason`` says why."""
        request = self._request("POST", "/api/ads/request", test_scenario, wanted or {})
        return await self._send(request, _rules.read_ad, on_unavailable)

    async def proof(
        self, seq: int, *, test_scenario: Optional[TestScenario] = None, on_unavailable: F = RAISE
    ) -> Union[ProofFile, F]:
        """Reads the proof of a ledger entry, for ``verify_proof``. Free."""
        request = self._proof(seq, test_scenario)
        return await self._send(request, _rules.read_proof, on_unavailable)

    async def _send(self, request: Request, read: _Reader[Result], on_unavailable: F) -> Union[Result, F]:
        steps = _rules.retry(request, read, self._policy)
        try:
            step = next(steps)
            while True:
                if step is not None:
                    await self._clock.sleep(step)
                    step = next(steps)
                    continue
                try:
                    answer = await _http.attempt_async(request, self._installation, self._ssl_context, self._timeout)
                except AssayError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as stop:
            return cast(Result, stop.value)
        except AssayError as error:
            if on_unavailable is RAISE or not error.is_retryable:
                raise
            return on_unavailable
