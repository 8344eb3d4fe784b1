"""A shop's back end: it takes the signals that the page measured, has Assay score them, and decides.

    pip install $ASSAY_URL/clients/assay_client-0.1.0-py3-none-any.whl
    ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_... python3 examples/python/server.py

With ASSAY_SITE=site_... Assay measures too, and the shop's word need not be taken for it: docs/attestation.md.
"""

import json
import os
import re
import threading
import urllib.request
import uuid
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from assay import Assay, AssayError

ASSAY_URL = os.environ["ASSAY_URL"].rstrip("/")
SITE = os.environ.get("ASSAY_SITE", "")
PAGES = Path(os.environ.get("ASSAY_PAGE", Path(__file__).parent.parent / "page"))
BODY_BYTES_MAX = 4_096
REPORTS_MAX = 10_000
FORMATS = ("banner", "native", "interstitial")
# The highest value of each number; the lowest is 0.
NUMBERS_MAX = {"user_engagement": 1, "session_duration": 86_400, "scroll_depth": 1, "interaction_count": 100_000, "page_views": 10_000}
WHOLE_NUMBERS = {"interaction_count", "page_views"}

if not re.fullmatch(r"(site_[0-9A-Za-z]+)?", SITE):
    raise SystemExit("ASSAY_SITE must be the id of a site, such as site_...")
assay = Assay(os.environ["ASSAY_API_KEY"], ASSAY_URL, timeout=2, total=5)

# With a site the collector comes from Assay, and then knows where to report. Without one it comes from us.
collector_url = f"{ASSAY_URL}/c/v1/collector.js" if SITE else "/collector.js"
site_attribute = f'data-site="{SITE}" ' if SITE else ""
collector_tag = f'<script src="{collector_url}" {site_attribute}data-endpoint="/signals" defer></script>'
page = (PAGES / "index.html").read_text(encoding="utf-8").replace("<!-- collector -->", collector_tag).encode()

# Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
assay_origin = "{0.scheme}://{0.netloc}".format(urlsplit(ASSAY_URL))
script_sources = f"'self' {assay_origin}" if SITE else "'self'"
content_security_policy = (
    f"default-src 'none'; script-src {script_sources}; connect-src 'self' {assay_origin}; img-src {assay_origin}; "
    "style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

# The last report of each visit's page, for orders that are judged later. The shop's own cookie identifies the visit.
reports = OrderedDict()
reports_lock = threading.Lock()


class Refusal(Exception):
    """What the caller did wrong."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def read_collector():
    file = os.environ.get("ASSAY_COLLECTOR")
    if file:
        return Path(file).read_bytes()
    with urllib.request.urlopen(f"{ASSAY_URL}/c/v1/collector.js", timeout=5) as answer:
        return answer.read()


def is_signal(name, value):
    if name == "return_visitor":
        return isinstance(value, bool)
    if name not in NUMBERS_MAX or isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return 0 <= value <= NUMBERS_MAX[name] and (name not in WHOLE_NUMBERS or value == int(value))


def is_session(data):
    if not isinstance(data, dict) or not {"user_engagement", "session_duration"} <= data.keys():
        return False
    return all(is_signal(name, value) for name, value in data.items())


def parse_report(body):
    """What the page sends is validated here: only signals and a token are passed on to Assay."""
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal(400, "not JSON") from None
    if not isinstance(sent, dict):
        raise Refusal(400, "not a report")
    report = {name: sent[name] for name in ("session_data", "session_token", "sequence") if name in sent}
    if "session_data" in report and not is_session(report["session_data"]):
        raise Refusal(400, "not a session")
    # Sealed by Assay: it says whether the token is genuine.
    token = report.get("session_token", "")
    if not isinstance(token, str) or len(token) > 512:
        raise Refusal(400, "not a token")
    return report


def keep_report(visit, report):
    sequence = report.get("sequence")
    if "session_data" not in report or isinstance(sequence, bool) or not isinstance(sequence, int) or sequence < 1:
        raise Refusal(400, "not a report")
    # Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
    with reports_lock:
        if visit is None or sequence <= reports.get(visit, {"sequence": 0})["sequence"]:
            return
        reports[visit] = report
        reports.move_to_end(visit)
        if len(reports) > REPORTS_MAX:
            reports.popitem(last=False)


def judge(report):
    # The signals and the token, if there is one; the rest of the report stays here. Without a verdict the shop continues.
    try:
        verdict = assay.predict(report, on_unavailable=None)
    except AssayError as error:
        if error.status == 400:
            raise Refusal(400, error.message) from None
        raise
    if verdict is None:
        return {"trust_level": "unknown", "ads": {}}
    context = {"app_category": "shopping", "session_id": verdict["session_id"]}
    ads = {}
    for each in FORMATS:
        result = assay.request_ad({"format": each, "user_context": context}, on_unavailable=None)
        ads[each] = result and result["ad"]
    names = ("trust_level", "service_score", "session_id", "attestation", "attestation_issues")
    return {**{name: verdict[name] for name in names}, "ads": ads}


class Shop(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30

    def visit(self):
        found = re.search(r"(?:^|; )visit=([0-9a-f-]{36})", self.headers.get("Cookie", ""))
        return found[1] if found else None

    def answer(self, status, content_type="", body=b"", headers=()):
        self.send_response(status)
        for name, value in (("Content-Type", content_type), *headers):
            if value:
                self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/":
            cookie = "" if self.visit() else f"visit={uuid.uuid4()}; HttpOnly; SameSite=Lax; Path=/"
            headers = (("Content-Security-Policy", content_security_policy), ("Set-Cookie", cookie))
            self.answer(200, "text/html; charset=utf-8", page, headers)
        elif self.path in ("/page.css", "/page.js"):
            self.answer(200, "text/css" if self.path.endswith("css") else "text/javascript", (PAGES / self.path[1:]).read_bytes())
        elif self.path == "/collector.js":
            self.answer(200, "text/javascript", read_collector())
        else:
            self.answer(404)

    def do_POST(self):
        try:
            length = self.headers.get("Content-Length", "")
            # A body that is not read must not be taken for the next request.
            if not re.fullmatch(r"[0-9]{1,4}", length) or int(length) > BODY_BYTES_MAX:
                self.close_connection = True
                raise Refusal(413, "too much")
            body = self.rfile.read(int(length))
            # A page of another origin cannot send JSON without asking first.
            if not self.headers.get("Content-Type", "").startswith("application/json"):
                raise Refusal(415, "send JSON")
            if self.path == "/signals":
                keep_report(self.visit(), parse_report(body))
                self.answer(204)
            elif self.path == "/judge":
                report = parse_report(body)
                if "session_data" not in report:
                    report = reports.get(self.visit())
                if report is None:
                    raise Refusal(400, "nothing is known of this visit")
                self.answer(200, "application/json", json.dumps(judge(report)).encode())
            else:
                raise Refusal(404, "not here")
        except Refusal as refusal:
            self.answer(refusal.status, "application/json", json.dumps({"error": str(refusal)}).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Shop)
print(f"The shop is open at http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
