/**
 * Three nodes behind nginx on PostgreSQL and Redis, under mixed load, with one fault after the other. CI runs the kept
 * seeds. The long form continues with new ones, and prints each seed first:
 *
 *   npm run test:faults -- many-nodes --minutes 20
 *   npm run test:faults -- many-nodes --seed 4711
 */
import { after, before, describe, it } from "node:test";
import { hasRedisServer } from "../access/start-redis.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { keptSeeds } from "./rig/kept-seeds.ts";
import { type LoadedInstallation, openLoadedInstallation, playEpisode, runEpisode } from "./rig/run-episode.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { whyNginxIsSkipped } from "./rig/start-nginx.ts";

const skip = whyPostgresIsSkipped() || whyNginxIsSkipped() || (hasRedisServer() ? false : "no redis-server");
/** Set by `npm run test:faults -- --minutes N`. */
const minutes = Number(process.env.ASSAY_TEST_MINUTES ?? 0);
const givenSeed = Number(process.env.ASSAY_TEST_SEED ?? 0);

/**
 * How long a process stays suspended. `long` exceeds each wait of a node: 10 s for a duplicate of a running call, and 5 s
 * for an answer of PostgreSQL followed by 5 s to find out what became of the batch. `short`, in CI, exceeds none but the
 * second after which PostgreSQL ends an idle transaction; stopped-node and cut-connection let the others run out.
 */
const stopMs = { short: 1_500, long: 15_000 };

describe("three nodes behind nginx neither lose nor duplicate money, whatever the fault", { skip }, () => {
  if (minutes === 0 && givenSeed === 0) {
    let loaded: LoadedInstallation;
    before(async () => {
      loaded = await openLoadedInstallation(keptSeeds[0]!.seed);
    });
    after(() => loaded?.close());
    for (const { seed, faults, stoppedMs = stopMs.short, why } of keptSeeds) {
      it(`seed ${seed}: ${why}`, (t) => playEpisode(loaded, { seed, faults, stoppedMs, log: (line) => t.diagnostic(line) }));
    }
    return;
  }
  const log = (line: string) => void process.stdout.write(`${line}\n`);
  const stoppedMs = stopMs.long;
  if (minutes === 0) it(`seed ${givenSeed}`, () => runEpisode({ seed: givenSeed, stoppedMs, log }));
  else {
    it(`for ${minutes} minutes`, async () => {
      const seeds = createSeededRandom();
      const deadline = performance.now() + minutes * 60_000;
      log(`ASSAY_TEST_SEED=${seeds.seed} with --minutes`);
      while (performance.now() < deadline) await runEpisode({ seed: seeds.between(1, 2 ** 31), stoppedMs, log });
    });
  }
});
