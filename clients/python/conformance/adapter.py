"""Runs the cases of clients/conformance with the installed package; its README.md has the commands.

With ASSAY_ADAPTER=async the calls are made with AsyncAssay.
"""

import asyncio
import base64
import dataclasses
import json
import os
import sys

import assay


class RecordingClock(assay.Clock):
    """Its waits take no time."""

    def __init__(self):
        self.seconds = 0.0
        self.waits_ms = []

    def now(self):
        return self.seconds

    def sleep(self, seconds):
        self.waits_ms.append(round(seconds * 1_000, 3))
        self.seconds += seconds


class AsyncRecordingClock(RecordingClock):
    async def sleep(self, seconds):
        super().sleep(seconds)


def call(command, loop):
    is_async = loop is not None
    settings = dict(command["client"])
    for name, known in (("timeout", "timeout_ms"), ("total", "total_ms_max")):
        if known in settings:
            value = settings.pop(known)
            settings[name] = value / 1_000 if isinstance(value, (int, float)) else value
    clock = None
    if "chance" in command:
        clock = AsyncRecordingClock() if is_async else RecordingClock()
        settings.update(clock=clock, random=lambda: command["chance"])
    waits = lambda: clock.waits_ms if clock else []
    try:
        client = (assay.AsyncAssay if is_async else assay.Assay)(**settings)
        assert settings["api_key"] not in repr(client)
        arguments, options = dict(command["arguments"]), dict(command.get("options", {}))
        if command["method"] == "request_ad":
            arguments["wanted"] = arguments.pop("request", None)
        # A value of its own, which no answer is.
        fallback = [options.get("on_unavailable")]
        if "on_unavailable" in options:
            options["on_unavailable"] = fallback
        result = getattr(client, command["method"])(**arguments, **options)
        answer = loop.run_until_complete(result) if is_async else result
        if answer is fallback:
            return {"fallback": fallback[0], "waits_ms": waits()}
        answer = dict(answer)
        return {"meta": answer.pop("meta"), "answer": answer, "waits_ms": waits()}
    except assay.AssayError as error:
        assert str(error) == error.message
        names = ("code", "status", "message", "request_id", "is_retryable", "retry_after_seconds", "attempts", "idempotency_key")
        return {"error": {name: getattr(error, name) for name in names}, "waits_ms": waits()}
    except (ValueError, TypeError) as error:
        return {"refused": str(error)}


def verify_webhook(command):
    options = {name: command[name] for name in ("tolerance_seconds", "payload_bytes_max", "account") if name in command}
    if "seen" in command:
        options["seen"] = command["seen"].__contains__
    payload = base64.b64decode(command["payload_base64"])
    try:
        event = assay.verify_webhook(payload, command["headers"], command["secrets"], now=lambda: command["now_ms"] / 1_000, **options)
    except assay.WebhookVerificationError as error:
        return {"error": {"code": error.code, "status": error.status}}
    return {"answer": dataclasses.asdict(event)}


def verify_proof(command):
    keys = {"log_keys": command["log_keys"], "witness_keys": command["witness_keys"]}
    try:
        return {"answer": dataclasses.asdict(assay.verify_proof(command["proof"], command["receipt"], **keys))}
    except assay.ProofError as error:
        return {"error": {"code": error.code}}
    except ValueError as error:
        return {"refused": str(error)}


def main():
    loop = asyncio.new_event_loop() if os.environ.get("ASSAY_ADAPTER") == "async" else None
    for line in sys.stdin:
        command = json.loads(line)
        if command["do"] == "call":
            reply = call(command, loop)
        else:
            reply = verify_webhook(command) if command["do"] == "verify_webhook" else verify_proof(command)
        print(json.dumps(reply), flush=True)


main()
