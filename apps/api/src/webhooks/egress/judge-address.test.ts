import assert from "node:assert/strict";
import fc from "fast-check";
import { BlockList } from "node:net";
import { describe, it } from "node:test";
import { judgeAddress, normalizeAddress, readPrivateRange, type Scope } from "./judge-address.ts";

const outside: Scope = { allowLoopback: false, privateRanges: [] };
const judge = (address: string, scope: Scope = outside) => judgeAddress(address, scope);

/** IANA's registry of special addresses, and what we add: the first address, bits, and what it is. */
const special4: [string, number, string][] = [
  ["0.0.0.0", 8, "this network"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "carrier-grade NAT"],
  ["127.0.0.0", 8, "loopback"],
  ["169.254.0.0", 16, "link-local"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "protocol assignments"],
  ["192.0.2.0", 24, "documentation"],
  ["192.31.196.0", 24, "AS112"],
  ["192.52.193.0", 24, "AMT"],
  ["192.88.99.0", 24, "6to4 relays"],
  ["192.168.0.0", 16, "private"],
  ["192.175.48.0", 24, "AS112"],
  ["198.18.0.0", 15, "benchmarking"],
  ["198.51.100.0", 24, "documentation"],
  ["203.0.113.0", 24, "documentation"],
  ["224.0.0.0", 4, "multicast"],
  ["240.0.0.0", 4, "reserved, and broadcast"],
  ["168.63.129.16", 32, "Azure's own services"],
];

const special6: [string, number, string][] = [
  ["::", 128, "unspecified"],
  ["::1", 128, "loopback"],
  ["::", 96, "IPv4-compatible"],
  ["::ffff:0:0:0", 96, "IPv4-translated"],
  ["64:ff9b:1::", 48, "local NAT64"],
  ["100::", 64, "discard"],
  ["100:0:0:1::", 64, "dummy"],
  ["2001::", 23, "IETF"],
  ["2001::", 32, "Teredo"],
  ["2001:2::", 48, "benchmarking"],
  ["2001:20::", 28, "ORCHID"],
  ["2001:db8::", 32, "documentation"],
  ["2002::", 16, "6to4"],
  ["2620:4f:8000::", 48, "AS112"],
  ["3fff::", 20, "documentation"],
  ["4000::", 3, "not handed out"],
  ["5f00::", 16, "segment routing"],
  ["8000::", 2, "not handed out"],
  ["fc00::", 7, "unique local"],
  ["fe80::", 10, "link-local"],
  ["fec0::", 10, "site-local"],
  ["ff00::", 8, "multicast"],
];

