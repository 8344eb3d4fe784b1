// Whether the time that a refusal takes tells how much of a key was guessed:  node bench/key-timing.ts
// Guesses share more and more characters with real keys, or with texts like them that are none, in random order. Only a
// difference between the two would help anybody: how a text begins makes it a little quicker or slower to read in any case.
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
const warmUp = 2_000;
/** So many that what they are made of evens out. */
const textsOfAKind = 500;
const from = { ip: "127.0.0.1" };
const secretEnd = prefixOf.live.length + 32;
/** What the scheduler or a collection added to the slowest tenth says nothing of keys. */
const kept = 0.9;
/** Beyond this, two means are held to differ by more than chance (about one in 15,000 would by chance). */
const tMax = 4;

type Group = { shared: number; isReal: boolean; storeNs: number[]; againNs: number[] };
/** Four characters are always missing: the few guesses that are one away would be asked again and again, and be known to be unknown. */
const sharedCounts = [0, 1, 8, 16, 24, 28];
const groups: Group[] = sharedCounts.flatMap((shared) => [true, false].map((isReal) => ({ shared, isReal, storeNs: [], againNs: [] })));

/** Shares so many characters of the secret, and no more; as well-formed as the real one. */
function guessOf(text: string, shared: number): string {
  const end = prefixOf.live.length + shared;
  while (true) {
    const other = makeKey("live");
    if (other[end] === text[end]) continue;
    // Read anew, as from a connection: a text that is put together out of others is looked at piece by piece, and takes longer.
    return Buffer.from(withChecksum(text.slice(0, end) + other.slice(end, secretEnd)), "latin1").toString("latin1");
  }
}

function spreadOf(times: number[]): { mean: number; variance: number; count: number } {
  const some = times.toSorted((a, b) => a - b).slice(0, Math.floor(times.length * kept));
  const mean = some.reduce((sum, each) => sum + each, 0) / some.length;
  return { mean, count: some.length, variance: some.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (some.length - 1) };
}

/** Welch's: by how many standard errors the means differ. */
function tOf(left: number[], right: number[]): number {
  const [a, b] = [spreadOf(left), spreadOf(right)];
  return (a.mean - b.mean) / Math.sqrt(a.variance / a.count + b.variance / b.count);
}

const folder = mkdtempSync(join(tmpdir(), "assay-key-timing-"));
try {
  const place = { databaseUrl: undefined, dataDir: folder };
  const { store } = await openStore(place, { nowMs: Date.now(), onConnectionError: () => {} });
  const { accountId } = await makeAccount(store, { nowMs: Date.now() });
  const keys = await Promise.all(Array.from({ length: textsOfAKind }, () => issueKey(store, { accountId, mode: "live", name: "bench", nowMs: Date.now() })));
  const texts = { real: keys.map(({ key }) => key), none: keys.map(() => makeKey("live")) };
  const authenticator = createAuthenticator(store, { nowMs: Date.now, monotonicMs: () => performance.now() });
  /** As the service does while it hears of revocations: only then is the real key looked for among those known by heart. */
  const hearNews = () => authenticator.changesAppliedUpTo(performance.now());

  const time = async (guess: string): Promise<number> => {
    const startedNs = process.hrtime.bigint();
    const caller = authenticator.authenticate(guess, from);
    if ((caller instanceof Promise ? await caller : caller) !== undefined) throw new Error("a guess was right");
    return Number(process.hrtime.bigint() - startedNs);
  };
  hearNews();
  for (const key of texts.real) {
    if ((await authenticator.authenticate(key, from)) === undefined) throw new Error("a real key is not known");
  }
  for (let round = 0; round < guesses + warmUp; round += 1) {
    const order = groups.map((group) => ({ group, at: randomInt(2 ** 32) })).toSorted((a, b) => a.at - b.at);
    for (const { group } of order) {
      hearNews();
      const guess = guessOf(texts[group.isReal ? "real" : "none"][randomInt(textsOfAKind)]!, group.shared);
      const storeNs = await time(guess);
      const againNs = await time(guess);
      if (round < warmUp) continue;
      group.storeNs.push(storeNs);
      group.againNs.push(againNs);
    }
  }
  await store.close();

  console.log(`${guesses} guesses of each kind, in random order, embedded store; |t| up to ${tMax} is chance`);
  console.log("                       asked of the store, median µs        known to be unknown, median µs");
  console.log("characters shared      with a key    with none      t      with a key    with none      t");
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
