import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readPrivateRange, type Scope } from "./judge-address.ts";
import { readEndpointUrl, type UrlRefusal } from "./read-endpoint-url.ts";

const outside: Scope = { allowLoopback: false, privateRanges: [] };
const local: Scope = { allowLoopback: true, privateRanges: [] };
const operators: Scope = { allowLoopback: false, privateRanges: [readPrivateRange("10.0.0.0/8")!] };

const read = (given: string, scope: Scope = outside): string => {
  const url = readEndpointUrl(given, scope);
  return url.kind === "endpoint" ? url.href : url.reason;
};

/** Hosts that are, or could be, of the inside, in every notation that a URL allows. */
const inside: Record<string, UrlRefusal> = {
  "127.0.0.1": "address_not_public",
  "127.0.0.1.": "address_not_public",
  "127.1": "address_not_public",
  "127.0.1": "address_not_public",
  "127.255.255.254": "address_not_public",
  "2130706433": "address_not_public",
  "017700000001": "address_not_public",
  "0x7f000001": "address_not_public",
  "0X7F.1": "address_not_public",
  "0x7f.0x0.0x0.0x1": "address_not_public",
  "0177.0.0.1": "address_not_public",
  "0177.0.0.01": "address_not_public",
  "127.0x1": "address_not_public",
  "%31%32%37.0.0.1": "address_not_public",
  "127%2e0%2e0%2e1": "address_not_public",
  "127.0.\t0.1": "address_not_public",
  "127.0.0\u00AD.1": "address_not_public",
  "１２７.０.０.１": "address_not_public",
  "①②⑦.⓪.⓪.①": "address_not_public",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏": "address_not_public",
  "¹²⁷.⁰.⁰.¹": "address_not_public",
  "127。0。0。1": "address_not_public",
  "127．0｡0．1": "address_not_public",
  "0": "address_not_public",
  "0.0.0.0": "address_not_public",
  "0x0": "address_not_public",
  "10.0.0.1": "address_not_public",
  "10.1": "address_not_public",
  "167772161": "address_not_public",
  "0xa.1": "address_not_public",
  "012.0.0.1": "address_not_public",
  "172.16.0.1": "address_not_public",
  "172.31.255.255": "address_not_public",
  "192.168.0.1": "address_not_public",
  "192.168.257": "address_not_public",
  "3232235521": "address_not_public",
  "100.64.0.1": "address_not_public",
  "169.254.169.254": "address_not_public",
  "2852039166": "address_not_public",
  "0xA9FEA9FE": "address_not_public",
  "0251.0376.0251.0376": "address_not_public",
  "169.254.43518": "address_not_public",
  "⑯⑨.②⑤④.①⑥⑨.②⑤④": "address_not_public",
  "168.63.129.16": "address_not_public",
  "192.0.0.192": "address_not_public",
  "198.18.0.1": "address_not_public",
  "203.0.113.7": "address_not_public",
  "224.0.0.1": "address_not_public",
  "255.255.255.255": "address_not_public",
  "4294967295": "address_not_public",
  "[::]": "address_not_public",
  "[::1]": "address_not_public",
  "[0:0:0:0:0:0:0:1]": "address_not_public",
  "[0000:0000:0000:0000:0000:0000:0000:0001]": "address_not_public",
  "[::127.0.0.1]": "address_not_public",
  "[::ffff:127.0.0.1]": "address_not_public",
  "[::ffff:7f00:1]": "address_not_public",
  "[::FFFF:A9FE:A9FE]": "address_not_public",
  "[0:0:0:0:0:ffff:10.0.0.1]": "address_not_public",
  "[::ffff:0:127.0.0.1]": "address_not_public",
  "[64:ff9b::127.0.0.1]": "address_not_public",
  "[64:ff9b::a9fe:a9fe]": "address_not_public",
  "[64:ff9b:1::10.0.0.1]": "address_not_public",
  "[2002:7f00:1::]": "address_not_public",
  "[2002:a9fe:a9fe::1]": "address_not_public",
  "[2001:0:a00:1::]": "address_not_public",
  "[2a00:1450::5efe:10.0.0.1]": "address_not_public",
  "[fd00:ec2::254]": "address_not_public",
  "[fc00::1]": "address_not_public",
  "[fe80::1]": "address_not_public",
  "[fec0::1]": "address_not_public",
  "[ff02::1]": "address_not_public",
  "[2001:db8::1]": "address_not_public",
  "[3fff::1]": "address_not_public",
  "[5f00::1]": "address_not_public",
  "[100::1]": "address_not_public",
  "[fe80::1%25eth0]": "not_a_url",
  "[fe80::1%eth0]": "not_a_url",
  "[::1": "not_a_url",
  "256.0.0.1": "not_a_url",
  "1.2.3.4.5": "not_a_url",
  "127.0.0.0x": "address_not_public",
  localhost: "host_not_public",
  LOCALHOST: "host_not_public",
  "localhost.": "host_not_public",
  "app.localhost": "host_not_public",
  "app.localhost.": "host_not_public",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ": "host_not_public",
  "ｌｏｃａｌｈｏｓｔ": "host_not_public",
  "local%68ost": "host_not_public",
  intranet: "host_not_public",
  metadata: "host_not_public",
  "redis": "host_not_public",
  "hooks.example.com.": "host_not_public",
  "hooks..example.com": "host_not_public",
  "hooks.exa,mple.com": "host_not_public",
};

