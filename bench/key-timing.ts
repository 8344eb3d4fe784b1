// Timing side channel: does the time of a refusal reveal how much of a key was guessed?  node bench/key-timing.ts [--guesses N]
// Guesses share more and more characters with valid keys, or with well-formed keys that do not exist, in random order.
// Only a difference between the two would be a leak: the prefix alone affects parsing time a little in both cases.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAuthenticator } from "../apps/api/src/access/keys/authenticate-key.ts";
import { makeKey, prefixOf, withChecksum } from "../apps/api/src/access/keys/key-format.ts";
import { issueKey } from "../apps/api/src/access/keys/issue-key.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { makeAccount } from "../apps/api/test/make-account.ts";
import { median } from "./median.ts";

const { values } = parseArgs({ options: { guesses: { type: "string", default: "20000" } } });
const guesses = Number(values.guesses);
const warmUp = Math.min(guesses, 2_000);
/** Enough that differences between individual keys average out. */
const textsOfAKind = 500;
const from = { ip: "127.0.0.1" };
const secretEnd = prefixOf.live.length + 32;
/** The slowest tenth is dropped: it measures the scheduler and the garbage collector. */
const shareKept = 0.9;
/** Above this t value two means differ significantly (by chance about once in 15,000 comparisons). */
const tMax = 4;

type Group = { shared: number; isReal: boolean; storeNs: number[]; againNs: number[] };
/** At least four characters differ: guesses with fewer differences would repeat, and repeated guesses are cached as unknown. */
const sharedCounts = [0, 1, 8, 16, 24, 28];
const groups: Group[] = sharedCounts.flatMap((shared) => [true, false].map((isReal) => ({ shared, isReal, storeNs: [], againNs: [] })));

/** A well-formed key that shares exactly `shared` leading characters of the secret with `text`. */
function guessOf(text: string, shared: number): string {
  const end = prefixOf.live.length + shared;
  while (true) {
    const other = makeKey("live");
    if (other[end] === text[end]) continue;
    // Decoded from bytes, as from a connection: a concatenated string is a rope, which takes longer to read.
    return Buffer.from(withChecksum(text.slice(0, end) + other.slice(end, secretEnd)), "latin1").toString("latin1");
  }
}

function summarize(times: number[]): { mean: number; variance: number; count: number } {
  const some = times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * shareKept));
  const mean = some.reduce((sum, each) => sum + each, 0) / some.length;
  return { mean, count: some.length, variance: some.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (some.length - 1) };
}

/** Welch's t: the difference of the means in standard errors. */
function tOf(left: number[], right: number[]): number {
  const [a, b] = [summarize(left), summarize(right)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

const folder = mkdtempSync(join(tmpdir(), "assay-key-timing-"));
try {
  const storeSettings = { databaseUrl: undefined, dataDir: folder };
  const { store } = await openStore(storeSettings, { nowMs: Date.now(), onConnectionError: () => {} });
  const { accountId } = await makeAccount(store, { nowMs: Date.now() });
  const keys = await Promise.all(Array.from({ length: textsOfAKind }, () => issueKey(store, { accountId, mode: "live", name: "bench", nowMs: Date.now() })));
  const texts = { real: keys.map(({ key }) => key), none: keys.map(() => makeKey("live")) };
  const authenticator = createAuthenticator(store, { nowMs: Date.now, monotonicMs: () => performance.now() });
  /** As the service does while its revocation feed is fresh: only then are valid keys looked up in the cache. */
  const refreshFeed = () => authenticator.changesAppliedUpTo(performance.now());

  const time = async (guess: string): Promise<number> => {
    const startedNs = process.hrtime.bigint();
    const caller = authenticator.authenticate(guess, from);
    if ((caller instanceof Promise ? await caller : caller) !== undefined) throw new Error("a guess was accepted");
    return Number(process.hrtime.bigint() - startedNs);
  };
  refreshFeed();
  for (const key of texts.real) {
    if ((await authenticator.authenticate(key, from)) === undefined) throw new Error("a valid key was refused");
  }
  for (let round = 0; round < guesses + warmUp; round += 1) {
    const order = groups.map((group) => ({ group, at: randomInt(2 ** 32) })).toSorted((a, b) => a.at - b.at);
    for (const { group } of order) {
      refreshFeed();
      const guess = guessOf(texts[group.isReal ? "real" : "none"][randomInt(textsOfAKind)]!, group.shared);
      const storeNs = await time(guess);
      const againNs = await time(guess);
      if (round < warmUp) continue;
      group.storeNs.push(storeNs);
      group.againNs.push(againNs);
    }
  }
  await store.close();

  console.log(`${guesses} guesses of each kind in random order, SQLite; |t| up to ${tMax} is not significant`);
  console.log("                       store lookup, median µs              cached as unknown, median µs");
  console.log("shared characters      of a key      of none        t      of a key      of none        t");
  for (const shared of sharedCounts) {
    const [real, none] = [true, false].map((isReal) => groups.find((group) => group.shared === shared && group.isReal === isReal)!) as [Group, Group];
    const us = (times: number[]) => (median(times) / 1_000).toFixed(2);
    const cells = [
      String(shared).padStart(17),
      us(real.storeNs).padStart(15),
      us(none.storeNs).padStart(12),
      tOf(real.storeNs, none.storeNs).toFixed(1).padStart(6),
      us(real.againNs).padStart(15),
      us(none.againNs).padStart(12),
      tOf(real.againNs, none.againNs).toFixed(1).padStart(6),
    ];
    console.log(cells.join(" "));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
