import { originsMax } from "@assay/contract/dashboard/site-limits.ts";
import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Failure } from "../../failure/failure.ts";
import { parseOrigins } from "./parse-origins.ts";

const messageOf = (given: readonly string[]): string => {
  try {
    parseOrigins(given);
  } catch (error) {
    assert(error instanceof Failure && error.code === "invalid_request", String(error));
    return error.message;
  }
  return "";
};

const accepted: [given: string, stored: string][] = [
  ["https://shop.example", "https://shop.example"],
  ["https://shop.example/", "https://shop.example"],
  ["HTTPS://Shop.Example", "https://shop.example"],
  ["https://shop.example:443", "https://shop.example"],
  ["https://shop.example:8443", "https://shop.example:8443"],
  ["https://münchen.example", "https://xn--mnchen-3ya.example"],
  ["https://203.0.113.7", "https://203.0.113.7"],
  ["https://[2001:DB8::1]:444", "https://[2001:db8::1]:444"],
  ["https://intranet", "https://intranet"],
  ["http://localhost", "http://localhost"],
  ["http://localhost:80", "http://localhost"],
  ["http://localhost:3000/", "http://localhost:3000"],
  ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
  ["http://127.9.8.7", "http://127.9.8.7"],
  ["http://[::1]:5173", "http://[::1]:5173"],
];

const notAnOrigin = /^origins\.0 must be an origin such as https:\/\/shop\.example, without a path/;
const notOneHost = /^origins\.0 must name one host, without wildcards/;
const notHttps = /^origins\.0 must start with https:/;

const refused: [given: string, why: RegExp][] = [
  ["", notAnOrigin],
  ["null", notAnOrigin],
  ["*", notAnOrigin],
  ["shop.example", notAnOrigin],
  ["//shop.example", notAnOrigin],
  ["https:shop.example", notAnOrigin],
  ["https:///shop.example", notAnOrigin],
  ["https://", notAnOrigin],
  ["https://shop.example/checkout", notAnOrigin],
  ["https://shop.example//", notAnOrigin],
  ["https://shop.example/?", notAnOrigin],
  ["https://shop.example?a=1", notAnOrigin],
  ["https://shop.example#top", notAnOrigin],
  ["https://ada:secret@shop.example", notAnOrigin],
  ["https://@shop.example", notAnOrigin],
  ["https://shop.example\\evil.example", notAnOrigin],
  [" https://shop.example", notAnOrigin],
  ["https://shop.example\n", notAnOrigin],
  ["https://shop\t.example", notAnOrigin],
  ["https://shop.example:99999", notAnOrigin],
  ["https://1.2.3.4.5", notAnOrigin],
  ["ftp://shop.example", notAnOrigin],
  ["file:///index.html", notAnOrigin],
  ["chrome-extension://abcdef", notAnOrigin],
  ["https://*.shop.example", notOneHost],
  ["https://%2a.shop.example", notOneHost],
  ["https://shop..example", notOneHost],
  ["https://shop.example.", notOneHost],
  ["http://shop.example", notHttps],
  ["http://localhost.example", notHttps],
  ["http://127.0.0.1.example", notHttps],
  ["http://128.0.0.1", notHttps],
  ["http://[::2]", notHttps],
  ["http://192.168.0.1", notHttps],
];

describe("origins of sites", () => {
  it("are stored as browsers send them", () => {
    for (const [given, stored] of accepted) assert.deepEqual(parseOrigins([given]), [stored], given);
    // Other notations of a loopback address are that address.
    for (const given of ["http://127.1", "http://0x7f.0.0.1", "http://2130706433", "http://[0:0:0:0:0:0:0:1]"]) assert.match(parseOrigins([given])[0]!, /^http:\/\/(127\.0\.0\.1|\[::1\])$/);
  });

  it("are refused with the reason and the place of the value", () => {
    for (const [given, why] of refused) assert.match(messageOf([given]), why, JSON.stringify(given));
    assert.match(messageOf(["https://a.example", "https://b.example", "http://c.example"]), /^origins\.2 must start with https/);
  });

  it("are distinct, in the order given, and at least one and at most twenty", () => {
    assert.deepEqual(parseOrigins(["https://b.example", "https://a.example/", "https://A.example:443", "https://b.example"]), ["https://b.example", "https://a.example"]);
    const many = Array.from({ length: originsMax + 1 }, (_, index) => `https://shop-${index}.example`);
    assert.equal(parseOrigins(many.slice(1)).length, originsMax);
    assert.match(messageOf(many), /^origins must have 1 to 20 entries$/);
    assert.match(messageOf([]), /^origins must have 1 to 20 entries$/);
  });

  it("whatever is given, are either refused or origins that are kept as they are when given again", () => {
    const scheme = fc.constantFrom("https://", "http://", "HTTPS://", "https:", "//", "");
    const piece = fc.oneof(fc.constantFrom("localhost", "127.0.0.1", "[::1]", "shop.example", "Shop", "ü", ".", "*", "%2e", "@", "\\", " "), fc.string({ maxLength: 3 }));
    const end = fc.constantFrom("", "", ":443", ":80", ":8443", "/", ":443/", "/path", "?", "#");
    const text = fc.tuple(scheme, fc.array(piece, { minLength: 1, maxLength: 3 }), end).map(([first, pieces, last]) => `${first}${pieces.join("")}${last}`);
    let kept = 0;
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (given) => {
        if (messageOf([given]) !== "") return;
        kept += 1;
        const [origin] = parseOrigins([given]);
        const url = new URL(origin!);
        assert.equal(url.origin, origin);
        assert.equal(url.href, `${origin}/`, "nothing but scheme, host and port");
        assert.doesNotMatch(origin!, /[^\x21-\x7e]|[A-Z*@]/);
        assert(url.protocol === "https:" || /^(localhost|127\..*|\[::1\])$/.test(url.hostname));
        assert.deepEqual(parseOrigins([origin!]), [origin]);
      }),
      { numRuns: 20_000 },
    );
    assert(kept > 100, `only ${kept} texts were origins`);
  });

  it("keep every proper host and port, with or without a slash", () => {
    const anyPort = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
    fc.assert(
      fc.property(fc.domain(), anyPort, fc.boolean(), (domain, port, hasSlash) => {
        const origin = `https://${domain}${port === undefined ? "" : `:${port}`}`;
        assert.deepEqual(parseOrigins([`${origin.toUpperCase()}${hasSlash ? "/" : ""}`]), [new URL(origin).origin]);
      }),
    );
  });
});
