import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Place, placesForFailing, placesMax, placesPerAudience, placesPerEndpoint, sharePlaces } from "./share-places.ts";

const place = fc.record({ endpoint: fc.nat({ max: 40 }), failing: fc.boolean() }).map(({ endpoint, failing }): Place => ({ endpointId: `wh_${endpoint}`, audience: `acct_${endpoint % 7}`, isFailing: failing }));
const most = (places: readonly Place[], keyOf: (place: Place) => string): number => Math.max(0, ...[...Map.groupBy(places, keyOf).values()].map((each) => each.length));

describe("places of a node", () => {
  it("never exceed a bound, whatever is under way", () => {
    fc.assert(
      fc.property(fc.array(place, { maxLength: 10 }), fc.uniqueArray(place, { maxLength: 60, selector: ({ endpointId }) => endpointId }), (underWay, candidates) => {
        const shares = sharePlaces(underWay, candidates);
        const given = shares.flatMap(({ endpointId, places }) => Array.from({ length: places }, () => candidates.find((each) => each.endpointId === endpointId)!));
        const before = { endpoint: most(underWay, ({ endpointId }) => endpointId), audience: most(underWay, ({ audience }) => audience) };
        const all = [...underWay, ...given];
        assert(all.length <= placesMax);
        assert(most(all, ({ endpointId }) => endpointId) <= Math.max(placesPerEndpoint, before.endpoint));
        assert(most(all, ({ audience }) => audience) <= Math.max(placesPerAudience, before.audience));
        assert(all.filter(({ isFailing }) => isFailing).length <= Math.max(placesForFailing, underWay.filter(({ isFailing }) => isFailing).length));
      }),
    );
  });

  it("go to one delivery of each endpoint before any gets a second one", () => {
    const candidates = Array.from({ length: 30 }, (_, nth): Place => ({ endpointId: `wh_${nth}`, audience: `acct_${nth}`, isFailing: false }));
    const shares = sharePlaces([], candidates);
    assert.deepEqual([shares.length, shares.filter(({ places }) => places === 2).length], [30, 2]);
  });
});
