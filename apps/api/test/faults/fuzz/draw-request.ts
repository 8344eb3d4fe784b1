/** Generates and mutates requests to a route, valid ones and every kind of malformed one. */
import type { SeededRandom } from "../rig/seeded-random.ts";
import { drawText, drawValue, type Grammar, type Json, mutateValue, pickFrom, type Words } from "./draw-value.ts";
import { pathToken } from "./word-store.ts";

/** Sender of a request. Its headers are filled in when it is sent. */
export const identities = ["anonymous", "live", "test", "wrong_key", "developer", "operator", "forged_cookie", "monitor", "advertiser"] as const;
export type Identity = (typeof identities)[number];

/** A serializable request. The body is in Base64, because it may be binary. */
export type FuzzRequest = { method: string; url: string; identity: Identity; headers: Record<string, string>; body?: string };

export type FuzzRoute = { method: string; url: string; body?: Grammar; query?: Grammar };

export type DrawContext = {
  words: Words;
  /** A canary that must not appear in any answer or table. */
  unknown: () => string;
};

const methods = ["GET", "HEAD", "HEAD", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "PROPFIND"];
/** What pages send across origins. */
const pageContentTypes = ["text/plain", "text/plain;charset=UTF-8", "application/json"];
const contentTypes = ["application/json; charset=utf-8", "application/json;charset=utf-16", "text/plain", "multipart/form-data; boundary=x", "multipart/form-data", "application/x-www-form-urlencoded", "application/json, text/html", "", "a/b/c", "application/vnd.api+json"];
const strangePaths = ["..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/index.html", "..\\..\\", "%00", "%ff", "%zz", "%", "a".repeat(201), "a".repeat(2_000), "😀", "%F0%9F%98%80", ".", "..", "*", ":id", "a%2Fb", ";a=b", "a%3Fb", "%0d%0aSet-Cookie:a=b"];
const otherPaths = ["/", "/nothing", "/api", "/api/", "/ml/", "/dashboard/api/", "/dashboard/api/operator/", "/t/", "/t/i/", "/cdn/", "/docs/x", "/.env", "/.git/config", "//example.org/", "/api/ml/predict/", "/API/ML/PREDICT", "/health/../api/status", "/%61pi/status", "/dashboard/assets/../../package.json", "*"];
const strangeHeaders: [name: string, values: string[]][] = [
  ["idempotency-key", ["", " ", "a", "é", "x".repeat(255), "x".repeat(256), "a,b"]],
  ["assay-test-scenario", ["low", "medium", "high", "rate_limited", "no_fill", "LOW", "nothing"]],
  ["host", ["localhost", "evil.example", "", "a,b", "[::1]:80", '"><script>', "localhost:99999999"]],
  ["origin", ["https://fuzz.example.com", "https://evil.example", "null", "http://localhost:80", ""]],
  ["sec-fetch-site", ["same-origin", "cross-site", "none", "x"]],
  ["x-forwarded-for", ["1.2.3.4", "::1", "a", "1.2.3.4, ".repeat(50)]],
  ["authorization", ["Bearer x", "Basic YTpi", "Bearer"]],
  ["user-agent", ["", "Googlebot/2.1", "x".repeat(4_000), "Mozilla/5.0"]],
  ["accept", ["text/html", "*/*;q=x", ""]],
  ["accept-encoding", ["br", "gzip;q=0", "x".repeat(500)]],
  ["if-none-match", ["*", '"x"', "W/"]],
  ["range", ["bytes=0-1", "bytes=-1", "bytes=5-1", "lines=1"]],
  ["purpose", ["prefetch"]],
  ["cookie", ["=", "a=b; ".repeat(200), "assay_session=%00", "__proto__=1"]],
  ["content-length", ["0", "5", "-1", "x"]],
  ["expect", ["100-continue", "x"]],
  ["accept-language", ["x".repeat(1_000)]],
];

/** Some are those of a small log. */
const tiles = ["0/000.p/1", "0/000.p/2", "0/000", "1/000.p/1", "0/x001/000", "63/000", "0/000.p/256", "entries/000"];

const percent = (text: string): string => encodeURIComponent(text.toWellFormed());

function drawUrl(random: SeededRandom, route: FuzzRoute, context: DrawContext): string {
  if (random.isTrue(0.02)) return pickFrom(random, otherPaths);
  const path = route.url
    .replace(":log/", () => (random.isTrue(0.7) ? "1/" : ":log/"))
    .replaceAll(/:(\w+)/g, (_, name: string) => (random.isTrue(0.15) ? pickFrom(random, strangePaths) : percent(drawText(random, context.words, name === "token" ? pathToken : name)) || "x"))
    .replaceAll("*", () => (random.isTrue(0.3) ? pickFrom(random, strangePaths) : pickFrom(random, route.url.includes("/tile/") ? tiles : ["deep/link"])));
  const pairs = Object.entries((drawValue(random, route.query, context.words) ?? {}) as Record<string, Json>).map(([name, value]) => `${name}=${percent(typeof value === "string" ? value : JSON.stringify(value))}`);
  // Takes one of its parameters, and few values of it exist.
  if (route.url.endsWith("/proof") && random.isTrue(0.5)) pairs.splice(0, pairs.length, pickFrom(random, ["seq=1", "consistency_from=1"]));
  if (random.isTrue(0.1)) pairs.push(pickFrom(random, ["a=1&a=2", "__proto__[x]=1", "a[b]=c", "%00=%ff", "=", "&&", "?", "from=1&from=2", "x".repeat(3_000), "a=%zz", "+=+"]));
  return pairs.length > 0 ? `${path}?${pairs.join("&")}` : path;
}

