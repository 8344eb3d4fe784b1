import assert from "node:assert/strict";
import { it } from "node:test";
import { keySlot } from "./key-slot.ts";
import { readRedisUrl } from "./redis-url.ts";

it("one server is what it was before", () => {
  for (const url of ["redis://cache", "redis://:pass@cache:6380/3", "rediss://name:pass@cache", "redis://[::1]:6379"]) {
    assert.deepEqual(readRedisUrl(url), { mode: "single", url });
  }
});

it("Sentinels are followed by the primary's name, and by the database if it is not the first", () => {
  assert.deepEqual(readRedisUrl("redis+sentinel://one,two:26380,[::1]/main"), {
    mode: "sentinel",
    sentinels: [{ host: "one", port: 26_379 }, { host: "two", port: 26_380 }, { host: "::1", port: 26_379 }],
    primaryName: "main",
    db: 0,
    tls: false,
    sentinelCredentials: {},
  });
  assert.deepEqual(readRedisUrl("rediss+sentinel://name:p%40ss@one/my%20main/2?sentinel_username=watch&sentinel_password=s%26s"), {
    mode: "sentinel",
    sentinels: [{ host: "one", port: 26_379 }],
    primaryName: "my main",
    db: 2,
    tls: true,
    username: "name",
    password: "p@ss",
    sentinelCredentials: { username: "watch", password: "s&s" },
  });
});

it("a Cluster is named by some of its servers", () => {
  assert.deepEqual(readRedisUrl("redis+cluster://one:7000,two:7001/"), {
    mode: "cluster",
    seeds: [{ host: "one", port: 7_000 }, { host: "two", port: 7_001 }],
    tls: false,
  });
  assert.deepEqual(readRedisUrl("rediss+cluster://:pass@one"), { mode: "cluster", seeds: [{ host: "one", port: 6_379 }], tls: true, password: "pass" });
});

it("what is wrong with an address is one line that does not repeat it", () => {
  const wrong = [
    ["redis+sentinel://:hunter22@one:26379", /^must name the primary/],
    ["redis+sentinel://:hunter22@one:26379/", /^must name the primary/],
    ["redis+sentinel://:hunter22@one/main/first", /^must have the number of a database/],
    ["redis+sentinel://:hunter22@one/main/0/1", /^must have the number of a database/],
    ["redis+sentinel://:hunter22@one/main?password=hunter22", /^may have only sentinel_username and sentinel_password/],
    ["redis+sentinel://:hunter22%@one/main", /percent-encoded$/],
    ["redis+sentinel://:hunter22@one,,two/main", /^must have 1 to 100 hosts/],
    ["redis+cluster://:hunter22@one:70000", /^must have 1 to 100 hosts/],
    ["redis+cluster://:hunter22@one:7000/1", /^must end after the hosts/],
    ["redis+cluster://:hunter22@one:7000?hunter22", /^must end after the hosts/],
    ["redis+cluster://", /^is not an address of the form redis:/],
    ["redis+other://:hunter22@one", /^is not an address of the form redis:/],
    ["one,two", /^is not an address of the form redis:/],
    ["http://:hunter22@one", /^is not an address of the form redis:/],
  ] as const;
  for (const [url, line] of wrong) {
    const read = readRedisUrl(url);
    assert(typeof read === "string", url);
    assert.match(read, line, url);
    assert(!read.includes("hunter22") && !read.includes("\n"), read);
  }
});

it("the slot of a key is that of Redis", () => {
  // 0x31c3 is the check value of CRC-16/XMODEM; the others were printed by CLUSTER KEYSLOT.
  const slots = { "123456789": 0x31c3, "": 0, foo: 12_182, "limits:{acct_1}": 4_995, "{}foo": 9_500, "a{b}{c}": 3_300, "limits:{ä€}": 14_880 };
  for (const [key, slot] of Object.entries(slots)) assert.equal(keySlot(key), slot, key);
});
