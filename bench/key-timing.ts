// Whether the time that a refusal takes tells how much of a key was guessed:  node bench/key-timing.ts
// Guesses share more and more of a real key, in random order. Two groups share nothing: what lies between those is chance.
import { randomInt } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAuthenticator } from "../apps/api/src/keys/authenticate-key.ts";
import { makeKey, prefixOf, withChecksum } from "../apps/api/src/keys/key-format.ts";
import { openStore } from "../apps/api/src/store/open-store.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";

const { values } = parseArgs({ options: { guesses: { type: "string", default: "20000" } } });
const guesses = Number(values.guesses);
const warmUp = 2_000;
const from = { ip: "127.0.0.1" };
const secretEnd = prefixOf.live.length + 32;
/** What the scheduler or a collection added to the slowest tenth says nothing of keys. */
const kept = 0.9;
/** Beyond this, two means are held to differ by more than chance (about one in 15,000 would by chance). */
const tMax = 4;

type Group = { shared: number; storeNs: number[]; againNs: number[] };
/** Four characters are always missing: the few guesses that are one away would be asked again and again, and be known to be unknown. */
const groups: Group[] = [0, 0, 1, 8, 16, 24, 28].map((shared) => ({ shared, storeNs: [], againNs: [] }));

/** Shares so many characters of the secret, and no more; as well-formed as the real one. */
function guessOf(key: string, shared: number): string {
  const end = prefixOf.live.length + shared;
  while (true) {
    const other = makeKey("live");
    if (other[end] !== key[end]) return withChecksum(key.slice(0, end) + other.slice(end, secretEnd));
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
  const key = await prepareAccount(place);
  const { store } = await openStore(place, { nowMs: Date.now(), onConnectionError: () => {} });
  const authenticator = createAuthenticator(store, { nowMs: Date.now, monotonicMs: () => performance.now() });
  /** As the service does while it hears of revocations: only then is the real key looked for among those known by heart. */
  const hearNews = () => authenticator.newsHeard(performance.now());

  const time = async (guess: string): Promise<number> => {
    const startedNs = process.hrtime.bigint();
    const caller = authenticator.authenticate(guess, from);
    if ((caller instanceof Promise ? await caller : caller) !== undefined) throw new Error("a guess was right");
    return Number(process.hrtime.bigint() - startedNs);
  };
  hearNews();
  if ((await authenticator.authenticate(key, from)) === undefined) throw new Error("the real key is not known");
  for (let round = 0; round < guesses + warmUp; round += 1) {
    const order = groups.map((group) => ({ group, at: randomInt(2 ** 32) })).toSorted((a, b) => a.at - b.at);
    for (const { group } of order) {
      hearNews();
      const guess = guessOf(key, group.shared);
      const storeNs = await time(guess);
      const againNs = await time(guess);
      if (round < warmUp) continue;
      group.storeNs.push(storeNs);
      group.againNs.push(againNs);
    }
  }
  await store.close();

  console.log(`${guesses} guesses of each kind, in random order, embedded store; t against the first line, chance up to ±${tMax}`);
  console.log("characters shared   asked of the store: median µs      t     known to be unknown: median µs      t");
  const [base] = groups as [Group];
  for (const group of groups) {
    const us = (times: number[]) => (median(times) / 1_000).toFixed(2);
    const t = (times: number[], than: number[]) => (group === base ? "" : tOf(times, than).toFixed(1));
    console.log(
      [
        String(group.shared).padStart(17),
        us(group.storeNs).padStart(31),
        t(group.storeNs, base.storeNs).padStart(6),
        us(group.againNs).padStart(35),
        t(group.againNs, base.againNs).padStart(6),
      ].join(" "),
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
