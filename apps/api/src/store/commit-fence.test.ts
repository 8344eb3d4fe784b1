import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Pool } from "pg";
import { joinPostgres, type TestPostgres, whyPostgresIsSkipped } from "../../test/start-postgres.ts";
import { findOutWhetherCommitted, insertFence } from "./commit-fence.ts";
import { openPostgres } from "./open-postgres.ts";
import { NotPrimary } from "./primary/fence.ts";
import type { PostgresStore } from "./store.ts";
import { CommitUnknown } from "./store-failure.ts";

describe("the outcome of a commit", { skip: whyPostgresIsSkipped() }, () => {
  let postgres: Pick<TestPostgres, "newMigratedDatabase" | "stop">;
  let store: PostgresStore;
  before(async () => {
    postgres = await joinPostgres();
    store = openPostgres((await postgres.newMigratedDatabase()).databaseUrl, () => {});
  });
  after(async () => {
    await store?.close();
    await postgres?.stop();
  });

  /** A pooler that leads to a server that was replaced, for so many transactions. */
  function misled(times: number): Pool {
    let left = times;
    const recheck = () => ((left -= 1) < 0 ? Promise.resolve() : Promise.reject(new NotPrimary("it was replaced")));
    return { connect: async () => Object.assign(await store.commitPool.connect(), { recheck }) } as unknown as Pool;
  }
  const countFences = async (id: string) => (await store.pool.query("SELECT FROM commit_batches WHERE id = $1", [id])).rowCount;
  const findOut = (pool: Pool, id: string) => findOutWhetherCommitted(pool, id, () => Promise.resolve("committed"));

  it("is not believed of a server that was replaced, and is unknown if no other one can be asked", async () => {
    await assert.rejects(findOut(misled(Number.POSITIVE_INFINITY), "elsewhere"), CommitUnknown);
    assert.equal(await countFences("elsewhere"), 0, "and nothing was decided there");
  });

  it("is asked again until the server is the right one", async () => {
    await store.pool.query(insertFence, ["here"]);
    assert.equal(await findOut(misled(2), "here"), "committed");
    assert.equal(await findOut(misled(2), "nowhere"), undefined);
    assert.equal(await countFences("nowhere"), 1);
  });
});
