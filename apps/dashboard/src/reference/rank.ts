/** One thing that can be found: an operation, a field, a header, an error, an event or a section. */
export type Place = { id: string; name: string; where: string; text: string; kind: string };

const weights = { exact: 100, start: 60, word: 40, inside: 25, text: 6 };
const kindWeights: Readonly<Record<string, number>> = { section: 9, call: 8, error: 7, event: 6, header: 3 };

function weigh(term: string, { name, where, text }: Place): number {
  const lower = name.toLowerCase();
  if (lower === term) return weights.exact;
  if (lower.startsWith(term)) return weights.start;
  if (lower.split(/[^a-z0-9]+/).some((word) => word.startsWith(term))) return weights.word;
  if (lower.includes(term) || where.toLowerCase().includes(term)) return weights.inside;
  return text.toLowerCase().includes(term) ? weights.text : 0;
}

/** The best places that have every word of the query. */
export function rank(places: readonly Place[], query: string, countMax: number): Place[] {
  const terms = query.toLowerCase().split(/\s+/).filter((term) => term !== "");
  if (terms.length === 0) return [];
  return places
    .map((place) => ({ place, found: terms.map((term) => weigh(term, place)) }))
    .filter(({ found }) => found.every((weight) => weight > 0))
    .map(({ place, found }) => ({ place, weight: found.reduce((sum, each) => sum + each, kindWeights[place.kind] ?? 0) }))
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, countMax)
    .map(({ place }) => place);
}
