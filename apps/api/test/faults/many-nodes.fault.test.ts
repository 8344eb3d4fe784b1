/**
 * Three nodes behind nginx on PostgreSQL and Redis, under mixed load, while one fault after the other happens to
 * them. In CI: the kept seeds. The long form goes on with new ones, and each prints its seed first:
 *
 *   npm run test:faults -- many-nodes --minutes 20
 *   npm run test:faults -- many-nodes --seed 4711
 */
import { after, before, describe, it } from "node:test";
import { hasRedisServer } from "../access/start-redis.ts";
import { whyPostgresIsSkipped } from "../start-postgres.ts";
import { keptSeeds } from "./rig/kept-seeds.ts";
import { openStage, playEpisode, runEpisode, type Stage } from "./rig/run-episode.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { whyNginxIsSkipped } from "./rig/start-nginx.ts";

const skip = whyPostgresIsSkipped() || whyNginxIsSkipped() || (hasRedisServer() ? false : "no redis-server");
/** Set by `npm run test:faults`: the long form. */
const minutes = Number(process.env.ASSAY_TEST_MINUTES ?? 0);
const givenSeed = Number(process.env.ASSAY_TEST_SEED ?? 0);

/** Long enough that every wait of a node runs out, as issue and contract ask; short enough for CI. */
const stopMs = { short: 1_500, long: 10_000 };

describe("three nodes behind nginx, whatever happens to them, lose no money and double none", { skip }, () => {
  if (minutes === 0 && givenSeed === 0) {
    let stage: Stage;
    before(async () => {
      stage = await openStage(keptSeeds[0]!.seed);
    });
    after(() => stage?.close());
    for (const { seed, faults, stoppedMs = stopMs.short, why } of keptSeeds) {
      it(`seed ${seed}: ${why}`, (t) => playEpisode(stage, { seed, faults, stoppedMs, say: (line) => t.diagnostic(line) }));
    }
    return;
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const stoppedMs = stopMs.long;
  if (minutes === 0) it(`seed ${givenSeed}`, () => runEpisode({ seed: givenSeed, stoppedMs, say }));
  else {
    it(`for ${minutes} minutes`, async () => {
      const seeds = createSeededRandom();
      const deadline = performance.now() + minutes * 60_000;
      say(`ASSAY_TEST_SEED=${seeds.seed} with --minutes`);
      while (performance.now() < deadline) await runEpisode({ seed: seeds.between(1, 2 ** 31), stoppedMs, say });
    });
  }
});