const publicUrls: Record<string, string> = {
  "https://hooks.example.com": "https://hooks.example.com/",
  "https://hooks.example.com/assay?tenant=7": "https://hooks.example.com/assay?tenant=7",
  "HTTPS://Hooks.Example.COM:443/A": "https://hooks.example.com/A",
  "https://hooks.example.com:8443/": "https://hooks.example.com:8443/",
  " https://hooks.example.com/ ": "https://hooks.example.com/",
  "https:\\\\hooks.example.com\\in": "https://hooks.example.com/in",
  "https://bücher.example/": "https://xn--bcher-kva.example/",
  "https://例え.テスト/": "https://xn--r8jz45g.xn--zckzah/",
  "https://under_score.example.com/": "https://under_score.example.com/",
  "https://93.184.215.14/": "https://93.184.215.14/",
  "https://1572394766/": "https://93.184.215.14/",
  "https://0x5db8d70e/": "https://93.184.215.14/",
  "https://８.８.８.８/": "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/": "https://[2606:4700:4700::1111]/",
  "https://[2606:4700:4700:0:0:0:0:1111]:8443/": "https://[2606:4700:4700::1111]:8443/",
  "https://[::ffff:93.184.215.14]/": "https://[::ffff:5db8:d70e]/",
  "https://[64:ff9b::93.184.215.14]/": "https://[64:ff9b::5db8:d70e]/",
  "https://127.0.0.1.nip.example/": "https://127.0.0.1.nip.example/",
};

