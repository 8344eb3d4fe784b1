/**
 * Two nodes behind nginx on a pair of PostgreSQL under Patroni, and Redis, under mixed load, with faults at random. CI
 * runs a short episode; the long form runs one after the other, and prints each seed first:
 *
 *   npm run test:faults -- all-faults --minutes 60
 *   npm run test:faults -- all-faults --seed 4711
 */
import { describe, it } from "node:test";
import { hasRedisServer } from "../access/start-redis.ts";
import { whyHaIsSkipped } from "./rig/ha-cluster.ts";
import { runHaEpisode } from "./rig/ha-episode.ts";
import { createSeededRandom } from "./rig/seeded-random.ts";
import { whyNginxIsSkipped } from "./rig/start-nginx.ts";

const skip = whyHaIsSkipped() || whyNginxIsSkipped() || (hasRedisServer() ? false : "no redis-server");
/** Set by `npm run test:faults -- --minutes N`. */
const minutes = Number(process.env.ASSAY_TEST_MINUTES ?? 0);
const givenSeed = Number(process.env.ASSAY_TEST_SEED ?? 0);
/** In CI: of everything that can be lost, one. */
const shortFaults = ["kill_node", "lose_redis", "kill_primary"] as const;

describe("an installation without a single point of failure neither loses nor duplicates money, whatever is lost", { skip }, () => {
  const log = (line: string) => void process.stdout.write(`${line}\n`);
  if (minutes > 0) {
    it(`for ${minutes} minutes`, async () => {
      const seeds = createSeededRandom();
      const deadline = performance.now() + minutes * 60_000;
      log(`ASSAY_TEST_SEED=${seeds.seed} with --minutes`);
      while (performance.now() < deadline) await runHaEpisode({ seed: seeds.between(1, 2 ** 31), log });
    });
  } else if (givenSeed > 0) it(`seed ${givenSeed}`, () => runHaEpisode({ seed: givenSeed, log }));
  else it("for a minute", () => runHaEpisode({ seed: createSeededRandom().seed, faults: shortFaults, log }));
});
