import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createNetworkWindows, siteOf } from "./limit-networks.ts";
import { networkOf } from "./throttle-rule.ts";

const quota = { perHour: 100, perMinute: 10 };

/** How many of so many requests are let in, each from the next address. */
function open() {
  const clock = { nowMs: 0 };
  const consume = createNetworkWindows({ quota, nowMs: () => clock.nowMs });
  const admitted = (count: number, addressOf: (nth: number) => string) => Array.from({ length: count }, (_, nth) => consume(addressOf(nth))).filter(({ allowed }) => allowed).length;
  return { clock, consume, admitted };
}

const hex = (nth: number) => nth.toString(16);

describe("windows of networks", () => {
  it("are for each IPv4 address, and say when to come back [threat: tile-flood]", () => {
    const { clock, consume, admitted } = open();
    assert.equal(admitted(30, () => "203.0.113.1"), 10);
    assert.equal(admitted(30, () => "::ffff:203.0.113.1"), 0, "the same address in another notation");
    assert.equal(admitted(10, () => "203.0.113.2"), 10, "another network is not concerned");
    const refused = consume("203.0.113.1");
    assert.ok(!refused.allowed && refused.limit === "burst" && refused.retryAfterSeconds >= 60 && refused.retryAfterSeconds <= 61);
    clock.nowMs += refused.retryAfterSeconds * 1_000;
    assert.equal(consume("203.0.113.1").allowed, true);
    for (let minute = 0; minute < 20; minute += 1) {
      clock.nowMs += 61_000;
      admitted(10, () => "203.0.113.1");
    }
    const hourly = consume("203.0.113.1");
    assert.ok(!hourly.allowed && hourly.limit === "hour");
  });

  it("are for an IPv6 /64, and for all of a /48 together, however many /64s it has [threat: tile-flood]", () => {
    const { admitted } = open();
    assert.equal(admitted(30, (nth) => `2001:db8:1:1::${hex(nth)}`), 10);
    assert.equal(admitted(40, (nth) => `2001:db8:1:2::${hex(nth)}`), 10, "a neighbour in the /48 is not concerned");
    assert.equal(admitted(20_000, (nth) => `2001:db8:1:${hex(nth + 3)}::1`), 20, "forty of the /48 in all: more /64s than are remembered do not reset it");
    assert.equal(admitted(10, () => "2001:db8:2:1::1"), 10, "another /48 is not concerned");
  });

  it("take nothing from a /48 for what is refused of one /64", () => {
    const { admitted } = open();
    assert.equal(admitted(1_000, () => "2001:db8:1:1::1"), 10);
    assert.equal(admitted(30, (nth) => `2001:db8:1:${hex(2 + Math.floor(nth / 10))}::1`), 30);
  });

  it("are remembered without the headers that the addresses were read from [threat: tile-flood]", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { consume } = open();
    const headerBytes = 14_000;
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let nth = 0; nth < 4_000; nth += 1) {
      const header = Buffer.from(`${"1".repeat(headerBytes)}, 203.113.${100 + (nth >> 7)}.${100 + (nth & 127)}`).toString("latin1");
      consume(header.slice(headerBytes + 2));
    }
    collect();
    const grown = process.memoryUsage().heapUsed - before;
    assert.ok(grown < 12_000_000, `${grown} bytes are remembered`);
    assert.equal(consume("203.113.100.100").allowed, true);
  });

  it("know the /48 of every spelling of a /64", () => {
    for (const address of ["2001:db8:0:5::1", "2001:db8::5:0:0:0:1", "2001:0DB8:0000:0005:0:0:0:1"]) assert.equal(siteOf(networkOf(address)), "2001:db8:0::/48", address);
    assert.equal(siteOf(networkOf("203.0.113.1")), undefined);
  });
});