const toBits = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
const to4 = (bits: bigint): string => [24n, 16n, 8n, 0n].map((shift) => Number((bits >> shift) & 0xffn)).join(".");
const to6 = (bits: bigint): string => Array.from({ length: 8 }, (_, at) => ((bits >> BigInt(112 - 16 * at)) & 0xffffn).toString(16)).join(":");
/** With the last four bytes in dots, as some resolvers write them. */
const to6Dotted = (bits: bigint): string => `${to6(bits).split(":").slice(0, 6).join(":")}:${to4(bits & 0xffff_ffffn)}`;
const from4 = (address: string): bigint => toBits(address.split(".").map(Number));
const from6 = (address: string): bigint => {
  const [head = [], tail = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
  return groups.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
};

/** An address of the range, by chance. */
const within = ([start, bits]: readonly [string, number, ...unknown[]], width: 32 | 128) => {
  const free = BigInt(width - bits);
  const first = width === 32 ? from4(start) : from6(start);
  return fc.bigInt({ min: 0n, max: (1n << free) - 1n }).map((rest) => first | rest);
};
const special4Bits = fc.oneof(...special4.map((range) => within(range, 32)));

const isSpecial4 = new BlockList();
for (const [start, bits] of special4) isSpecial4.addSubnet(start, bits, "ipv4");

/** All ways to write an IPv4 address into an IPv6 address. */
const embeddings: Record<string, (v4: bigint) => bigint> = {
  mapped: (v4) => (0xffffn << 32n) | v4,
  compatible: (v4) => v4,
  translated: (v4) => (0xffffn << 48n) | v4,
  "NAT64": (v4) => from6("64:ff9b::") | v4,
  "local NAT64": (v4) => from6("64:ff9b:1::") | v4,
  "6to4": (v4) => from6("2002::") | (v4 << 80n) | 1n,
  "Teredo's server": (v4) => from6("2001::") | (v4 << 64n),
  "Teredo's client": (v4) => from6("2001::") | (v4 ^ 0xffff_ffffn),
  ISATAP: (v4) => from6("2a00:1450:4001:82b::") | (0x5efen << 32n) | v4,
  "ISATAP of a global address": (v4) => from6("2a00:1450:4001:82b::") | (0x0200_5efen << 32n) | v4,
};

describe("an address", () => {
  it("of every special range is refused at its start, at its end and in between [threat: ssrf]", () => {
    for (const [ranges, width, print] of [[special4, 32, to4], [special6, 128, to6]] as const) {
      for (const range of ranges) {
        const [start, bits, what] = range;
        const first = width === 32 ? from4(start) : from6(start);
        const last = first | ((1n << BigInt(width - bits)) - 1n);
        for (const address of [first, last]) assert.equal(judge(print(address)), "refused", `${what}: ${print(address)}`);
        fc.assert(fc.property(within(range, width), (inside) => judge(print(inside)) === "refused"), { numRuns: 50 });
      }
    }
  });

  it("is public exactly where no special range has it [threat: ssrf]", () => {
    const any = fc.oneof(fc.bigInt({ min: 0n, max: 0xffff_ffffn }), special4Bits);
    fc.assert(fc.property(any, (bits) => (judge(to4(bits)) === "public") === !isSpecial4.check(to4(bits), "ipv4")), { numRuns: 3_000 });
    // The neighbours of every range, if they are in no other.
    for (const [start, bits] of special4) {
      for (const neighbour of [from4(start) - 1n, from4(start) + (1n << BigInt(32 - bits))]) {
        if (neighbour < 0n || neighbour > 0xffff_ffffn) continue;
        assert.equal(judge(to4(neighbour)), isSpecial4.check(to4(neighbour), "ipv4") ? "refused" : "public", to4(neighbour));
      }
    }
  });

  it("of IPv6 with a special IPv4 address inside is refused, however it is embedded [threat: ssrf]", () => {
    for (const [name, embed] of Object.entries(embeddings)) {
      fc.assert(fc.property(special4Bits, fc.constantFrom(to6, to6Dotted), (v4, print) => judge(print(embed(v4))) === "refused"), { numRuns: 500 });
      for (const address of ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "255.255.255.255"]) {
        for (const print of [to6, to6Dotted]) assert.equal(judge(print(embed(from4(address)))), "refused", `${name}: ${address}`);
      }
    }
  });

  it("of IPv6 is public only within 2000::/3, or if it stands for a public IPv4 address", () => {
    const sample = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), ...special6.map((range) => within(range, 128)), ...Object.values(embeddings).map((embed) => special4Bits.map(embed)));
    fc.assert(fc.property(sample, (bits) => judge(to6(bits)) === "refused" || (judge(to6(bits)) === "public" && bits >> 125n === 1n) || bits >> 32n === 0xffffn || bits >> 32n === from6("64:ff9b::") >> 32n), { numRuns: 3_000 });
    for (const embed of [embeddings.mapped!, embeddings.NAT64!]) assert.equal(judge(to6(embed(from4("93.184.215.14")))), "public");
    for (const address of ["2606:4700:4700::1111", "2a00:1450:4001:82b::200e", "2001:4860:4860::8888", "2001:200::1", "2400:cb00::1", "2003::1", "3ffe::1"]) assert.equal(judge(address), "public", address);
  });

  it("with a zone, in brackets or in another notation than resolvers use is none", () => {
    for (const text of ["", "::1%lo", "fe80::1%eth0", "2606:4700::1%eth0", "[2606:4700::1]", "2130706433", "0x7f.1", "134744072", "010.8.8.8", "8.8.8", "8.8.8.8.", "8.8.8.8/32", " 8.8.8.8", "example.com", "１.1.1.1"]) {
      assert.equal(judge(text), "refused", text);
      assert.equal(normalizeAddress(text), undefined, text);
    }
    assert.equal(normalizeAddress("::ffff:8.8.8.8"), "8.8.8.8");
    // An IPv4-compatible address is not the IPv4 address.
    for (const text of ["::8.8.8.8", "::808:808", "0:0:0:0:0:0:8.8.8.8"]) assert.equal(judge(text), "refused", text);
    assert.notEqual(normalizeAddress("::8.8.8.8"), normalizeAddress("8.8.8.8"));
  });
});

describe("a scope", () => {
  it("that allows loopback allows nothing else of the inside", () => {
    const scope: Scope = { allowLoopback: true, privateRanges: [] };
    for (const address of ["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"]) assert.equal(judge(address, scope), "loopback", address);
    for (const address of ["0.0.0.0", "::", "10.0.0.1", "169.254.169.254", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1", "fc00::1"]) assert.equal(judge(address, scope), "refused", address);
  });

  it("with private ranges allows them, and never instance metadata, loopback or a translator's way to them [threat: ssrf]", () => {
    const ranges = ["10.1.0.0/16", "192.168.7.9", "100.64.0.0/10", "fd00::/8"].map((text) => readPrivateRange(text)!);
    const scope: Scope = { allowLoopback: false, privateRanges: ranges };
    for (const address of ["10.1.0.0", "10.1.255.255", "192.168.7.9", "::ffff:10.1.2.3", "fd12::1", "100.64.0.1"]) assert.equal(judge(address, scope), "private_range", address);
    for (const address of ["10.2.0.0", "10.0.255.255", "192.168.7.8", "127.0.0.1", "fc00::1", "64:ff9b::a01:203", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "169.254.169.254"]) assert.equal(judge(address, scope), "refused", address);
    assert.equal(judge("93.184.215.14", scope), "public");
  });

  it("is made only of ranges of private addresses", () => {
    const ranges = ["0.0.0.0/0", "::/0", "10.0.0.0/7", "127.0.0.0/8", "127.0.0.1", "::1", "169.254.0.0/16", "169.254.169.254", "fe80::/10", "8.8.8.8", "8.0.0.0/8", "::ffff:10.0.0.0/104", "fc00::/6", "224.0.0.0/4", "0.0.0.0/8", "text"];
    for (const range of ranges) assert.equal(readPrivateRange(range), undefined, range);
  });
});
