/** Ordinary calls, and calls that differ from them in one way or several. All texts are bytes in latin1. */
import { testScenarios } from "@assay/contract/scoring.ts";
import { pickFrom } from "../faults/fuzz/draw-value.ts";
import type { SeededRandom } from "../faults/rig/seeded-random.ts";

export type Call = { method: string; target: string; version: string; headers: [name: string, value: string][]; body: string };

/** Keys that the calls are made with. Each stands for itself in the store of both twins. */
export type CallKeys = Record<"live" | "test" | "unknown" | "revoked" | "expired", string>;

/** Of the account's sessions, for calls to score them. `doubtful`: too short, crowded, expired, another account's. */
export type SessionTokens = { good: readonly string[]; doubtful: readonly string[] };

/** `session` stands for the id of a session that the same installation has scored. */
export type CallContext = { keys: CallKeys; tokens: SessionTokens; session: string };

export const bytesOf = ({ method, target, version, headers, body }: Call): Buffer =>
  Buffer.from(`${method} ${target} HTTP/${version}\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`, "latin1");

const utf8 = (text: string): string => Buffer.from(text).toString("latin1");

export const scoringPaths = ["/api/ml/predict", "/ml/predict", "/api/ml/score"];
export const adPath = "/api/ads/request";
export const lanePaths = [...scoringPaths, adPath];

export const callTo = (target: string, key: string, body: string, more: [name: string, value: string][] = []): Call => ({
  method: "POST",
  target,
  version: "1.1",
  headers: [["Host", "localhost"], ["X-API-Key", key], ["Content-Type", "application/json"], ["Content-Length", String(body.length)], ...more],
  body,
});

const withBody = (call: Call, body: string): Call => ({
  ...call,
  body,
  headers: call.headers.map(([name, value]) => [name, name === "Content-Length" ? String(body.length) : value]),
});
const without = (call: Call, gone: string): Call => ({ ...call, headers: call.headers.filter(([name]) => name !== gone) });
const withHeader = (call: Call, name: string, value: string): Call => ({ ...call, headers: [...call.headers, [name, value]] });
const replacing = (call: Call, name: string, value: string): Call => withHeader(without(call, name), name, value);
const doubling = (call: Call, name: string, value?: string): Call =>
  withHeader(call, name, value ?? call.headers.find(([each]) => each === name)?.[1] ?? "");

/** As JSON texts, because a number has several of them. */
const fractions = ["0", "-0", "1", "1.0", "1e0", "10e-1", "0.1", "0.30000000000000004", "1e-400", "-1e-400", "5e-324", "0.5E0", "0.75"];
const durations = [...fractions, "180", "31536000", "3.1536e7", "31535999.999999996"];
const counts = ["0", "-0", "1.0", "1e2", "12", "2147483647", "2147483647.0", "1e-400"];
const wrongValues = ["1e400", "-1e400", "1.0000000000000002", "-1e-300", "2147483648", "1.5", "31536000.000000004", "true", '"1"', "null", "[]", "{}", "[1]", "01", "+1", ".5", "1.", "0x1", "NaN", "Infinity", "-", "", "9".repeat(400)];

const optionalSignals = new Set(["scroll_depth", "interaction_count", "page_views", "return_visitor"]);

function drawSignals(random: SeededRandom): [name: string, value: string][] {
  const all: [name: string, value: string][] = [
    ["user_engagement", pickFrom(random, fractions)],
    ["session_duration", pickFrom(random, durations)],
    ["scroll_depth", pickFrom(random, fractions)],
    ["interaction_count", pickFrom(random, counts)],
    ["page_views", pickFrom(random, counts)],
    ["return_visitor", pickFrom(random, ["true", "false"])],
  ];
  const kept = all.filter(([name]) => !optionalSignals.has(name) || random.isTrue(0.8));
  return random.isTrue(0.5) ? kept : kept.toReversed();
}

const objectOf = (fields: readonly [name: string, value: string][]): string => `{${fields.map(([name, value]) => `"${name}":${value}`).join(",")}}`;

