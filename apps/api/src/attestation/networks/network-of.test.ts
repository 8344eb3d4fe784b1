import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { networkOf } from "./network-of.ts";

const hex = (address: string): string | undefined => {
  const network = networkOf(address);
  return network && Buffer.from(network).toString("hex");
};

describe("the network of an address", () => {
  it("is an IPv4 address's first 24 bits, however it is written", () => {
    for (const address of ["203.0.113.77", "203.0.113.0", "203.0.113.255", "::ffff:203.0.113.77", "::ffff:cb00:714d", "0:0:0:0:0:ffff:203.0.113.77"]) assert.equal(hex(address), "04cb007100000000", address);
    assert.notEqual(hex("203.0.114.77"), hex("203.0.113.77"));
  });

  it("is an IPv6 address's first 48 bits, however it is written", () => {
    for (const address of ["2001:db8:85a3:8d3::1", "2001:DB8:85A3::", "2001:0db8:85a3:ffff:ffff:ffff:ffff:ffff", "2001:db8:85a3::1%eth0"]) assert.equal(hex(address), "0620010db885a300", address);
    assert.notEqual(hex("2001:db8:85a4::1"), hex("2001:db8:85a3::1"));
  });

  it("never mixes the two kinds up", () => {
    assert.notEqual(hex("cb00:7100::"), hex("203.0.113.0"));
    assert.notEqual(hex("::1"), hex("0.0.0.1"));
  });

  it("is unknown for a text that is no address", () => {
    for (const text of ["", "unknown", "localhost", "203.0.113.77:80", "[2001:db8::1]", "%", "::1::", "🙂"]) assert.equal(networkOf(text), undefined, text);
  });
});
