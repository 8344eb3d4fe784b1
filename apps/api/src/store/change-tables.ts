/** Statements that need a table for themselves for a moment, on a database that is in use. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";

/** Whoever comes after it waits behind a statement that waits for a table: so it waits briefly, and comes again. */
const lockWaitMs = 500;
const pauseMs = 250;
const pauseMsMax = 5_000;
const triesDefault = 30;
/** Somebody else had the table, or the two waited for each other: nothing was changed. */
const lostCodes = new Set(["55P03", "40P01"]);

/**
 * Runs the statements in one transaction and one round trip: a client that stops in the middle holds no lock. Waits for
 * locks only ever briefly, and tries again, by default for about two minutes, before it gives up.
 */
export async function changeTables(client: Pool | ClientBase, statements: readonly string[], triesMax = triesDefault): Promise<void> {
  const text = [`SET LOCAL lock_timeout = ${lockWaitMs}`, ...statements].join(";\n");
  for (let tries = 1; ; tries += 1) {
    try {
      // Without parameters several statements travel together, and PostgreSQL makes one transaction of them.
      await client.query(text);
      return;
    } catch (error) {
      if (!lostCodes.has((error as { code?: string }).code ?? "") || tries >= triesMax) throw error;
      await sleep(Math.min(pauseMs * tries, pauseMsMax));
    }
  }
}