/** With a token now and then. It may have been used before, and then the signals are scored. */
function drawScoringBody(random: SeededRandom, { good }: SessionTokens): string {
  const fields: [name: string, value: string][] = [["session_data", objectOf(drawSignals(random))]];
  if (random.isTrue(0.3)) fields.push(["session_token", JSON.stringify(pickFrom(random, good))]);
  return objectOf(random.isTrue(0.5) ? fields : fields.toReversed());
}

function drawAdBody(random: SeededRandom, session: string): string {
  const context: [name: string, value: string][] = [];
  if (random.isTrue(0.5)) context.push(["app_category", pickFrom(random, ['"gaming"', '"News"', `"${"a".repeat(40)}"`, '"a-b_9"'])]);
  if (random.isTrue(0.3)) context.push(["service_score", pickFrom(random, ["0", "100", "-0", "55.5", "1e2"])]);
  if (random.isTrue(0.4)) context.push(["session_id", pickFrom(random, [`"${session}"`, '"sess_unknown"', '""', `"${"s".repeat(100)}"`])]);
  const fields: [name: string, value: string][] = [];
  if (random.isTrue(0.7)) fields.push(["format", pickFrom(random, ['"banner"', '"native"', '"interstitial"'])]);
  if (random.isTrue(0.5)) fields.push(["placement", pickFrom(random, ['"feed"', '"sidebar"', '"fullscreen"'])]);
  if (context.length > 0 || random.isTrue(0.2)) fields.push(["user_context", objectOf(context)]);
  return objectOf(random.isTrue(0.5) ? fields : fields.toReversed());
}

/** A call that the lane answers. Half of the scoring calls have an Idempotency-Key, sometimes one that was used before. */
export function drawOrdinaryCall(random: SeededRandom, { keys, tokens, session }: CallContext): Call {
  const path = pickFrom(random, lanePaths);
  const body = path === adPath ? drawAdBody(random, session) : drawScoringBody(random, tokens);
  const call = callTo(path, pickFrom(random, [keys.live, keys.live, keys.test]), body);
  const headers: [name: string, value: string][] = [];
  if (random.isTrue(0.5)) headers.push(["Idempotency-Key", pickFrom(random, [`call-${random.between(1, 1_000_000)}`, `call-${random.between(1, 20)}`, "x".repeat(255), "-", "a,b", "\u00e9"])]);
  if (random.isTrue(0.4)) headers.push(["User-Agent", "a client/1.0"], ["Accept", "*/*"], ["Accept-Encoding", "gzip, br"]);
  if (random.isTrue(0.2)) headers.push(["Connection", "keep-alive"]);
  if (random.isTrue(0.2)) headers.push(["X-Request-Id", "mine"], ["Cookie", "a=b"], ["X-Forwarded-For", "1.2.3.4"]);
  const all = [...call.headers, ...headers];
  return { ...call, headers: random.isTrue(0.5) ? all : all.toReversed() };
}

type Oddity = (call: Call, random: SeededRandom, context: CallContext) => Call;