/** Breaks the serialized body in ways that no JSON value can express. */
function breakText(random: SeededRandom, text: string): Buffer {
  const at = random.between(0, text.length);
  const breaks: (() => Buffer)[] = [
    () => Buffer.from(text.slice(0, at)),
    () => Buffer.from(text.replace(/\}$/, ',"session_data":1,"session_data":{}}')),
    () => Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0, 0x80]), Buffer.from(text.slice(at))]),
    () => Buffer.from(`\ufeff${text}`),
    () => Buffer.from(text.replace(/-?\d+(\.\d+)?/, pickFrom(random, ["1e400", "-1e400", "01", "NaN", "1e-400", "9".repeat(1_000), "0x1", "-", "1."]))),
    () => Buffer.from(text.replace("{", '{"__proto__":{"admin":true},')),
    () => Buffer.from(text.replace("{", '{"constructor":{"prototype":{"admin":true}},')),
    () => Buffer.from(`${text}${pickFrom(random, ["}", "\0", " ", "{}", "//"])}`),
    () => Buffer.from(`${"[".repeat(5_000)}${text}${"]".repeat(5_000)}`),
    () => Buffer.from(`${'{"session_data":'.repeat(2_000)}1${"}".repeat(2_000)}`),
    () => Buffer.from(text.replaceAll('"', "'")),
    () => Buffer.from(text + " ".repeat(random.isTrue(0.5) ? 60_000 : 70_000)),
    () => Buffer.from(Array.from({ length: random.between(0, 200) }, () => random.between(0, 255))),
    () => Buffer.alloc(0),
  ];
  return pickFrom(random, breaks)();
}

function drawBody(random: SeededRandom, route: FuzzRoute, context: DrawContext): Buffer {
  let value = drawValue(random, route.body, context.words);
  for (let left = pickFrom(random, [0, 0, 1, 1, 2, 4]); left > 0; left -= 1) value = mutateValue(random, value, context);
  const text = JSON.stringify(value);
  return random.isTrue(0.12) ? breakText(random, text) : Buffer.from(text);
}

/** Mostly the identity that the route is meant for. */
function drawIdentity(random: SeededRandom, url: string): Identity {
  if (random.isTrue(0.1)) return pickFrom(random, identities);
  if (url.startsWith("/dashboard/api/operator")) return "operator";
  if (url.startsWith("/dashboard/api")) return random.isTrue(0.8) ? "developer" : "anonymous";
  if (url === "/metrics") return "monitor";
  if (url.startsWith("/api/campaigns/")) return "advertiser";
  if (/^\/(api|ml|log)\//.test(url)) return random.isTrue(0.9) ? "live" : "test";
  return "anonymous";
}

function drawContentType(random: SeededRandom, url: string): string {
  if (random.isTrue(0.07)) return pickFrom(random, contentTypes);
  return url.startsWith("/c/") ? pickFrom(random, pageContentTypes) : "application/json";
}

function drawHeaders(random: SeededRandom): Record<string, string> {
  const headers: Record<string, string> = {};
  for (let left = pickFrom(random, [0, 0, 0, 1, 1, 3]); left > 0; left -= 1) {
    const [name, values] = pickFrom(random, strangeHeaders);
    headers[name] = pickFrom(random, values);
  }
  return headers;
}

export function drawRequest(random: SeededRandom, route: FuzzRoute, context: DrawContext): FuzzRequest {
  const method = random.isTrue(0.95) ? route.method : pickFrom(random, methods);
  const hasBody = route.body !== undefined ? random.isTrue(0.97) : random.isTrue(0.05);
  return {
    method,
    url: drawUrl(random, route, context),
    identity: drawIdentity(random, route.url),
    headers: {
      ...(hasBody && { "content-type": drawContentType(random, route.url) }),
      ...(route.url.startsWith("/dashboard/api") && random.isTrue(0.95) && { "sec-fetch-site": "same-origin" }),
      ...drawHeaders(random),
    },
    ...(hasBody && { body: drawBody(random, route, context).toString("base64") }),
  };
}

/** Mutates a request that led to something new. */
export function mutateRequest(random: SeededRandom, request: FuzzRequest, context: DrawContext): FuzzRequest {
  const text = Buffer.from(request.body ?? "", "base64").toString();
  const changes: (() => FuzzRequest)[] = [
    () => ({ ...request, headers: { ...request.headers, ...drawHeaders(random) } }),
    () => ({ ...request, identity: pickFrom(random, identities) }),
    () => ({ ...request, url: request.url + pickFrom(random, ["/", "?", "?from=2026-01-01", "&limit=1", "%00", "/..", "#x"]) }),
    () => ({ ...request, url: request.url.replace(/[^/?&=]+$/, () => percent(drawText(random, context.words))) }),
    () => ({ ...request, body: breakText(random, text).toString("base64") }),
    () => {
      try {
        const value = mutateValue(random, JSON.parse(text) as Json, context);
        return { ...request, body: Buffer.from(JSON.stringify(value)).toString("base64") };
      } catch {
        return { ...request, method: pickFrom(random, methods) };
      }
    },
  ];
  return pickFrom(random, [...changes, changes[5]!, changes[5]!])();
}