describe("a receiver's URL", () => {
  it("with a host of the inside is refused in every notation [threat: ssrf]", () => {
    assert.ok(Object.keys(inside).length >= 80);
    for (const [host, reason] of Object.entries(inside)) assert.equal(read(`https://${host}/hook`), reason, host);
  });

  it("with a public host is accepted, and kept as it is used", () => {
    assert.ok(Object.keys(publicUrls).length >= 15);
    for (const [given, href] of Object.entries(publicUrls)) {
      assert.equal(read(given), href);
      assert.equal(read(href), href, "what is kept is accepted again");
    }
  });

  it("must be https, short, and without credentials and fragment", () => {
    for (const given of ["http://hooks.example.com/", "ftp://hooks.example.com/", "file:///etc/passwd", "gopher://127.0.0.1:6379/_x", "javascript:alert(1)", "data:,x", "unix:/run/x.sock", "http://localhost/", "http://127.0.0.1/"]) assert.equal(read(given), "not_https", given);
    for (const given of ["", "hooks.example.com", "//hooks.example.com", "https://", "https://hooks.example.com:99999/", "https://a b.example/", "https://ex%00ample.com/", "https://[x]/"]) assert.equal(read(given), "not_a_url", given);
    for (const given of ["https://me@hooks.example.com/", "https://me:pw@hooks.example.com/", "https://:pw@hooks.example.com/", "https://hooks.example.com:443@127.0.0.1/", "https://127.0.0.1@hooks.example.com/"]) assert.equal(read(given), "has_credentials", given);
    for (const given of ["https://hooks.example.com/#", "https://hooks.example.com/#a", "https://hooks.example.com#@127.0.0.1/"]) assert.equal(read(given), "has_fragment", given);
    assert.equal(read(`https://hooks.example.com/${"a".repeat(2_048 - 26)}`).length, 2_048);
    assert.equal(read(`https://hooks.example.com/${"a".repeat(2_048 - 25)}`), "too_long");
    assert.equal(read(`https://hooks.example.com/${"ä".repeat(1_000)}`), "too_long", "as it is kept");
    assert.equal(read(`https://${"a.".repeat(126)}example/`), "host_not_public");
    assert.equal(read(`https://${"a".repeat(64)}.example/`), "host_not_public");
  });

  it("has port 443 or 8443, so that no other service is spoken to [threat: ssrf]", () => {
    for (const port of [0, 1, 22, 25, 80, 444, 3_306, 5_432, 6_379, 8_080, 9_200, 11_211, 65_535]) {
      for (const host of ["hooks.example.com", "93.184.215.14", "[2606:4700:4700::1111]"]) assert.equal(read(`https://${host}:${port}/`), "port_not_allowed", host);
    }
  });

  it("may be http and have any port on this machine, where the installation serves this machine only", () => {
    for (const given of ["http://localhost:9000/", "http://127.0.0.1:9000/", "http://[::1]:9000/", "https://localhost:9000/", "http://app.localhost:3000/", "http://localhost/"]) assert.equal(read(given, local), given);
    assert.equal(read("http://2130706433:9000/", local), "http://127.0.0.1:9000/");
    for (const given of ["http://hooks.example.com/", "http://93.184.215.14/", "http://10.0.0.1/", "http://localhost.example.com/", "http://notlocalhost/", "http://0.0.0.0:9000/"]) assert.equal(read(given, local), "not_https", given);
    assert.equal(read("https://hooks.example.com:9000/", local), "port_not_allowed");
    assert.equal(read("http://localhost:0/", local), "port_not_allowed");
  });

  it("of operators may be within the ranges that the settings list, on any port, but only https", () => {
    for (const given of ["https://10.0.0.1:9000/", "https://receiver:9000/", "https://receiver.internal:9000/", "https://hooks.example.com/"]) assert.equal(read(given, operators), given);
    assert.equal(read("https://192.168.0.1/", operators), "address_not_public");
    assert.equal(read("http://10.0.0.1/", operators), "not_https");
    assert.equal(read("https://93.184.215.14:9000/", operators), "port_not_allowed");
    assert.equal(read("https://localhost/", operators), "host_not_public");
    assert.equal(read("https://receiver:0/", operators), "port_not_allowed");
  });

  it("is refused with a sentence that names what was expected, and repeats nothing of it", () => {
    for (const given of ["https://10.9.8.7/", "http://intern.example/", "https://a:secret@hooks.example.com/", "https://hooks.example.com:6379/"]) {
      const refused = readEndpointUrl(given, outside);
      assert(refused.kind === "refused");
      assert.match(refused.message, /^The .+\.$/);
      assert.doesNotMatch(refused.message, /10\.9|intern|secret|6379/);
    }
  });
});
