/** Which endpoints get the free places of a node, so that no endpoint, account or outage takes them all. */

/** Attempts under way at the same time, per node. */
export const placesMax = 32;
export const placesPerEndpoint = 2;
/** All endpoints of one account, or of the operators, together. */
export const placesPerAudience = 8;
/** All endpoints together whose last attempt failed: they may hang until the deadline. */
export const placesForFailing = 8;

export type Place = { endpointId: string; audience: string; isFailing: boolean };

/** What is full, so that a query can leave it out. */
export type Taken = { endpointIds: string[]; audiences: string[]; freePlaces: number; freeForFailing: number };

function countBy(places: Iterable<Place>, keyOf: (place: Place) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const place of places) counts.set(keyOf(place), (counts.get(keyOf(place)) ?? 0) + 1);
  return counts;
}

const fullOnes = (counts: ReadonlyMap<string, number>, max: number): string[] => [...counts].filter(([, count]) => count >= max).map(([key]) => key);

export function takenOf(places: readonly Place[]): Taken {
  return {
    endpointIds: fullOnes(countBy(places, ({ endpointId }) => endpointId), placesPerEndpoint),
    audiences: fullOnes(countBy(places, ({ audience }) => audience), placesPerAudience),
    freePlaces: placesMax - places.length,
    freeForFailing: placesForFailing - places.filter(({ isFailing }) => isFailing).length,
  };
}

/** Takes the candidates in their order, as far as every bound allows. */
export function sharePlaces(places: readonly Place[], candidates: readonly Place[]): { endpointId: string; places: number }[] {
  const all = [...places];
  const shares = new Map(candidates.map(({ endpointId }) => [endpointId, 0]));
  // One each before any gets a second one.
  for (let nth = 0; nth < placesPerEndpoint; nth += 1) {
    for (const candidate of candidates) {
      const { endpointId, audience, isFailing } = candidate;
      const taken = takenOf(all);
      if (taken.freePlaces <= 0) break;
      const isFull = taken.endpointIds.includes(endpointId) || taken.audiences.includes(audience) || (isFailing && taken.freeForFailing <= 0);
      if (isFull) continue;
      all.push(candidate);
      shares.set(endpointId, shares.get(endpointId)! + 1);
    }
  }
  return [...shares].map(([endpointId, count]) => ({ endpointId, places: count })).filter((share) => share.places > 0);
}