const heads: Record<string, Oddity> = {
  "a query": (call, random) => ({ ...call, target: call.target + pickFrom(random, ["?", "?a=1", "?session_data=1", "?%zz"]) }),
  "a trailing slash": (call) => ({ ...call, target: `${call.target}/` }),
  "another spelling of the address": (call, random) => ({
    ...call,
    target: pickFrom(random, [`/${call.target}`, call.target.replace("/", "//"), call.target.replace("/a", "/%61"), call.target.replace("/m", "/%6d"), call.target.toUpperCase(), `${call.target}#x`, `${call.target};a=b`, `${call.target}%20`, `${call.target}/..`, `/x/..${call.target}`, `${call.target}%00`]),
  }),
  "an absolute address": (call, random) => ({ ...call, target: `${pickFrom(random, ["http://localhost", "http://evil.example", "https://localhost:1", "HTTP://LOCALHOST"])}${call.target}` }),
  "another route": (call, random) => ({ ...call, target: pickFrom(random, ["/api/ml/analyze", "/api/servicescore/analyze", "/api/ml/predictx", "/api/ads", "/health/live", "/ml/score", "*"]) }),
  "another method": (call, random) => ({ ...call, method: pickFrom(random, ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "Post", "QUERY"]) }),
  "another version": (call, random) => ({ ...call, version: pickFrom(random, ["1.0", "1.0", "0.9", "1.2", "2.0", "1.1 ", "01.1"]) }),
  "HTTP/1.0 that keeps the connection": (call) => ({ ...replacing(call, "Connection", "keep-alive"), version: "1.0" }),
  "another Host": (call, random) =>
    pickFrom(random, [
      () => without(call, "Host"),
      () => doubling(call, "Host"),
      () => doubling(call, "Host", "evil.example"),
      () => doubling(without(call, "Host"), "Host", "a,b"),
      () => doubling(without(call, "Host"), "Host", ""),
      () => doubling(without(call, "Host"), "HOST", "evil.example"),
    ])(),
  "another Content-Type": (call, random) => {
    const type = pickFrom(random, ["APPLICATION/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8", "application/json; charset=utf-16", "application/json ; a=b", "application/json;", "application/json; =", "application/jsonx", "application/vnd.api+json", "text/plain", "text/json", "application", "", "multipart/form-data; boundary=x", "application/json, application/json", "application/json\tcharset=utf-8"]);
    return pickFrom(random, [() => replacing(call, "Content-Type", type), () => replacing(call, "Content-Type", type), () => without(call, "Content-Type"), () => doubling(call, "Content-Type"), () => doubling(call, "Content-Type", type), () => replacing(call, "content-type", "application/json")])();
  },
  "another Content-Length": (call, random) =>
    pickFrom(random, [
      () => doubling(call, "Content-Length"),
      () => replacing(call, "Content-Length", `+${call.body.length}`),
      () => replacing(call, "Content-Length", `0${call.body.length}`),
      () => replacing(call, "Content-Length", String(call.body.length - 1)),
      () => replacing(call, "Content-Length", "0"),
      () => replacing(call, "Content-Length", `${call.body.length}, ${call.body.length}`),
      () => replacing(call, "Content-Length", ""),
      () => without(call, "Content-Length"),
    ])(),
  "a body in chunks": (call, random) => {
    const { body } = call;
    const at = random.between(0, body.length - 1);
    const chunk = (text: string) => (text === "" ? "" : `${text.length.toString(16)}\r\n${text}\r\n`);
    const chunked = pickFrom(random, [`${chunk(body)}0\r\n\r\n`, `${chunk(body.slice(0, at))}${chunk(body.slice(at))}0\r\n\r\n`, `${chunk(body)}0\r\nX-API-Key: other\r\n\r\n`, `${body.length.toString(16)};a=b\r\n${body}\r\n0\r\n\r\n`]);
    return { ...replacing(without(call, "Content-Length"), "Transfer-Encoding", pickFrom(random, ["chunked", "Chunked", "chunked", "gzip, chunked", "identity"])), body: chunked };
  },
  "a length and chunks": (call) => ({ ...withHeader(call, "Transfer-Encoding", "chunked"), body: `${call.body.length.toString(16)}\r\n${call.body}\r\n0\r\n\r\n` }),
  "an expectation": (call, random) => withHeader(call, "Expect", pickFrom(random, ["100-continue", "100-Continue", "the-unexpected", ""])),
  "an Origin": (call, random) => withHeader(call, "Origin", pickFrom(random, ["https://fuzz.example.com", "https://evil.example", "null", ""])),
  "a test scenario": (call, random, { keys }) =>
    withHeader(replacing(call, "X-API-Key", pickFrom(random, [keys.test, keys.test, keys.live])), "Assay-Test-Scenario", pickFrom(random, [...testScenarios, "LOW", "nothing", "", "low, low"])),
  "another Connection": (call, random) =>
    pickFrom(random, [
      () => replacing(call, "Connection", pickFrom(random, ["close", "Close", "keep-alive, close", "Keep-Alive", "", "x", "TE"])),
      () => withHeader(replacing(call, "Connection", "Upgrade"), "Upgrade", pickFrom(random, ["websocket", "h2c", "TLS/1.0"])),
      () => withHeader(call, "Upgrade", "websocket"),
      () => withHeader(call, "Keep-Alive", "timeout=1, max=1"),
    ])(),
  "another key": (call, random, { keys }) => {
    const { live } = keys;
    const key = pickFrom(random, [keys.unknown, keys.revoked, keys.expired, "", "x", `${live}0`, live.slice(0, -1), live.toUpperCase(), `${live},`, `${live}, ${live}`, `${live} ${live}`, `Bearer ${live}`, `${live}\u00e9`, ` ${live}`, `${live} `, `\t${live}\t`]);
    return pickFrom(random, [() => replacing(call, "X-API-Key", key), () => replacing(call, "X-API-Key", key), () => without(call, "X-API-Key"), () => doubling(call, "X-API-Key"), () => doubling(call, "X-API-Key", keys.test), () => replacing(call, "x-api-key", live)])();
  },
  "another Idempotency-Key": (call, random) =>
    pickFrom(random, [
      () => replacing(call, "Idempotency-Key", pickFrom(random, ["", " ", "x".repeat(256), "x".repeat(4_000), "a\tb", "\u00e9".repeat(255), "\u00e9".repeat(256), " padded "])),
      () => doubling(replacing(call, "Idempotency-Key", "same"), "Idempotency-Key"),
      () => doubling(replacing(call, "Idempotency-Key", "one"), "idempotency-key", "two"),
      () => doubling(replacing(call, "Idempotency-Key", "x".repeat(200)), "Idempotency-Key", "y".repeat(200)),
    ])(),
  "another header": (call, random) =>
    withHeader(
      call,
      ...pickFrom<[string, string]>(random, [["Content-Encoding", "gzip"], ["Content-Encoding", "identity"], ["__proto__", "x"], ["constructor", "x"], ["X-HTTP-Method-Override", "GET"], ["If-None-Match", "*"], ["Range", "bytes=0-1"], ["Authorization", "Bearer x"], ["Trailer", "X-API-Key"], ["TE", "trailers"], ["Accept", "text/html"], ["Accept-Version", "2.0"], ["Via", "1.1 proxy"], ["Forwarded", "for=1.2.3.4;host=evil.example"], ["X-Long", "a".repeat(15_000)], ["X-Longer", "a".repeat(17_000)], ["Sec-Fetch-Site", "cross-site"], ["Purpose", "prefetch"]]),
    ),
  "many headers": (call, random) => ({ ...call, headers: [...call.headers, ...Array.from({ length: pickFrom(random, [100, 1_900, 2_100]) }, (): [string, string] => ["a", ""])] }),
};

