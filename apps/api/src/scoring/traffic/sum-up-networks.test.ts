import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sumUpNetworkDays, sumUpNetworks } from "./sum-up-networks.ts";

const monday = Date.UTC(2026, 4, 4);
const tuesday = Date.UTC(2026, 4, 5);

const rows = [
  { day: monday, calls: 90, networks: 40, top_calls: 9 },
  { day: monday, calls: 10, networks: 10, top_calls: 1 },
  { day: tuesday, calls: 300, networks: 3, top_calls: 270 },
];

describe("networks of attested calls", () => {
  it("are summed up by day: calls of all processes, the networks of the one that saw most", () => {
    assert.deepEqual(sumUpNetworkDays(rows), [
      { day: monday, calls: 100, networks: 40, topCalls: 10, parts: 2 },
      { day: tuesday, calls: 300, networks: 3, topCalls: 270, parts: 1 },
    ]);
  });

  it("of many days: a day with more calls weighs more, and networks are those of the best day", () => {
    assert.deepEqual(sumUpNetworks(rows), { calls: 400, networks: 40, top_share: 0.7 });
  });

  it("are unknown without attested calls", () => {
    assert.equal(sumUpNetworks([]), null);
    assert.equal(sumUpNetworks([{ day: monday, calls: 0, networks: 0, top_calls: 0 }]), null);
  });
});