const isObject = (body: string): boolean => body.startsWith("{") && body.endsWith("}") && body.length > 2;
const adding = (body: string, field: string, at: "first" | "last"): string =>
  !isObject(body) ? `{${field}}` : at === "first" ? `{${field},${body.slice(1)}` : `${body.slice(0, -1)},${field}}`;
const personalNames = ["email", "user_id", "ip", "name", "phone_number", "geo_lat", "user@example.com", "4915112345678", "click_ip_count"];

const bodies: Record<string, (body: string, random: SeededRandom) => string> = {
  "a wrong value": (body, random) => {
    const values = [...body.matchAll(/:(-?[\d.eE+-]+|true|false|"[^"]*")/g)];
    if (values.length === 0) return body;
    const { index, 0: found } = pickFrom(random, values);
    return `${body.slice(0, index + 1)}${pickFrom(random, wrongValues)}${body.slice(index + found.length)}`;
  },
  "a field less": (body, random) => body.replace(pickFrom(random, [/"user_engagement":[^,}]*,?/, /"session_duration":[^,}]*,?/, /"session_data"/, /"format"/]), (found) => (found === '"session_data"' ? '"session"' : "")),
  "a field twice": (body, random) =>
    pickFrom(random, [
      () => body.replace(/"(\w+)":([^,{}]+)/, '"$1":$2,"$1":$2'),
      () => body.replace(/"(\w+)":([^,{}]+)/, '"$1":"wrong","$1":$2'),
      () => body.replace(/"(\w+)":([^,{}]+)/, '"$1":$2,"$1":"wrong"'),
      () => adding(body, '"session_data":{}', "last"),
      () => adding(body, '"session_data":{}', "first"),
      () => adding(body, body.slice(1, -1), "last"),
    ])(),
  "another field": (body, random) => {
    const name = pickFrom(random, ["extra", "", "0", "toString", "hasOwnProperty", "length", "session_Data", " user_engagement", "user_engagement ", "valueOf", "format", "session_data", ...personalNames]);
    const field = `"${name}":${pickFrom(random, ["1", '"x"', "null", "true", "{}", "[[[]]]", '{"email":"x"}', '[{"ip":1}]'])}`;
    return random.isTrue(0.5) ? adding(body, field, random.isTrue(0.5) ? "first" : "last") : body.replace(/:\{/, () => `:{${field},`).replace(",}", "}");
  },
  "a prototype": (body, random) => {
    const field = pickFrom(random, ['"__proto__":{"admin":true}', '"\\u005f_proto__":{"admin":true}', '"__proto__":null', '"__proto__":1', '"constructor":{"prototype":{"admin":true}}', '"constructor":1', '"constructor":{"prototype":1}', '"prototype":{}', '"constr\\u0075ctor":{"prototype":{}}', '"x":"__proto__"', '"x":{"__proto__":{}}']);
    return random.isTrue(0.5) ? adding(body, field, random.isTrue(0.5) ? "first" : "last") : body.replace(/:\{/, () => `:{${field},`).replace(",}", "}");
  },
  "other spaces": (body, random) => pickFrom(random, [() => ` \t\r\n${body}`, () => `${body} \n`, () => body.replaceAll(":", " : ").replaceAll(",", "\n,\t"), () => `\u000b${body}`, () => `${utf8("\u00a0")}${body}`, () => `${body}\0`, () => utf8(`\ufeff${body}`), () => utf8("\ufeff")])(),
  "an escaped name": (body, random) => body.replace(/"([a-z])(\w+)"/, (_, first: string, rest: string) => `"\\u00${pickFrom(random, [first.codePointAt(0)!.toString(16), first.codePointAt(0)!.toString(16).toUpperCase()])}${rest}"`),
  "another value": (_body, random) => pickFrom(random, ["", " ", "null", "true", "1", '""', "[]", "{}", "[{}]", '{"session_data":null}', '{"session_data":[]}', '{"session_data":"x"}', '{"session_data":{}}', '{"user_context":null}', '{"user_context":[]}', "undefined", "{", "}", '{"', "{}{}", "{},", "\u00ff\u00fe"]),
  "a broken text": (body, random) => pickFrom(random, [() => body.slice(0, random.between(0, body.length)), () => body.replace(/\}$/, ",}"), () => body.replaceAll('"', "'"), () => `${body}}`, () => `/**/${body}`, () => `${body}//`, () => body.replace(":", "="), () => body.replaceAll('"', "")])(),
  "bytes that are not UTF-8": (body, random) => {
    const bytes = pickFrom(random, ["\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f5\u0080\u0080\u0080", "\u00e9", utf8("é"), utf8("😀"), "\\ud800", "\0", "\u0001", "\n"]);
    const at = random.between(0, body.length);
    return random.isTrue(0.5) ? `${body.slice(0, at)}${bytes}${body.slice(at)}` : adding(body, `"x${bytes}":"${bytes}"`, "last");
  },
  "many bytes": (body, random) => body + " ".repeat(Math.max(0, pickFrom(random, [4_095, 4_096, 4_097, 5_000, 16_384, 65_535, 65_536, 65_537, 70_000]) - body.length)),
  "a deep body": (body, random) => pickFrom(random, [() => `${"[".repeat(5_000)}${body}${"]".repeat(5_000)}`, () => adding(body, `"x":${'{"a":'.repeat(1_000)}1${"}".repeat(1_000)}`, "last"), () => adding(body, `"x":${"[".repeat(500)}${"]".repeat(500)}`, "first")])(),
  "a strange ad": (_body, random) => pickFrom(random, ['{"format":"Banner"}', '{"format":null}', '{"placement":"x"}', '{"user_context":{"app_category":""}}', `{"user_context":{"app_category":"${"a".repeat(41)}"}}`, '{"user_context":{"app_category":"a b"}}', '{"user_context":{"app_category":"gaming\\n"}}', `{"user_context":{"app_category":"${utf8("é")}"}}`, '{"user_context":{"service_score":100.1}}', '{"user_context":{"service_score":-0.1}}', '{"user_context":{"service_score":"5"}}', `{"user_context":{"session_id":"${"s".repeat(101)}"}}`, `{"user_context":{"session_id":"${utf8("😀").repeat(60)}"}}`, '{"user_context":{"session_id":"\\u0000"}}', '{"user_context":{"email":"x"}}', '{"user_context":{"app_category":["gaming"]}}', '{"session_data":{}}', '{"format":"banner","format":"native"}']),
};

/** A token that was good, with one bit changed, cut short, or with more to it. */
export function damageToken(random: SeededRandom, token: string): string {
  const at = random.between(0, token.length - 1);
  const flipped = String.fromCharCode(token.charCodeAt(at) ^ (1 << random.between(0, 5)));
  return pickFrom(random, [token.slice(0, at), token.slice(at), `${token.slice(0, at)}${flipped}${token.slice(at + 1)}`, `${token}A`, `${token}=`, `${token}.${token}`, ` ${token}`, token.replace(/\d{5}/, "0"), token.replace(/\d{5}/, "9999999")]);
}

const strangeTokens = ['""', '" "', "null", "true", "1", "[]", "{}", '"at1"', '"at1.."', '"at1.20770.AAAA"', '"at1.0.AAAA"', '"at1.1e3.AAAA"', '"\\u0000"', '"\\ud800"', `"${"a".repeat(512)}"`, `"${"a".repeat(513)}"`, `"${"a".repeat(4_000)}"`, `"${utf8("😀").repeat(300)}"`];

const tokens: Record<string, Oddity> = {
  "a strange session token": (call, random, { tokens: { good, doubtful } }) => {
    const token = pickFrom(random, [() => JSON.stringify(pickFrom(random, doubtful)), () => JSON.stringify(damageToken(random, pickFrom(random, good))), () => pickFrom(random, strangeTokens)])();
    // Without signals of its own, the token alone decides.
    const data = random.isTrue(0.5) ? "{}" : objectOf(drawSignals(random));
    return withBody(call, `{"session_data":${data},"session_token":${token}}`);
  },
};

export const oddities: Record<string, Oddity> = {
  ...heads,
  ...tokens,
  ...Object.fromEntries(Object.entries(bodies).map(([name, change]): [string, Oddity] => [name, (call, random) => withBody(call, change(call.body, random))])),
};

export type OddCall = { call: Call; what: string };

/** A call that differs from an ordinary one in this way, and perhaps in others. */
export function drawOddCall(random: SeededRandom, name: string, context: CallContext): OddCall {
  const names = [name];
  // A change of the body comes before one of the head, which may describe the body.
  while (random.isTrue(0.15)) names.push(pickFrom(random, Object.keys(heads)));
  let call = drawOrdinaryCall(random, context);
  for (const each of names) call = oddities[each]!(call, random, context);
  return { call, what: names.join(" and ") };
}
